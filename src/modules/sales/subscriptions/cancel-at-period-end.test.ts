// POST /orders/{id}/subscription/cancel with `at`: a subscription that ends with the period that is paid.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bought, sendEvent, type StripeScene, stripeScene } from '#test/scenes/stripe.ts'
import { becomes, begun, subscribe, subscriptionPath } from '#test/scenes/subscriptions.ts'

let at: StripeScene
beforeAll(async () => void (at = await stripeScene()))
afterAll(() => at.close())

const AT_END = { at: 'period_end' }

describe('POST /orders/{id}/subscription/cancel at the end of the period', () => {
  it('200: it goes on until then, then the order is cancelled and the entitlements end with the period', async () => {
    const payment = await begun(at, 12)
    const path = subscriptionPath(payment)
    expect((await at.acme.staff.post(`${path}/cancel`, AT_END)).status).toBe(200)
    await at.app.service.worker.drain()
    const [{ period_end }] = (await at.buyer.get(`/invoices/order/${payment.order_id}`)).data
    const ending = { status: 'active', order_status: 'completed', ends_at: period_end }
    expect((await at.buyer.get(path)).data).toMatchObject(ending)
    expect(at.stripe.subscriptions.get(payment.subscription)).toMatchObject({ cancel_at_period_end: true })
    const entitlement = async () => (await at.buyer.get(`/entitlements/${payment.entitlement_id}`)).data
    expect((await entitlement()).expires_at).not.toBe(period_end)
    await becomes(at, payment.subscription, 'canceled')
    expect((await at.buyer.get(path)).data).toMatchObject({ status: 'canceled', order_status: 'cancelled' })
    expect(await entitlement()).toMatchObject({ status: 'active', expires_at: period_end })
  })
  it('409 again, and once it has ended; 200 at once in between', async () => {
    const payment = await begun(at, 12)
    const cancel = `${subscriptionPath(payment)}/cancel`
    await at.acme.staff.post(cancel, AT_END)
    await at.app.service.worker.drain()
    const again = await at.acme.staff.post(cancel, AT_END)
    expect([again.status, again.errors?.code]).toEqual([409, 'CONFLICT'])
    expect((await at.acme.staff.post(cancel, { at: 'now' })).status).toBe(200)
    await at.app.service.worker.drain()
    expect(at.stripe.subscriptions.get(payment.subscription)?.status).toBe('canceled')
    expect((await at.buyer.get(subscriptionPath(payment))).data.status).toBe('canceled')
    expect((await at.acme.staff.post(cancel, AT_END)).status).toBe(409)
  })
  it('200 taken back: the provider goes on charging', async () => {
    const payment = await begun(at, 12)
    const cancel = `${subscriptionPath(payment)}/cancel`
    await at.acme.staff.post(cancel, AT_END)
    await at.app.service.worker.drain()
    expect((await at.acme.staff.delete(cancel)).status).toBe(200)
    await at.app.service.worker.drain()
    expect(at.stripe.subscriptions.get(payment.subscription)).toMatchObject({ cancel_at_period_end: false })
    expect((await at.buyer.get(subscriptionPath(payment))).data).toMatchObject({ status: 'active', ends_at: null })
    expect((await at.acme.staff.delete(cancel)).status).toBe(409)
  })
  it('200 twice at once, and it ends once', async () => {
    const payment = await begun(at, 12)
    const cancel = `${subscriptionPath(payment)}/cancel`
    const answers = await Promise.all([1, 2].map(() => at.acme.staff.post(cancel, AT_END)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    await at.app.service.worker.drain()
    expect((await at.buyer.get(subscriptionPath(payment))).data).toMatchObject({
      status: 'active',
      ends_at: expect.any(String),
    })
  })
  it('200 and it ends at once when nothing was paid yet', async () => {
    const [asked, unpaid] = [await bought(at), await bought(at)]
    await at.acme.staff.post(subscriptionPath(asked), { interval: 'month' })
    const answer = await at.acme.staff.post(`${subscriptionPath(asked)}/cancel`, AT_END)
    expect(answer.data).toMatchObject({ status: 'canceled', ends_at: null })
    const reference = await subscribe(at, unpaid)
    await at.acme.staff.post(`${subscriptionPath(unpaid)}/cancel`, AT_END)
    await at.app.service.worker.drain()
    expect(at.stripe.subscriptions.get(reference)?.status).toBe('canceled')
  })
  it('403 for a customer after the vendor, also before the provider has answered; both see who it was', async () => {
    const payment = await begun(at, 12)
    const path = subscriptionPath(payment)
    expect((await at.acme.staff.post(`${path}/cancel`, { ...AT_END, reason: 'Fraud' })).status).toBe(200)
    expect((await at.buyer.post(`${path}/cancel`)).errors?.reason).toBe('no_self_service')
    await at.app.service.worker.drain()
    expect((await at.buyer.delete(`${path}/cancel`)).errors?.reason).toBe('no_self_service')
    expect((await at.buyer.get(path)).data).toMatchObject({ cancelled_by: 'vendor', cancel_reason: 'Fraud' })
  })
  it('422 for another time, 404 for another organization', async () => {
    const cancel = `${subscriptionPath(await begun(at, 12))}/cancel`
    const wrong = await at.acme.staff.post(cancel, { at: 'tomorrow' })
    expect([wrong.status, Object.keys(wrong.errors?.fields ?? {})]).toEqual([422, ['at']])
    const other = await at.app.world.organization()
    expect((await other.staff.post(cancel, AT_END)).status).toBe(404)
  })
})

it('that was asked for, or taken back, at Stripe is shown', async () => {
  const payment = await begun(at, 12)
  const subscription = at.stripe.subscriptions.get(payment.subscription) ?? {}
  const endsAt = async () => (await at.buyer.get(subscriptionPath(payment))).data.ends_at
  for (const [cancel_at, shown] of [
    [1_830_000_000, '2027-12-28T13:20:00.000Z'],
    [null, null],
  ]) {
    await sendEvent(at, 'customer.subscription.updated', Object.assign(subscription, { cancel_at }))
    expect(await endsAt()).toBe(shown)
  }
})
