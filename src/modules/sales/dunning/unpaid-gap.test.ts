// A month that nobody pays: only a payment or staff bring back what is suspended for it, and all of it is suspended at
// one moment.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays, dayIn, startOfDay } from '#kernel/values/time/calendar.ts'
import {
  before,
  type BillingScene,
  billingScene,
  entitlementsOf,
  goTo,
  invoicesOf,
  later,
  MONTHLY,
  pay,
  sold,
  ZONE,
} from '#test/scenes/own-billing.ts'

let at: BillingScene
beforeAll(async () => void (at = await billingScene()))
afterAll(() => at.app.close())

/** The end of the last day of the grace. */
const graceAfter = (moment: string): string =>
  startOfDay(addDays(dayIn(new Date(moment), ZONE), 16), ZONE).toISOString()

it('is not made good by the invoice of the month after it: the payment of that one is', async () => {
  const sale = await sold(at)
  const [{ period_start, period_end }] = await invoicesOf(at, sale)
  await goTo(at, before(period_end, 10))
  const [, voided] = await invoicesOf(at, sale)
  expect((await at.acme.staff.post(`/invoices/${voided.id}/void`)).status).toBe(200)
  await at.app.service.worker.drain()
  const suspended = graceAfter(period_end)
  await goTo(at, before(suspended, 1 / 86_400))
  expect((await entitlementsOf(at, sale))[0]).toMatchObject({ status: 'active', suspends_at: suspended })
  await goTo(at, suspended)
  expect((await entitlementsOf(at, sale))[0].status).toBe('suspended')
  await goTo(at, before(later(period_start, 2), 13))
  const made = (await invoicesOf(at, sale)).at(-1)
  expect(made).toMatchObject({ status: 'open', period_start: later(period_start, 2) })
  expect((await entitlementsOf(at, sale))[0]).toMatchObject({ status: 'suspended', suspends_at: suspended })
  await goTo(at, later(period_start, 2))
  expect((await entitlementsOf(at, sale))[0].status).toBe('suspended')
  await pay(at, made.id)
  expect((await entitlementsOf(at, sale))[0]).toMatchObject({ status: 'active', expires_at: made.period_end })
})

it('suspends all parts of an order at one moment, with an invoice for the month and without one', async () => {
  const sale = await sold(at, [MONTHLY, { ...MONTHLY, product_name: 'Hosting', entitlement_class: 'ENV' }])
  const [{ period_end }] = await invoicesOf(at, sale)
  const momentsOf = async () => (await entitlementsOf(at, sale)).map(({ suspends_at }) => suspends_at)
  const both = [graceAfter(period_end), graceAfter(period_end)]
  expect(await momentsOf()).toEqual(both)
  await goTo(at, before(period_end, 10))
  expect(await momentsOf()).toEqual(both)
  const { id } = (await invoicesOf(at, sale)).at(-1)
  await at.acme.staff.post(`/invoices/${id}/void`)
  await at.app.service.worker.drain()
  expect(await momentsOf()).toEqual(both)
})
