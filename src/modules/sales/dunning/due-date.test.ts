// Another due date of an open invoice: what is overdue, reminded, suspended and charged for being late follows it.
import { describe, expect, it } from 'vitest'
import { mailsTo } from '#test/harness/mailbox.ts'
import { appOfFile } from '#test/harness/app.ts'
import type { Answer } from '#test/harness/world.ts'
import { type Dunning, dunningAt } from '#test/scenes/dunning.ts'
import { entitlement } from '#test/scenes/licenses.ts'

const app = await appOfFile()
const acme = await app.world.organization({ name: 'Acme' })
const admin = await app.world.user({ roles: ['customer', 'administrator'] })
const dunning: Dunning = dunningAt(app, () => [acme.owner, acme.staff, admin])

const REASON = 'Payment plan agreed on'
const pathOf = (id: number): string => `/invoices/${id}/due-date`
const setTo = (id: number, due_date: string, more: object = {}) =>
  acme.staff.put(pathOf(id), { due_date, reason: REASON, ...more })
async function moved(id: number, days: number): Promise<Answer['data']> {
  const answer = await setTo(id, dunning.day(days))
  expect(answer.status, answer.raw.body).toBe(200)
  await dunning.drain()
  return answer.data
}
const invoice = async (id: number): Promise<Answer['data']> => (await acme.owner.get(`/invoices/${id}`)).data
const fieldsOf = async (answer: Promise<Answer>) => Object.keys((await answer).errors?.fields ?? {})
const subjects = async (number: string): Promise<string[]> =>
  (await mailsTo(app, acme.owner.email)).map(({ subject }) => subject).filter((subject) => subject.includes(number))

