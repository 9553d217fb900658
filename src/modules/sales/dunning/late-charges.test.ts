// Fine and interest: exact, shown, and billed by an invoice of their own.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mailsTo } from '#test/harness/mailbox.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { type Dunning, dunningAt } from '#test/scenes/dunning.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'
import { chargesOnParts } from './late-charges.ts'

let app: TestApp
let acme: Organization
let admin: Speaker
let dunning: Dunning

const STEPS = { reminder_days: [1], grace_days: 15, suspends: true }
const CHARGED = { ...STEPS, fine_percent: '2.00', monthly_interest_percent: '1.00' }

beforeAll(async () => {
  app = await startApp()
  acme = await app.world.organization()
  admin = await app.world.user({ roles: ['customer', 'administrator'] })
  dunning = dunningAt(app, () => [acme.owner, acme.staff, admin])
  await set('entity_br', CHARGED)
})
afterAll(() => app.close())

const set = (company: string, schedule: object): Promise<Answer> => admin.put(`/admin/dunning/${company}`, { schedule })
const owed = async (id: number) => (await acme.owner.get(`/invoices/${id}/late-charges`)).data
const bill = (id: number) => acme.staff.post(`/invoices/${id}/late-charges`, {})
const pay = (id: number) => acme.staff.post(`/invoices/${id}/pay`, {})
const wrong = async (company: string, schedule: object) =>
  Object.keys((await set(company, schedule)).errors?.fields ?? {})
const NONE = { fine: '0.00', interest: '0.00', total: '0.00', billed: '0.00', due: '0.00' }

describe('fine and interest', () => {
  const schedule = CHARGED
  it.each([
    // 2 % of 150.00, and 1 % of it by the day: 150.00 × 1 % × 1 / 30 = 0.05.
    [15_000n, '2027-01-31', '2027-02-01', { days: 1, fine: 300n, interest: 5n }],
    [15_000n, '2027-01-31', '2027-03-01', { days: 29, fine: 300n, interest: 145n }],
    [15_000n, '2028-01-31', '2028-03-01', { days: 30, fine: 300n, interest: 150n }],
    // 0.50 of a cent becomes one, 0.48 none: 1 % of 0.15 for 100 days, and of 0.14 for 100 days.
    [15n, '2027-01-01', '2027-04-11', { days: 100, fine: 0n, interest: 1n }],
    [14n, '2027-01-01', '2027-04-11', { days: 100, fine: 0n, interest: 0n }],
    [25n, '2027-01-01', '2027-01-02', { days: 1, fine: 1n, interest: 0n }],
    [
      999_999_999_999_999n,
      '2027-01-31',
      '2028-01-31',
      { days: 365, fine: 20_000_000_000_000n, interest: 121_666_666_666_667n },
    ],
    [15_000n, '2027-01-31', '2027-01-31', { days: 0, fine: 0n, interest: 0n }],
    [15_000n, '2027-01-31', '2026-12-31', { days: 0, fine: 0n, interest: 0n }],
  ])('on %s, due on %s and paid on %s', (base, dueOn, paidOn, expected) => {
    expect(chargesOnParts([{ amount: base, on: paidOn }], dueOn, schedule)).toEqual(expected)
  })
  it('are none without percentages', () => {
    expect(chargesOnParts([{ amount: 15_000n, on: '2027-02-10' }], '2027-01-31', STEPS)).toEqual({
      days: 10,
      fine: 0n,
      interest: 0n,
    })
  })
})

describe('GET /invoices/{id}/late-charges', () => {
  it('200 with the parts as of today, and in the reminder; the invoice stays as it is', async () => {
    const { id, number } = await dunning.owes(acme)
    expect(await owed(id)).toMatchObject({ ...NONE, days_overdue: 0, base: '100.00' })
    await dunning.pass(6)
    const [reminder] = (await mailsTo(app, acme.owner.email)).filter(({ subject }) =>
      subject.includes(`${number} is over`),
    )
    // 2.00, and 0.03 for the first day.
    expect(reminder?.text).toContain('2.03')
    await dunning.pass(9)
    expect(await owed(id)).toEqual({
      invoice_id: id,
      as_of: dunning.day(0),
      days_overdue: 10,
      currency: 'BRL',
      base: '100.00',
      fine_percent: '2.00',
      fine: '2.00',
      monthly_interest_percent: '1.00',
      interest: '0.33',
      total: '2.33',
      billed: '0.00',
      due: '2.33',
    })
    expect((await acme.owner.get(`/invoices/${id}`)).data).toMatchObject({ total: '100.00', amount_due: '100.00' })
  })
  it('200 without any at the other legal entity, and for a void invoice', async () => {
    const [abroad, dropped] = [
      await dunning.owes(acme, { company: 'entity_global', currency: 'USD' }),
      await dunning.owes(acme),
    ]
    await dunning.pass(20)
    await acme.staff.post(`/invoices/${dropped.id}/void`)
    expect(await owed(abroad.id)).toMatchObject({ ...NONE, fine_percent: null })
    expect(await owed(dropped.id)).toMatchObject(NONE)
  })
  it('200 on what was paid in parts: none on the one in time, and by its own days on each late one', async () => {
    const line = { product_name: 'Support', quantity: 1, unit_price: '150.00' }
    const { id } = await dunning.owes(acme, { line_items: [line] })
    const payPart = (amount: string) => acme.staff.post(`/invoices/${id}/pay`, { amount })
    await payPart('50.00')
    expect(await owed(id)).toMatchObject({ ...NONE, days_overdue: 0, base: '100.00' })
    await dunning.jump(15)
    expect(await owed(id)).toMatchObject({ days_overdue: 10, base: '100.00', fine: '2.00', interest: '0.33' })
    await payPart('40.00')
    await dunning.jump(10)
    // 1 % a month of 40.00 for 10 days and of 60.00 for 20.
    const whole = { days_overdue: 20, base: '100.00', fine: '2.00', interest: '0.53' }
    expect(await owed(id)).toMatchObject(whole)
    await payPart('60.00')
    await dunning.jump(10)
    expect(await owed(id)).toMatchObject(whole)
  })
  it('404 for another organization’s', async () => {
    const other = await app.world.organization()
    await dunningAt(app, () => [other.owner, other.staff]).wake()
    const { id } = await dunning.owes(acme)
    expect((await other.owner.get(`/invoices/${id}/late-charges`)).status).toBe(404)
    expect((await other.staff.post(`/invoices/${id}/late-charges`, {})).status).toBe(404)
  })
})

