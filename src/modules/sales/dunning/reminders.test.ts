// Reminders: once for each step, only the latest one that is due, never for what is settled or held.
import { describe, expect, it } from 'vitest'
import { mailsTo } from '#test/harness/mailbox.ts'
import { appOfFile } from '#test/harness/app.ts'
import { type Dunning, dunningAt } from '#test/scenes/dunning.ts'
import { reminderDue } from './reminders.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const admin = await app.world.user({ roles: ['customer', 'administrator'] })
const dunning: Dunning = dunningAt(app, () => [acme.owner, acme.staff, admin])

/** The subjects of the reminders of an invoice, oldest first. */
const reminders = async (number: string): Promise<string[]> =>
  (await mailsTo(app, acme.owner.email))
    .map(({ subject }) => subject)
    .filter((subject) => subject.includes(number) && /due on|overdue/.test(subject))
    .toReversed()
const kindsOf = async (number: string) =>
  (await reminders(number)).map((subject) => (subject.includes('overdue') ? 'overdue' : 'due'))

describe('a reminder', () => {
  it('is mailed once on each day of the schedule: three days before, then 1, 7 and 14 after the due date', async () => {
    const { number } = await dunning.owes(acme)
    const found: number[] = []
    for (let day = 0; day <= 22; day++) {
      found.push((await reminders(number)).length)
      await dunning.pass(1)
      await dunning.pass(0)
    }
    const steps = found.flatMap((count, day) => (day > 0 && count > (found[day - 1] ?? 0) ? [day] : []))
    expect(steps).toEqual([2, 6, 12, 19])
    expect(await kindsOf(number)).toEqual(['due', 'overdue', 'overdue', 'overdue'])
  })
  it('of an invoice that is open again comes by the days since then', async () => {
    const [wrong, right] = [await dunning.owes(acme), await dunning.owes(acme)]
    expect((await acme.staff.post(`/invoices/${wrong.id}/pay`, {})).status).toBe(200)
    await dunning.pass(40)
    const [{ id }] = (await acme.staff.get(`/invoices/${wrong.id}/payments`)).data
    expect((await acme.staff.post(`/payments/${id}/move`, { invoice_id: right.id })).status).toBe(200)
    const found: number[] = []
    for (let day = 0; day <= 16; day++) {
      found.push((await reminders(wrong.number)).length)
      await dunning.pass(1)
      await dunning.pass(0)
    }
    const steps = found.flatMap((count, day) => (count > (found[day - 1] ?? 0) ? [day] : []))
    expect(steps).toEqual([1, 7, 14])
  })
  it('is only the latest one after the worker was down for weeks', async () => {
    const { id, number } = await dunning.owes(acme)
    await dunning.pass(30)
    expect(await kindsOf(number)).toEqual(['overdue'])
    expect((await acme.owner.get(`/invoices/${id}`)).data.reminded_at).toBe(app.clock.now.toISOString())
    await dunning.pass(60)
    expect(await kindsOf(number)).toEqual(['overdue'])
  })
  it('says the number, the amount that is left, the due day and where to pay, and not what is settled', async () => {
    const { id, number } = await dunning.owes(acme, {
      link: 'https://pay.example/1',
      line_items: undefined,
      total: '80.00',
    })
    const paid = await dunning.owes(acme)
    await acme.staff.post(`/invoices/${id}/credit-notes`, { amount: '30.00', reason: 'Goodwill' })
    await acme.staff.post(`/invoices/${paid.id}/pay`, {})
    await dunning.pass(3)
    const [mail] = (await mailsTo(app, acme.owner.email)).filter(({ subject }) => subject.includes(number))
    expect(mail?.text).toContain('50.00')
    const { data } = await acme.owner.get(`/invoices/${id}/payment-options`)
    expect(mail?.text).toContain(data.url)
    expect(data.options.page).toEqual({ url: 'https://pay.example/1' })
    expect(await reminders(paid.number)).toEqual([])
  })
  it('follows a new schedule, also of the class of its lines', async () => {
    const steps = { reminder_days: [2], grace_days: 5, suspends: true }
    const schedule = { ...steps, classes: { EDU: { ...steps, reminder_days: [4] } } }
    const [before, { number }] = [(await admin.get('/admin/dunning/entity_br')).data.schedule, await dunning.owes(acme)]
    expect((await admin.put('/admin/dunning/entity_br', { schedule })).status).toBe(200)
    await dunning.pass(6)
    expect(await reminders(number)).toEqual([])
    await dunning.pass(1)
    expect(await kindsOf(number)).toEqual(['overdue'])
    await admin.put('/admin/dunning/entity_br', { schedule: before })
  })
  it('waits while staff hold the process, and comes when the hold has ended', async () => {
    const { number } = await dunning.owes(acme)
    const hold = { until: dunning.day(9), reason: 'Payment plan' }
    expect((await acme.staff.put('/dunning/hold', hold)).data).toEqual({ ...hold, restores: false })
    for (let day = 0; day < 9; day++) await dunning.pass(1)
    expect(await reminders(number)).toEqual([])
    await dunning.pass(1)
    expect(await kindsOf(number)).toEqual(['overdue'])
  })
  it('is none for invoices that were due before the process began', async () => {
    const { schedule } = (await admin.get('/admin/dunning/entity_br')).data
    await admin.put('/admin/dunning/entity_br', { schedule, starts_on: dunning.day(6) })
    const [old, young] = [await dunning.owes(acme), await dunning.owes(acme, { due_date: dunning.day(6) })]
    await dunning.pass(10)
    expect([await reminders(old.number), await kindsOf(young.number)]).toEqual([[], ['overdue']])
    await admin.put('/admin/dunning/entity_br', { schedule, starts_on: null })
    await dunning.pass(0)
    expect(await kindsOf(old.number)).toEqual(['overdue'])
  })
})

describe('which step is due', () => {
  const billed = { toldOn: '2028-01-31', dueOn: '2028-02-28', reminded: null }
  it.each([
    ['2028-02-24', null, null],
    ['2028-02-25', null, -3],
    ['2028-02-29', null, 1],
    ['2028-03-01', -3, 1],
    ['2028-03-01', 1, null],
    ['2028-12-31', null, 14],
  ])('on %s after %j: %j', (today, reminded, days) => {
    expect(reminderDue([14, -3, 1, 7], today, { ...billed, reminded })).toBe(days)
  })
  it('is none on the day of issue or before, and without steps', () => {
    expect(reminderDue([-3], '2028-02-26', { ...billed, toldOn: '2028-02-25' })).toBeNull()
    expect(reminderDue([], '2028-12-31', billed)).toBeNull()
  })
})
