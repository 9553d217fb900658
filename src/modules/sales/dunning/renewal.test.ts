// A subscription whose next payment is late: what it pays for waits through the grace, is suspended, and goes on with the
// payment; it expires only when the subscription ends.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays, addMonths, dayIn, startOfDay } from '#kernel/values/time/calendar.ts'
import { type Dunning, dunningAt, ZONE } from '#test/scenes/dunning.ts'
import { type Bought, refunded, sendEvent, type StripeScene, stripeScene } from '#test/scenes/stripe.ts'
import { becomes, begun } from '#test/scenes/subscriptions.ts'
import type { Answer } from '#test/harness/world.ts'

let at: StripeScene
let dunning: Dunning
beforeAll(async () => {
  at = await stripeScene()
  dunning = dunningAt(at.app, () => [at.acme.owner, at.acme.staff, at.buyer])
})
afterAll(() => at.close())

const HOUR = 3_600_000
const later = (moment: string, ms: number): string => new Date(Date.parse(moment) + ms).toISOString()
const entitlementOf = async ({ entitlement_id: id }: Bought): Promise<Answer['data']> =>
  (await at.buyer.get(`/entitlements/${id}`)).data
const licenseOf = async ({ entitlement_id: id }: Bought) => (await at.buyer.get(`/entitlements/${id}/licenses`)).data[0]
const validity = async ({ license_key }: Answer['data']) =>
  (await at.app.world.anonymous.post('/licenses/validate', { license_key, domain: 'localhost' })).data

/** At this moment, when all jobs that are due have run. */
async function until(moment: string): Promise<void> {
  at.app.clock.now = new Date(moment)
  await dunning.wake()
  await dunning.drain()
}

/** Stripe reports the payment of the month that begins at the end of the paid time. */
async function pays(payment: Bought, start: string): Promise<Answer['data']> {
  const invoice = at.stripe.renew(payment.subscription)
  const end = addMonths(new Date(start), 1, ZONE)
  const [line] = invoice.lines.data
  if (line) line.period = { start: Date.parse(start) / 1000, end: end.getTime() / 1000 }
  await sendEvent(at, 'invoice.paid', invoice)
  return { ...invoice, end: end.toISOString() }
}

/** With an end in whole seconds, as Stripe has them. */
async function paidUntil(payment: Bought): Promise<string> {
  const { end } = await pays(payment, later((await entitlementOf(payment)).expires_at.replace(/\.\d+/, '.000'), 0))
  return end
}

it('a suspended entitlement whose order is refunded is cancelled, and no payment brings it back', async () => {
  const payment = await begun(at, 1)
  const end = (await entitlementOf(payment)).expires_at
  await until(later(end, 20 * 24 * HOUR))
  expect((await entitlementOf(payment)).status).toBe('suspended')
  const { object } = await refunded(at, { ...payment, reference: payment.first.id }, '150.00')
  await sendEvent(at, 'refund.updated', object)
  await dunning.drain()
  const { status, suspends_at } = await entitlementOf(payment)
  expect([status, suspends_at]).toEqual(['cancelled', null])
})

describe('a payment that is late', () => {
  it('leaves what it pays for active through the grace, suspends it then, and resumes it with the new end', async () => {
    const payment = await begun(at, 1)
    const end = await paidUntil(payment)
    const license = await licenseOf(payment)
    expect(await entitlementOf(payment)).toMatchObject({ expires_at: end, renews: true })
    const suspended = (await entitlementOf(payment)).suspends_at
    // The end of the last day of the grace, as it is for an invoice that is due on the day on which the period ends.
    expect(suspended).toBe(startOfDay(addDays(dayIn(new Date(end), ZONE), 16), ZONE).toISOString())
    await until(later(end, HOUR))
    expect((await entitlementOf(payment)).status).toBe('active')
    expect(await licenseOf(payment)).toMatchObject({ status: 'active', renews: true })
    expect((await validity(license)).reason).not.toBe('expired')
    expect((await at.buyer.get('/entitlements/check?class=PLG')).data).toMatchObject({
      allowed: true,
      until: suspended,
    })
    await until(later(suspended, -1))
    expect((await entitlementOf(payment)).status).toBe('active')
    await until(suspended)
    const late = await entitlementOf(payment)
    expect(late).toMatchObject({ status: 'suspended', status_reason_code: 'payment_overdue' })
    expect(late.status_reason).toContain('renovação')
    expect((await licenseOf(payment)).status).toBe('suspended')
    await until(later(suspended, HOUR))
    const next = await pays(payment, end)
    await dunning.drain()
    expect(await entitlementOf(payment)).toMatchObject({ status: 'active', expires_at: next.end, renews: true })
    expect(await licenseOf(payment)).toMatchObject({ status: 'active', expires_at: next.end })
    const check = async (as_of: string) =>
      (await at.buyer.get(`/entitlements/check?class=PLG&as_of=${as_of}`)).data.reason
    expect([await check(later(end, HOUR)), await check(suspended)]).toEqual(['active', 'suspended'])
  })
  it('expires it when the subscription ends unpaid, in the grace or after it', async () => {
    for (const days of [5, 20]) {
      const payment = await begun(at, 1)
      const end = await paidUntil(payment)
      await until(later(end, days * 24 * HOUR))
      expect((await entitlementOf(payment)).status).toBe(days === 5 ? 'active' : 'suspended')
      await becomes(at, payment.subscription, 'canceled')
      await dunning.drain()
      expect(await entitlementOf(payment)).toMatchObject({ status: 'expired', expires_at: end, renews: false })
      expect((await licenseOf(payment)).status).toBe('expired')
    }
  })
  it('is not awaited when the subscription ends with the period: it expires in that second', async () => {
    const payment = await begun(at, 1)
    const end = await paidUntil(payment)
    const subscription = at.stripe.subscriptions.get(payment.subscription) ?? {}
    const endsWith = { cancel_at_period_end: true, cancel_at: Date.parse(end) / 1000 }
    await sendEvent(at, 'customer.subscription.updated', Object.assign(subscription, endsWith))
    expect(await entitlementOf(payment)).toMatchObject({ renews: false, suspends_at: null })
    at.app.clock.now = new Date(end)
    await dunning.wake()
    const id = `/entitlements/${payment.entitlement_id}`
    expect((await at.buyer.get(id)).data.status).toBe('active')
    await dunning.drain()
    expect((await at.buyer.get(id)).data.status).toBe('expired')
  })
  it('is not awaited after staff have set another end', async () => {
    const payment = await begun(at, 1)
    const end = await paidUntil(payment)
    const own = later(end, 40 * 24 * HOUR)
    await at.acme.staff.patch(`/entitlements/${payment.entitlement_id}`, { expires_at: own })
    await dunning.drain()
    expect(await entitlementOf(payment)).toMatchObject({ expires_at: own, renews: false, suspends_at: null })
    await at.acme.staff.patch(`/entitlements/${payment.entitlement_id}`, { expires_at: end })
    await dunning.drain()
    expect(await entitlementOf(payment)).toMatchObject({ expires_at: end, renews: true })
    expect((await licenseOf(payment)).renews).toBe(true)
  })
})