describe('POST /invoices/{id}/late-charges', () => {
  it('201 bills what is due, and later only the rest; also after the payment, as of its day', async () => {
    const { id, number } = await dunning.owes(acme)
    await dunning.pass(15)
    const first = await bill(id)
    expect(first.status).toBe(201)
    const charged = {
      status: 'open',
      origin: 'late_charges',
      late_charges_of: id,
      company: 'entity_br',
      order_id: null,
    }
    expect(first.data).toMatchObject({ ...charged, total: '2.33' })
    expect(first.data.line_items).toMatchObject([{ product_name: expect.stringContaining(number), total: '2.33' }])
    expect((await bill(id)).status).toBe(409)
    await dunning.pass(20)
    await pay(id)
    await dunning.pass(30)
    expect(await owed(id)).toMatchObject({ days_overdue: 30, total: '3.00', billed: '2.33', due: '0.67' })
    expect((await bill(id)).data.total).toBe('0.67')
    expect((await bill(id)).status).toBe(409)
    // They bear none themselves, and one that is void is billed again.
    expect(await owed(first.data.id)).toMatchObject(NONE)
    await acme.staff.post(`/invoices/${first.data.id}/void`)
    expect(await owed(id)).toMatchObject({ billed: '0.67', due: '2.33' })
  })
  it('409 for what a credit note has waived, in whole or in part, also once the rest is void', async () => {
    const [whole, part] = [await dunning.owes(acme), await dunning.owes(acme)]
    await dunning.pass(15)
    const waive = async (of: number, body: object) => {
      const { id } = (await bill(of)).data
      expect((await acme.staff.post(`/invoices/${id}/credit-notes`, { reason: 'x', ...body })).status).toBe(201)
      expect(await owed(of)).toMatchObject({ total: '2.33', billed: '2.33', due: '0.00' })
      expect((await bill(of)).status).toBe(409)
      return id
    }
    await waive(whole.id, {})
    const rest = await waive(part.id, { amount: '1.00' })
    await dunning.jump(10)
    for (const { id } of [whole, part])
      expect(await owed(id)).toMatchObject({ total: '2.67', billed: '2.33', due: '0.34' })
    expect((await acme.staff.post(`/invoices/${rest}/void`)).status).toBe(200)
    expect((await bill(part.id)).data.total).toBe('1.67')
    expect((await bill(whole.id)).data.total).toBe('0.34')
  })
  it('409 for two at once, and for what was paid in time', async () => {
    const [late, early] = [await dunning.owes(acme), await dunning.owes(acme)]
    await pay(early.id)
    await dunning.pass(15)
    const both = await Promise.all([bill(late.id), bill(late.id)])
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([201, 409]))
    expect((await bill(early.id)).status).toBe(409)
    expect((await acme.owner.post(`/invoices/${late.id}/late-charges`, {})).status).toBe(403)
  })
})

describe('PUT /admin/dunning/{company}', () => {
  it('422 for fine and interest of the other legal entity, and for what is no schedule', async () => {
    expect(await wrong('entity_global', CHARGED)).toEqual([
      'schedule.fine_percent',
      'schedule.monthly_interest_percent',
    ])
    expect(await wrong('entity_br', { ...STEPS, fine_percent: '101' })).toEqual(['schedule.fine_percent'])
    expect(await wrong('entity_br', { ...STEPS, reminder_days: [1, 1] })).toEqual(['schedule.reminder_days'])
    expect(await wrong('entity_br', { ...STEPS, classes: { XYZ: STEPS } })).toEqual(['schedule.classes.XYZ'])
  })
  it('200 with an entry in the log; 403 for customers', async () => {
    const { data } = await admin.get('/admin/dunning/entity_global')
    expect((await set('entity_global', { ...STEPS, grace_days: 0 })).data.schedule.grace_days).toBe(0)
    const log = await admin.get('/admin/audit-log?log=service&resource=dunning_schedule')
    expect(log.data[0].changes.after.before).toEqual({
      company: 'entity_global',
      schedule: data.schedule,
      starts_on: null,
    })
    expect((await acme.owner.put('/admin/dunning/entity_br', { schedule: STEPS })).status).toBe(403)
  })
})