describe('PUT /invoices/{id}/due-date', () => {
  it('200: with its reason in the audit log, an event, and a mail with the new date', async () => {
    const { id, number, total } = await dunning.owes(acme)
    const due_date = dunning.day(40)
    const now = app.clock.now.toISOString()
    expect(await moved(id, 40)).toMatchObject({ due_date, due_date_changed_at: now, status: 'open', amount_due: total })
    const [entry] = (await acme.staff.get('/audit-log?resource=invoice&action=due_date_changed')).data
    expect(entry).toMatchObject({ action: 'due_date_changed', reason: REASON, changes: { after: { due_date } } })
    const { events } = (await acme.owner.get('/events?type=invoice.due_date_changed')).data
    expect(events.at(-1)).toMatchObject({ data: { id, due_date } })
    const [subject] = await subjects(number)
    expect(subject).toContain('is now due on')
  })
  it('200 for an overdue one: it is overdue no more, and again, with its reminders, by the new date', async () => {
    const { id, number } = await dunning.owes(acme)
    await dunning.pass(13)
    expect(await invoice(id)).toMatchObject({ is_overdue: true })
    const before = await subjects(number)
    await moved(id, 2)
    expect(await invoice(id)).toMatchObject({ is_overdue: false, overdue_since: null })
    // Not reminded three days before a date that it was told of two days before.
    expect(await subjects(number)).toHaveLength(before.length + 1)
    await dunning.pass(2)
    expect(await subjects(number)).toHaveLength(before.length + 1)
    await dunning.pass(1)
    expect(await invoice(id)).toMatchObject({ is_overdue: true, overdue_since: dunning.day(0) })
    const [subject] = await subjects(number)
    expect(subject).toContain('is overdue')
    const { events } = (await acme.owner.get('/events?type=invoice.overdue')).data
    expect(events.filter(({ data }: Answer['data']) => data.id === id)).toHaveLength(2)
  })
  it('200: what was suspended for it is active until the grace of the new date is over', async () => {
    const { id: sold, code } = await entitlement(acme)
    const line = { product_name: 'Backup', quantity: 1, unit_price: '10.00', entitlement_code: code }
    const { id } = await dunning.owes(acme, { line_items: [line] })
    const seen = async () => (await acme.owner.get(`/entitlements/${sold}`)).data
    await dunning.pass(21)
    expect(await seen()).toMatchObject({ status: 'suspended', status_reason_code: 'payment_overdue' })
    await moved(id, 10)
    expect(await seen()).toMatchObject({ status: 'active', suspends_at: `${dunning.day(26)}T03:00:00.000Z` })
    await dunning.pass(25)
    expect((await seen()).status).toBe('active')
    await dunning.pass(1)
    expect((await seen()).status).toBe('suspended')
  })
  it('200: late charges are those of the new date', async () => {
    const { schedule } = (await admin.get('/admin/dunning/entity_br')).data
    const charged = { ...schedule, fine_percent: '2.00', monthly_interest_percent: '1.00' }
    await admin.put('/admin/dunning/entity_br', { schedule: charged })
    const { id } = await dunning.owes(acme)
    await dunning.pass(35)
    const charges = async () => (await acme.owner.get(`/invoices/${id}/late-charges`)).data
    expect(await charges()).toMatchObject({ days_overdue: 30, fine: '2.00', interest: '1.00' })
    await moved(id, 5)
    expect(await charges()).toMatchObject({ days_overdue: 0, total: '0.00' })
    await dunning.pass(8)
    expect(await charges()).toMatchObject({ days_overdue: 3, fine: '2.00', interest: '0.10' })
    await admin.put('/admin/dunning/entity_br', { schedule })
  })
  it('200 on the last day of a hold, which it does not end', async () => {
    const { id, number } = await dunning.owes(acme)
    await acme.staff.put('/dunning/hold', { until: dunning.day(30), reason: REASON })
    await moved(id, 3)
    await dunning.pass(20)
    expect((await subjects(number)).filter((subject) => subject.includes('overdue'))).toEqual([])
    await acme.staff.delete('/dunning/hold')
  })
  it('200 for one of two at once, 422 for the other: it is the due date already', async () => {
    const { id } = await dunning.owes(acme)
    const answers = await Promise.all([setTo(id, dunning.day(9)), setTo(id, dunning.day(9))])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 422]))
  })
  it('409 for a draft, a paid, a void one and one that was given up', async () => {
    const draft = await dunning.owes(acme, { status: 'draft' })
    expect((await setTo(draft.id, dunning.day(9))).status).toBe(409)
    for (const act of ['pay', 'void', 'mark-uncollectible']) {
      const { id } = await dunning.owes(acme)
      await acme.staff.post(`/invoices/${id}/${act}`, {})
      expect((await setTo(id, dunning.day(9))).status).toBe(409)
    }
  })
  it('422 for a day that has passed, no day, the same day, and without a reason', async () => {
    const { id, due_date } = await dunning.owes(acme)
    const later = await dunning.owes(acme, { issue_date: dunning.day(3), due_date: dunning.day(9) })
    for (const day of [dunning.day(-1), due_date, '2027-02-29', 'tomorrow'])
      expect(await fieldsOf(setTo(id, day))).toEqual(['due_date'])
    expect(await fieldsOf(setTo(later.id, dunning.day(1)))).toEqual(['due_date'])
    expect(await fieldsOf(setTo(id, dunning.day(8), { reason: ' ' }))).toEqual(['reason'])
    expect(await fieldsOf(setTo(id, dunning.day(8), { total: '1.00' }))).toEqual(['total'])
    expect((await setTo(id, dunning.day(0))).status).toBe(200)
  })
  it('403 for customers, 404 for another organization’s', async () => {
    const { id } = await dunning.owes(acme)
    const other = await app.world.organization()
    await dunningAt(app, () => [other.staff]).wake()
    expect((await acme.owner.put(pathOf(id), { due_date: dunning.day(9), reason: REASON })).status).toBe(403)
    expect((await other.staff.put(pathOf(id), { due_date: dunning.day(9), reason: REASON })).status).toBe(404)
  })
})
