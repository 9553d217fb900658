// Pause and resume of an order that the payment provider charges, with Stripe's stand-in.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addMonths } from '#kernel/values/time/calendar.ts'
import { deadLetters } from '#test/scenes/commerce.ts'
import { bought, type Bought, type StripeScene, sendEvent, stripeScene } from '#test/scenes/stripe.ts'
import { becomes, begun, expire, subscribe, subscriptionPath } from '#test/scenes/subscriptions.ts'

let at: StripeScene
beforeAll(async () => void (at = await stripeScene()))
afterAll(() => at.close())

const DAY_MS = 86_400_000

async function act(payment: Bought, name: 'pause' | 'resume' | 'cancel', body: object = {}): Promise<number> {
  const { status } = await at.acme.staff.post(`${subscriptionPath(payment)}/${name}`, body)
  await at.app.service.worker.drain()
  return status
}
const look = async (payment: Bought) => (await at.buyer.get(subscriptionPath(payment))).data
const entitlementOf = async ({ entitlement_id: id }: Bought) => (await at.buyer.get(`/entitlements/${id}`)).data
const atStripe = ({ subscription }: Bought) => at.stripe.subscriptions.get(subscription)
const invoicesOf = async ({ order_id }: Bought) =>
  (await at.buyer.get(`/invoices/order/${order_id}`)).data.map((one: { status: string }) => one.status)
const chargesOf = ({ subscription }: Bought) =>
  [...at.stripe.invoices.values()]
    .filter(({ parent }) => parent?.subscription_details.subscription === subscription)
    .map(({ status }) => status)

/** The first month was paid so long ago that it is over, and was renewed by nothing since. */
async function overSince(days: number): Promise<Bought> {
  const payment = await begun(at, 1)
  const end = new Date(Math.floor((at.app.clock.now.getTime() - days * DAY_MS) / 1000) * 1000)
  const query = 'update invoices set period_start = $2, period_end = $3 where id = $1'
  await at.app.database.query(query, [payment.invoice_id, addMonths(end, -1, 'UTC'), end])
  await at.app.database.query(`update entitlements set expires_at = $2 where id = $1`, [payment.entitlement_id, end])
  return payment
}

describe('POST /orders/{id}/subscription/pause', () => {
  it('200: Stripe collects nothing, what is paid stays to its end, and nothing more is awaited', async () => {
    const payment = await begun(at, 1)
    expect((await entitlementOf(payment)).renews).toBe(true)
    expect(await act(payment, 'pause')).toBe(200)
    expect(atStripe(payment)).toMatchObject({ status: 'active', pause_collection: { behavior: 'void' } })
    expect(await look(payment)).toMatchObject({ status: 'paused', order_status: 'completed', ends_at: null })
    expect(await entitlementOf(payment)).toMatchObject({ status: 'active', renews: false })
    const unpaid = at.stripe.renew(payment.subscription)
    await sendEvent(at, 'invoice.voided', unpaid)
    await sendEvent(at, 'customer.subscription.updated', atStripe(payment) ?? {})
    expect([unpaid.status, await invoicesOf(payment)]).toEqual(['void', ['paid']])
    expect((await look(payment)).status).toBe('paused')
  })
  it('200, and is done once when an answer is lost', async () => {
    const payment = await begun(at, 1)
    at.stripe.getIntoTrouble('lost', 1, new RegExp(`POST /v1/subscriptions/${payment.subscription}$`))
    expect(await act(payment, 'pause')).toBe(200)
    expect((await look(payment)).status).toBe('active')
    at.app.clock.advance(10)
    await at.app.service.worker.drain()
    expect((await look(payment)).status).toBe('paused')
    expect(await act(payment, 'pause')).toBe(409)
  })
  it('409 before the first payment, while a charge has failed, and once it is cancelled', async () => {
    const [waiting, failed, ending] = [await bought(at), await begun(at, 1), await begun(at, 1)]
    expect(await act(waiting, 'pause')).toBe(409)
    await subscribe(at, waiting)
    expect(await act(waiting, 'pause')).toBe(409)
    await becomes(at, failed.subscription, 'past_due')
    expect(await act(failed, 'pause')).toBe(409)
    expect(await act(ending, 'cancel', { at: 'period_end' })).toBe(200)
    expect(await act(ending, 'pause')).toBe(409)
    await becomes(at, ending.subscription, 'canceled')
    expect(await act(ending, 'pause')).toBe(409)
    expect((await at.buyer.post(`${subscriptionPath(failed)}/pause`)).status).toBe(403)
  })
  it('200, and follows the end, when it has ended at Stripe meanwhile', async () => {
    const payment = await begun(at, 1)
    Object.assign(atStripe(payment) ?? {}, { status: 'canceled' })
    expect(await act(payment, 'pause')).toBe(200)
    expect(await look(payment)).toMatchObject({ status: 'canceled', order_status: 'cancelled' })
  })
})

