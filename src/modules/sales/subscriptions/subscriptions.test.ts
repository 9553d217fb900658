// Orders that are charged automatically, with Stripe's stand-in: how it begins, each status, and how it ends.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deadLetters } from '#test/scenes/commerce.ts'
import { bought, type Bought, type StripeScene, stripeScene, sendEvent } from '#test/scenes/stripe.ts'
import { becomes, firstPaid, requested, subscriptionPath } from '#test/scenes/subscriptions.ts'
import { until } from '#test/harness/until.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'
import { ORDER_STATUS } from './subscription.ts'

let at: StripeScene
let acme: Organization
let buyer: Speaker

beforeAll(async () => {
  at = await stripeScene()
  acme = at.acme
  buyer = at.buyer
})
afterAll(() => at.close())

const orderOf = async ({ order_id }: Bought) => (await buyer.get(`/orders/${order_id}`)).data

describe('POST /orders/{id}/subscription', () => {
  it('201 and a job opens it, once; the order waits for its first payment', async () => {
    const payment = await bought(at)
    const { status, data } = await acme.staff.post(subscriptionPath(payment), { interval: 'year', amount: '1200' })
    expect(status).toBe(201)
    expect(data).toMatchObject({ status: 'requested', interval: 'year', amount: '1200.00', checkout_url: null })
    await at.app.service.worker.drain()
    const { data: opened } = await buyer.get(subscriptionPath(payment))
    expect(opened).toMatchObject({ status: 'incomplete', order_status: 'on-hold' })
    expect(opened.checkout_url).toMatch(/^http/)
    expect(at.stripe.subscriptions.get(opened.reference)).toMatchObject({
      currency: 'brl',
      metadata: { order_id: String(payment.order_id), organization_id: String(acme.id) },
      items: { data: [{ price: { unit_amount: 120_000, recurring: { interval: 'year' } } }] },
    })
  })
  it('201 and one subscription at Stripe, also when an answer is lost', async () => {
    const payment = await bought(at)
    at.stripe.getIntoTrouble('lost', 1, /subscriptions$/)
    await acme.staff.post(subscriptionPath(payment), { interval: 'month' })
    await at.app.service.worker.drain()
    expect((await buyer.get(subscriptionPath(payment))).data.status).toBe('requested')
    at.app.clock.advance(10)
    await at.app.service.worker.drain()
    expect((await buyer.get(subscriptionPath(payment))).data.status).toBe('incomplete')
    const mine = [...at.stripe.subscriptions.values()].filter(
      ({ metadata }) => metadata['order_id'] === String(payment.order_id),
    )
    expect(mine).toHaveLength(1)
  })
  it('409 while there is one, also for two at once, and for a cancelled order; 201 after it has ended', async () => {
    const payment = await bought(at)
    const [one, other] = await Promise.all(
      [1, 2].map(() => acme.staff.post(subscriptionPath(payment), { interval: 'month' })),
    )
    expect(new Set([one?.status, other?.status])).toEqual(new Set([201, 409]))
    await at.app.service.worker.drain()
    const { reference } = (await buyer.get(subscriptionPath(payment))).data
    await becomes(at, reference, 'incomplete_expired')
    expect((await acme.staff.post(subscriptionPath(payment), { interval: 'month' })).status).toBe(409)
    const again = await bought(at)
    await acme.staff.post(subscriptionPath(again), { interval: 'month' })
    expect((await acme.staff.post(`${subscriptionPath(again)}/cancel`)).data.status).toBe('canceled')
    expect((await acme.staff.post(subscriptionPath(again), { interval: 'month' })).status).toBe(201)
  })
  it('422 for an amount of 0 or with too many digits and without an interval; 403 for customers; 404 for another organization', async () => {
    const payment = await bought(at)
    const path = subscriptionPath(payment)
    const fieldsOf = async (body: object) => Object.keys((await acme.staff.post(path, body)).errors?.fields ?? {})
    expect(await fieldsOf({ interval: 'month', amount: '0' })).toEqual(['amount'])
    expect(await fieldsOf({ interval: 'month', amount: '1.005' })).toEqual(['amount'])
    expect(await fieldsOf({ interval: 'week' })).toEqual(['interval'])
    expect(await fieldsOf({})).toEqual(['interval'])
    expect((await buyer.post(path, { interval: 'month' })).status).toBe(403)
    const other = await at.app.world.organization()
    expect((await other.staff.post(path, { interval: 'month' })).status).toBe(404)
    expect((await buyer.get(path)).status).toBe(404)
  })
})

