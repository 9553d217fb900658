// Refunds of what a subscription has paid for: the ends of entitlement, license and contract go back.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LICENSE_LINE } from '#test/scenes/commerce.ts'
import { lastDay, type PaidPeriods, paidPeriods } from '#test/scenes/paid-periods.ts'
import { bought, type Bought, refunded, sendEvent, type StripeScene, stripeScene } from '#test/scenes/stripe.ts'
import { begun, subscribe } from '#test/scenes/subscriptions.ts'

let at: StripeScene
let paid: PaidPeriods
beforeAll(async () => {
  at = await stripeScene()
  paid = paidPeriods(at)
})
afterAll(() => at.close())

/** Refunds what Stripe's invoice has paid, and sends the event. */
async function refund(payment: Bought, reference: string): Promise<object> {
  const query = `select resource_id as id from payment_references where resource = 'invoice' and reference = $1`
  const [ours] = await at.app.database.query<{ id: number }>(query, [reference])
  const { object } = await refunded(at, { ...payment, invoice_id: ours?.id, reference }, '150.00')
  await sendEvent(at, 'refund.updated', object)
  return object
}

describe('a refund', () => {
  it('in full takes the period back, with all that ends with it; once, however often it is reported', async () => {
    const payment = await begun(at, 1)
    const second = paid.renewal(payment)
    await sendEvent(at, 'invoice.paid', second)
    const contract = await paid.contractFor(payment)
    const [, { period_end }] = await paid.invoicesOf(payment)
    const reported = await refund(payment, second.id)
    await sendEvent(at, 'refund.updated', reported)
    expect(await paid.entitlementOf(payment)).toMatchObject({ status: 'active', expires_at: period_end })
    expect(await paid.licenseOf(payment)).toMatchObject({ status: 'active', expires_at: period_end })
    expect(await paid.contractOf(contract)).toMatchObject({ status: 'active', end_date: lastDay(period_end) })
    expect((await at.buyer.get(`/orders/${payment.order_id}`)).data.status).toBe('completed')
  })
  it('of time that has passed expires what it paid for', async () => {
    const payment = await begun(at, 1)
    const second = paid.renewal(payment)
    await sendEvent(at, 'invoice.paid', second)
    const contract = await paid.contractFor(payment)
    await paid.makeOlder(payment, 40)
    await refund(payment, second.id)
    const [, { period_end }] = await paid.invoicesOf(payment)
    expect(await paid.entitlementOf(payment)).toMatchObject({ status: 'expired', expires_at: period_end })
    expect(await paid.licenseOf(payment)).toMatchObject({ status: 'expired', expires_at: period_end })
    expect(await paid.contractOf(contract)).toMatchObject({ end_date: lastDay(period_end) })
  })
  it('without an invoice is of the latest period; in part, or of a period before it, it takes nothing', async () => {
    const payment = await begun(at, 1)
    const [second, third] = [paid.renewal(payment), paid.renewal(payment)]
    for (const invoice of [second, third]) await sendEvent(at, 'invoice.paid', invoice)
    const { expires_at } = await paid.entitlementOf(payment)
    expect((await at.buyer.post(`/orders/${payment.order_id}/refund`, { amount: '20' })).status).toBe(200)
    await at.app.service.worker.drain()
    const [latest] = await paid.invoicesOf(payment)
    expect(latest.period_end).toBe(expires_at)
    expect((await at.buyer.get(`/refunds?order_id=${payment.order_id}`)).data).toMatchObject([
      { invoice_id: latest.id },
    ])
    await refund(payment, second.id)
    expect((await paid.entitlementOf(payment)).expires_at).toBe(expires_at)
  })
  it('leaves the term that was paid at once before the subscription', async () => {
    const payment = await bought(at, { line_items: [{ ...LICENSE_LINE, term_months: 3 }] })
    await sendEvent(at, 'invoice.paid', at.stripe.pay(payment.reference))
    const [{ id: entitlement_id }] = (await at.buyer.get(`/orders/${payment.order_id}`)).data.entitlements
    const subscription = await subscribe(at, payment)
    const charged = { ...payment, entitlement_id, subscription }
    const later = `update orders set subscription_requested_at = now() + interval '1 day' where id = $1`
    await at.app.database.query(later, [payment.order_id])
    const sold = Date.parse((await paid.entitlementOf(charged)).expires_at)
    const all = [2, 3].map((nth) => paid.renewal(charged, { start: paid.after(nth), end: paid.after(nth + 1) }))
    for (const invoice of all) await sendEvent(at, 'invoice.paid', invoice)
    expect(Date.parse((await paid.entitlementOf(charged)).expires_at)).toBeGreaterThan(sold + 20 * 86_400_000)
    for (const { id } of all) await refund(charged, id)
    const { status, expires_at } = await paid.entitlementOf(charged)
    expect([status, expires_at.slice(0, 10)]).toEqual(['active', new Date(sold).toISOString().slice(0, 10)])
  })
  it('leaves an end that staff set', async () => {
    const payment = await begun(at, 1)
    const second = paid.renewal(payment)
    await sendEvent(at, 'invoice.paid', second)
    const expires_at = paid.after(30)
    await at.acme.staff.patch(`/entitlements/${payment.entitlement_id}`, { expires_at })
    await refund(payment, second.id)
    expect((await paid.entitlementOf(payment)).expires_at).toBe(expires_at)
  })
})