describe('POST /orders/{id}/subscription/resume', () => {
  it('200: the next charge is that of the next interval while the present one is paid', async () => {
    const payment = await begun(at, 1)
    await act(payment, 'pause')
    expect(await act(payment, 'resume')).toBe(200)
    expect(atStripe(payment)?.pause_collection).toBe(null)
    expect(await look(payment)).toMatchObject({ status: 'active' })
    expect(chargesOf(payment)).toEqual(['paid'])
    expect((await entitlementOf(payment)).renews).toBe(true)
    await sendEvent(at, 'invoice.paid', at.stripe.renew(payment.subscription))
    expect(await invoicesOf(payment)).toEqual(['paid', 'paid'])
    expect(await act(payment, 'resume')).toBe(409)
  })
  it('200: charges a new interval at once where the present one was not charged, and once when an answer is lost', async () => {
    const payment = await overSince(20)
    await act(payment, 'pause')
    await expire(at)
    expect((await entitlementOf(payment)).status).toBe('expired')
    at.stripe.renew(payment.subscription)
    at.stripe.getIntoTrouble('lost', 2, new RegExp(`POST /v1/subscriptions/${payment.subscription}$`))
    expect(await act(payment, 'resume')).toBe(200)
    for (let times = 0; times < 3; times++) {
      at.app.clock.advance(60)
      await at.app.service.worker.drain()
    }
    expect(chargesOf(payment)).toEqual(['paid', 'void', 'paid'])
    const latest = at.stripe.invoices.get(atStripe(payment)?.latest_invoice ?? '')
    await sendEvent(at, 'invoice.paid', latest ?? {})
    const end = new Date((latest?.lines.data[0]?.period?.end ?? 0) * 1000)
    expect(end.getTime()).toBeGreaterThan(Date.now() + 27 * DAY_MS)
    expect(await entitlementOf(payment)).toMatchObject({ status: 'active', expires_at: end.toISOString() })
    const next = at.stripe.renew(payment.subscription)
    expect(next.lines.data[0]?.period?.start).toBe(end.getTime() / 1000)
  })
  it('409 for one that was cancelled in the pause: no new interval is charged', async () => {
    const payment = await begun(at, 1)
    await act(payment, 'pause')
    at.stripe.renew(payment.subscription)
    expect(await act(payment, 'cancel', { at: 'period_end' })).toBe(200)
    expect(await look(payment)).toMatchObject({ status: 'paused', ends_at: expect.any(String) })
    expect(await act(payment, 'resume')).toBe(409)
    expect(chargesOf(payment)).toEqual(['paid', 'void'])
  })
  it('200, and a dead letter for one that Stripe has paused in its own way', async () => {
    const payment = await begun(at, 1)
    await becomes(at, payment.subscription, 'paused')
    expect(await look(payment)).toMatchObject({ status: 'paused' })
    expect(await act(payment, 'resume')).toBe(200)
    expect((await deadLetters(at.app)).at(-1)?.last_error).toContain('can be resumed only there')
    expect((await look(payment)).status).toBe('paused')
  })
})

describe('a pause in the dashboard of Stripe', () => {
  it.each(['void', 'keep_as_draft', 'mark_uncollectible'])('is followed, as is its end: %s', async (behavior) => {
    const payment = await begun(at, 1)
    const subscription = Object.assign(atStripe(payment) ?? {}, { pause_collection: { behavior } })
    for (let times = 0; times < 2; times++) await sendEvent(at, 'customer.subscription.updated', subscription)
    expect(await look(payment)).toMatchObject({ status: 'paused', order_status: 'completed' })
    expect((await entitlementOf(payment)).renews).toBe(false)
    await sendEvent(at, 'customer.subscription.updated', Object.assign(subscription, { pause_collection: null }))
    expect(await look(payment)).toMatchObject({ status: 'active', order_status: 'completed' })
    expect((await entitlementOf(payment)).renews).toBe(true)
  })
  it('does not hide that it has ended, and an open charge that is paid in it counts', async () => {
    const payment = await begun(at, 1)
    const open = at.stripe.failRenewal(payment.subscription)
    await sendEvent(at, 'invoice.payment_failed', open)
    await becomes(at, payment.subscription, 'past_due')
    const paused = Object.assign(atStripe(payment) ?? {}, { pause_collection: { behavior: 'void' } })
    await sendEvent(at, 'customer.subscription.updated', paused)
    expect((await look(payment)).status).toBe('paused')
    await sendEvent(at, 'invoice.paid', at.stripe.pay(open.id))
    expect(await invoicesOf(payment)).toEqual(['paid', 'paid'])
    await becomes(at, payment.subscription, 'canceled')
    expect(await look(payment)).toMatchObject({ status: 'canceled', order_status: 'cancelled' })
  })
})