describe('the status at the provider', () => {
  it.each(Object.entries(ORDER_STATUS))('%s makes a pending order %s', async (status, expected) => {
    const payment = await requested(at)
    if (status === 'incomplete') await becomes(at, payment.subscription, 'trialing')
    await becomes(at, payment.subscription, status)
    expect((await orderOf(payment)).status).toBe(expected)
    expect((await buyer.get(subscriptionPath(payment))).data).toMatchObject({ status, order_status: expected })
  })
  it('fails and completes an order repeatedly, and finally cancels a completed one', async () => {
    const payment = await requested(at)
    await firstPaid(at, payment)
    for (const [status, expected] of [
      ['past_due', 'failed'],
      ['active', 'completed'],
      ['unpaid', 'failed'],
      ['active', 'completed'],
      ['canceled', 'cancelled'],
    ] as const) {
      await becomes(at, payment.subscription, status)
      expect((await orderOf(payment)).status, status).toBe(expected)
    }
    expect((await buyer.get(subscriptionPath(payment))).data.status).toBe('canceled')
  })
  it('that is unknown is stored, moves nothing, and becomes a dead letter', async () => {
    const payment = await requested(at)
    await firstPaid(at, payment)
    await becomes(at, payment.subscription, 'hibernating')
    expect((await buyer.get(subscriptionPath(payment))).data.status).toBe('hibernating')
    expect((await orderOf(payment)).status).toBe('completed')
    expect((await deadLetters(at.app)).at(-1)?.last_error).toContain('its subscription is "hibernating"')
  })
  it('does not undo a change by staff while it stays the same', async () => {
    const payment = await requested(at)
    await firstPaid(at, payment)
    await acme.staff.post(`/orders/${payment.order_id}/status`, { status: 'failed' })
    await becomes(at, payment.subscription, 'active')
    expect((await orderOf(payment)).status).toBe('failed')
  })
})

describe('POST /orders/{id}/subscription/cancel', () => {
  it('200 and it ends at Stripe; 409 again and without one', async () => {
    const payment = await requested(at)
    await firstPaid(at, payment)
    const path = `${subscriptionPath(payment)}/cancel`
    expect((await acme.staff.post(path)).status).toBe(200)
    await at.app.service.worker.drain()
    expect(at.stripe.subscriptions.get(payment.subscription)?.status).toBe('canceled')
    expect((await buyer.get(subscriptionPath(payment))).data.status).toBe('canceled')
    expect((await acme.staff.post(path)).status).toBe(409)
    expect((await acme.staff.post(`${subscriptionPath(await bought(at))}/cancel`)).status).toBe(409)
    expect((await acme.staff.post('/orders/99999999/subscription/cancel')).status).toBe(404)
    const without = await buyer.get(subscriptionPath(await bought(at)))
    expect([without.status, without.message]).toEqual([404, 'The order has no subscription'])
  })
  it('is not needed when the order is cancelled, also before Stripe has answered', async () => {
    const payment = await requested(at)
    await acme.staff.post(`/orders/${payment.order_id}/cancel`)
    await at.app.service.worker.drain()
    expect(at.stripe.subscriptions.get(payment.subscription)?.status).toBe('canceled')
    const [early, late]: Bought[] = [await bought(at), await bought(at)]
    for (const one of [early, late]) await acme.staff.post(subscriptionPath(one), { interval: 'month' })
    await acme.staff.post(`/orders/${early.order_id}/cancel`)
    at.stripe.getIntoTrouble('late', 1, /products$/)
    const from = at.stripe.asked.length
    const working = at.app.service.worker.drain()
    await until(() => at.stripe.asked.slice(from).some(({ path }) => path === '/v1/products'))
    expect((await acme.staff.post(`${subscriptionPath(late)}/cancel`)).data.status).toBe('canceled')
    at.stripe.letGo()
    await working
    at.app.clock.advance(10)
    await at.app.service.worker.drain()
    const idsOf = new Set([early, late].map(({ order_id }) => String(order_id)))
    const made = [...at.stripe.subscriptions.values()].filter(({ metadata }) => idsOf.has(metadata['order_id'] ?? ''))
    expect(made).toMatchObject([{ status: 'canceled', metadata: { order_id: String(late.order_id) } }])
    expect((await buyer.get(subscriptionPath(late))).data).toMatchObject({ status: 'canceled', reference: null })
    // Stripe's events about it cause no dead letter.
    for (const one of made) await sendEvent(at, 'customer.subscription.deleted', one)
    const failing = `select last_error from jobs where kind like 'webhooks/%' and last_error is not null`
    expect(await at.app.database.query(failing)).toEqual([])
  })
})
