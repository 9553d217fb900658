// Orders that are charged automatically, over Stripe's stand-in: each state, renewals once, what does not agree.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deadLetters, sentQuote } from '#test/scenes/commerce.ts'
import { bought, type Bought, type StripeScene, stripeScene, sendEvent } from '#test/scenes/stripe.ts'
import { until } from '#test/harness/until.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'
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

const pathOf = ({ order_id }: Bought) => `/orders/${order_id}/subscription`
const orderOf = async ({ order_id }: Bought) => (await buyer.get(`/orders/${order_id}`)).data
const invoicesOf = async ({ order_id }: Bought): Promise<Answer['data'][]> =>
  (await buyer.get(`/invoices/order/${order_id}`)).data

/** Bought, and charged automatically from now on. */
async function begun(body: object = { interval: 'month' }): Promise<Bought> {
  const payment = await bought(at)
  expect((await acme.staff.post(pathOf(payment), body)).status).toBe(201)
  await at.app.service.worker.drain()
  return { ...payment, subscription: (await buyer.get(pathOf(payment))).data.reference }
}

/** Stripe moves it there, and says so. */
async function becomes(reference: string, status: string): Promise<void> {
  const subscription = Object.assign(at.stripe.subscriptions.get(reference) ?? {}, { status })
  await sendEvent(at, `customer.subscription.${status === 'canceled' ? 'deleted' : 'updated'}`, { ...subscription })
}

/** The customer pays the first invoice on its page, which starts it; Stripe tells of both. */
async function firstPaid({ subscription }: { subscription: string }): Promise<void> {
  const { latest_invoice = '' } = at.stripe.subscriptions.get(subscription) ?? {}
  const invoice = at.stripe.pay(latest_invoice)
  await sendEvent(at, 'invoice.paid', invoice)
  await becomes(subscription, 'active')
}

describe('POST /orders/{id}/subscription', () => {
  it('201: asked for by a job, once, and the order waits for its first payment', async () => {
    const payment = await bought(at)
    const { status, data } = await acme.staff.post(pathOf(payment), { interval: 'year', amount: '1200' })
    expect(status).toBe(201)
    expect(data).toMatchObject({ status: 'requested', interval: 'year', amount: '1200.00', checkout_url: null })
    await at.app.service.worker.drain()
    const { data: opened } = await buyer.get(pathOf(payment))
    expect(opened).toMatchObject({ status: 'incomplete', order_status: 'on-hold' })
    expect(opened.checkout_url).toMatch(/^http/)
    expect(at.stripe.subscriptions.get(opened.reference)).toMatchObject({
      currency: 'brl',
      metadata: { order_id: String(payment.order_id), organization_id: String(acme.id) },
      items: { data: [{ price: { unit_amount: 120_000, recurring: { interval: 'year' } } }] },
    })
  })
  it('201 at Stripe once, also when the answer is lost', async () => {
    const payment = await bought(at)
    at.stripe.getIntoTrouble('lost', 1, /subscriptions$/)
    await acme.staff.post(pathOf(payment), { interval: 'month' })
    await at.app.service.worker.drain()
    expect((await buyer.get(pathOf(payment))).data.status).toBe('requested')
    at.app.clock.advance(10)
    await at.app.service.worker.drain()
    expect((await buyer.get(pathOf(payment))).data.status).toBe('incomplete')
    const mine = [...at.stripe.subscriptions.values()].filter(
      ({ metadata }) => metadata['order_id'] === String(payment.order_id),
    )
    expect(mine).toHaveLength(1)
  })
  it('409 while there is one, also of two at once, and for an order that is over; then again 201', async () => {
    const payment = await bought(at)
    const [one, other] = await Promise.all([1, 2].map(() => acme.staff.post(pathOf(payment), { interval: 'month' })))
    expect(new Set([one?.status, other?.status])).toEqual(new Set([201, 409]))
    await at.app.service.worker.drain()
    const { reference } = (await buyer.get(pathOf(payment))).data
    await becomes(reference, 'incomplete_expired')
    expect((await acme.staff.post(pathOf(payment), { interval: 'month' })).status).toBe(409)
    const again = await bought(at)
    await acme.staff.post(pathOf(again), { interval: 'month' })
    expect((await acme.staff.post(`${pathOf(again)}/cancel`)).data.status).toBe('canceled')
    expect((await acme.staff.post(pathOf(again), { interval: 'month' })).status).toBe(201)
  })
  it('422 for nothing, too many digits, no interval; 403 for customers; 404 for another organization', async () => {
    const payment = await bought(at)
    const path = pathOf(payment)
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

describe('the state at the provider', () => {
  it.each(Object.entries(ORDER_STATUS))('%s makes a pending order %s', async (status, expected) => {
    const payment = await begun()
    if (status === 'incomplete') await becomes(payment.subscription, 'trialing')
    await becomes(payment.subscription, status)
    expect((await orderOf(payment)).status).toBe(expected)
    expect((await buyer.get(pathOf(payment))).data).toMatchObject({ status, order_status: expected })
  })
  it('fails and completes an order again and again, and cancels a completed one in the end', async () => {
    const payment = await begun()
    await firstPaid(payment)
    for (const [status, expected] of [
      ['past_due', 'failed'],
      ['active', 'completed'],
      ['unpaid', 'failed'],
      ['active', 'completed'],
      ['canceled', 'cancelled'],
    ] as const) {
      await becomes(payment.subscription, status)
      expect((await orderOf(payment)).status, status).toBe(expected)
    }
    expect((await buyer.get(pathOf(payment))).data.status).toBe('canceled')
  })
  it('that nobody has heard of is kept, moves nothing, and is parked for staff', async () => {
    const payment = await begun()
    await firstPaid(payment)
    await becomes(payment.subscription, 'hibernating')
    expect((await buyer.get(pathOf(payment))).data.status).toBe('hibernating')
    expect((await orderOf(payment)).status).toBe('completed')
    expect((await deadLetters(at.app)).at(-1)?.last_error).toContain('its subscription is "hibernating"')
  })
  it('does not undo what staff did while it stayed as it was', async () => {
    const payment = await begun()
    await firstPaid(payment)
    await acme.staff.put(`/orders/${payment.order_id}/status`, { status: 'failed' })
    await becomes(payment.subscription, 'active')
    expect((await orderOf(payment)).status).toBe('failed')
  })
})

describe('invoices of a subscription', () => {
  it('the first pays what the order asks for, and closes its checkout', async () => {
    const payment = await begun()
    await firstPaid(payment)
    expect(await invoicesOf(payment)).toMatchObject([{ id: payment.invoice_id, status: 'paid', origin: 'order' }])
    expect((await buyer.get(`/quotes/${payment.quote_id}`)).data.status).toBe('fulfilled')
    expect(at.stripe.invoices.get(payment.reference)).toMatchObject({ status: 'void' })
  })
  it('each renewal is one more of ours, numbered and paid, however often and by whatever news it is told', async () => {
    const payment = await begun()
    await firstPaid(payment)
    for (let month = 1; month <= 2; month++) {
      const renewal = at.stripe.renew(payment.subscription)
      for (let times = 0; times < 3; times++) await sendEvent(at, 'invoice.paid', renewal)
    }
    // The news of the third and fourth is lost; the subscription's own leads to them.
    at.stripe.renew(payment.subscription)
    const { id: latest } = at.stripe.renew(payment.subscription)
    await becomes(payment.subscription, 'active')
    const invoices = await invoicesOf(payment)
    expect(invoices.map(({ status, origin, total }) => `${status} ${origin} ${total}`)).toEqual([
      ...Array.from({ length: 4 }, () => 'paid subscription 150.00'),
      'paid order 150.00',
    ])
    expect(new Set(invoices.map(({ number }) => number)).size).toBe(5)
    expect(invoices[0]?.payment_invoice_id).toBe(latest)
    expect((await orderOf(payment)).entitlements).toHaveLength(1)
  })
  it('of another amount than the order’s has one line of it, and leaves the order’s own invoice open', async () => {
    const payment = await begun({ interval: 'month', amount: '12.34' })
    await firstPaid(payment)
    expect(await invoicesOf(payment)).toMatchObject([
      { status: 'paid', total: '12.34', line_items: [{ quantity: 1, unit_price: '12.34', total: '12.34' }] },
      { status: 'open', total: '150.00' },
    ])
  })
  it('is what the order was paid with, though a checkout was being opened at that moment', async () => {
    const id = await sentQuote(acme)
    const { order_id } = (await buyer.post(`/quotes/${id}/accept`)).data
    await acme.staff.post(`/orders/${order_id}/subscription`, { interval: 'month' })
    const from = at.stripe.asked.length
    at.stripe.getIntoTrouble('late', 1, /add_lines$/)
    const opening = at.app.service.worker.drain()
    await until(() => at.stripe.asked.slice(from).some(({ path }) => path.endsWith('add_lines')))
    // What else there is to do is done meanwhile.
    const subscribing = at.app.service.worker.drain()
    const made = () => [...at.stripe.subscriptions.values()].find((one) => one.metadata['order_id'] === `${order_id}`)
    await until(() => made() !== undefined)
    const { id: reference = '', latest_invoice = '' } = made() ?? {}
    await until(async () => (await buyer.get(pathOf({ order_id }))).data.reference === reference)
    // Paid at Stripe while the checkout is half made there; what is told of it waits for the checkout's job.
    const paying = firstPaid({ subscription: reference })
    at.stripe.letGo()
    await Promise.all([opening, subscribing, paying])
    const [invoice] = await invoicesOf({ order_id })
    expect(invoice).toMatchObject({ status: 'paid', payment_invoice_id: latest_invoice, link: null })
    const others = [...at.stripe.invoices.values()].filter((one) => one.metadata['order_id'] === String(order_id))
    expect(others).toMatchObject([{ status: 'void' }])
  })
  it('of an order that was cancelled meanwhile is kept, shown to staff, and theirs to give back', async () => {
    const payment = await begun()
    const { latest_invoice = '' } = at.stripe.subscriptions.get(payment.subscription) ?? {}
    const paid = at.stripe.pay(latest_invoice)
    await acme.staff.post(`/orders/${payment.order_id}/cancel`)
    await sendEvent(at, 'invoice.paid', paid)
    expect((await invoicesOf(payment)).map(({ status, origin }) => `${status} ${origin}`)).toEqual([
      'paid subscription',
      'void order',
    ])
    expect((await deadLetters(at.app)).at(-1)?.last_error).toContain(`order ${payment.order_id} is over`)
    const refund = (who: Speaker) => who.post(`/orders/${payment.order_id}/refund`, {})
    expect([(await refund(buyer)).status, (await refund(acme.staff)).status]).toEqual([409, 200])
  })
  it.each([
    ['amount', { amount_paid: 1 }, 'is of 0.01 BRL instead of 150.00 BRL'],
    ['currency', { currency: 'usd' }, 'is of 150.00 USD instead of 150.00 BRL'],
    ['customer', { customer: 'cus_somebody_else' }, 'who is not this organization’s'],
  ])('of another %s is parked for staff', async (_what, change, why) => {
    const payment = await begun()
    await firstPaid(payment)
    await sendEvent(at, 'invoice.paid', Object.assign(at.stripe.renew(payment.subscription), change))
    expect((await deadLetters(at.app)).at(-1)?.last_error).toContain(why)
    expect(await invoicesOf(payment)).toHaveLength(1)
  })
})

describe('POST /orders/{id}/subscription/cancel', () => {
  it('200: ended at Stripe; 409 again, 409 before there is one, 403 for customers', async () => {
    const payment = await begun()
    await firstPaid(payment)
    const path = `${pathOf(payment)}/cancel`
    expect((await buyer.post(path)).status).toBe(403)
    expect((await acme.staff.post(path)).status).toBe(200)
    await at.app.service.worker.drain()
    expect(at.stripe.subscriptions.get(payment.subscription)?.status).toBe('canceled')
    expect((await buyer.get(pathOf(payment))).data.status).toBe('canceled')
    expect((await acme.staff.post(path)).status).toBe(409)
    expect((await acme.staff.post(`${pathOf(await bought(at))}/cancel`)).status).toBe(409)
    expect((await acme.staff.post('/orders/99999999/subscription/cancel')).status).toBe(404)
    const without = await buyer.get(pathOf(await bought(at)))
    expect([without.status, without.message]).toEqual([404, 'The order has no subscription'])
  })
  it('comes by itself when the order is cancelled, also before Stripe has answered', async () => {
    const payment = await begun()
    await acme.staff.post(`/orders/${payment.order_id}/cancel`)
    await at.app.service.worker.drain()
    expect(at.stripe.subscriptions.get(payment.subscription)?.status).toBe('canceled')
    const [early, late]: Bought[] = [await bought(at), await bought(at)]
    for (const one of [early, late]) await acme.staff.post(pathOf(one), { interval: 'month' })
    await acme.staff.post(`/orders/${early.order_id}/cancel`)
    at.stripe.getIntoTrouble('late', 1, /products$/)
    const from = at.stripe.asked.length
    const working = at.app.service.worker.drain()
    await until(() => at.stripe.asked.slice(from).some(({ path }) => path === '/v1/products'))
    expect((await acme.staff.post(`${pathOf(late)}/cancel`)).data.status).toBe('canceled')
    at.stripe.letGo()
    await working
    at.app.clock.advance(10)
    await at.app.service.worker.drain()
    const idsOf = new Set([early, late].map(({ order_id }) => String(order_id)))
    const made = [...at.stripe.subscriptions.values()].filter(({ metadata }) => idsOf.has(metadata['order_id'] ?? ''))
    expect(made).toMatchObject([{ status: 'canceled', metadata: { order_id: String(late.order_id) } }])
    expect((await buyer.get(pathOf(late))).data).toMatchObject({ status: 'canceled', reference: null })
    // What Stripe says of it is nothing that staff would have to look at.
    for (const one of made) await sendEvent(at, 'customer.subscription.deleted', one)
    const failing = `select last_error from jobs where kind like 'webhooks/%' and last_error is not null`
    expect(await at.app.database.query(failing)).toEqual([])
  })
})
