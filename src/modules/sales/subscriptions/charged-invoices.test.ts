// Invoices of orders that Stripe's stand-in charges automatically: the first, renewals once, payments that do not match.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deadLetters, sentQuote } from '#test/scenes/commerce.ts'
import { type Bought, type StripeScene, stripeScene, sendEvent } from '#test/scenes/stripe.ts'
import { becomes, firstPaid, requested, subscriptionPath } from '#test/scenes/subscriptions.ts'
import { until } from '#test/harness/until.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'

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
const invoicesOf = async ({ order_id }: Bought): Promise<Answer['data'][]> =>
  (await buyer.get(`/invoices/order/${order_id}`)).data

describe('an invoice of a subscription', () => {
  it('that is the first pays the open invoice of the order, and closes its checkout', async () => {
    const payment = await requested(at)
    await firstPaid(at, payment)
    expect(await invoicesOf(payment)).toMatchObject([{ id: payment.invoice_id, status: 'paid', origin: 'order' }])
    expect((await buyer.get(`/quotes/${payment.quote_id}`)).data.status).toBe('fulfilled')
    expect(at.stripe.invoices.get(payment.reference)).toMatchObject({ status: 'void' })
  })
  it('that renews it becomes one invoice of ours, numbered and paid, however often and by which event it is reported', async () => {
    const payment = await requested(at)
    await firstPaid(at, payment)
    for (let month = 1; month <= 2; month++) {
      const renewal = at.stripe.renew(payment.subscription)
      for (let times = 0; times < 3; times++) await sendEvent(at, 'invoice.paid', renewal)
    }
    // The events of the third and fourth are lost; that of the subscription leads to them.
    at.stripe.renew(payment.subscription)
    const { id: latest } = at.stripe.renew(payment.subscription)
    await becomes(at, payment.subscription, 'active')
    const invoices = await invoicesOf(payment)
    expect(invoices.map(({ status, origin, total }) => `${status} ${origin} ${total}`)).toEqual([
      ...Array.from({ length: 4 }, () => 'paid subscription 150.00'),
      'paid order 150.00',
    ])
    expect(new Set(invoices.map(({ number }) => number)).size).toBe(5)
    expect(invoices[0]?.payment_invoice_id).toBe(latest)
    expect((await orderOf(payment)).entitlements).toHaveLength(1)
  })
  it('of another amount than the order’s has one line, and leaves the order’s own invoice open', async () => {
    const payment = await requested(at, { interval: 'month', amount: '12.34' })
    await firstPaid(at, payment)
    expect(await invoicesOf(payment)).toMatchObject([
      { status: 'paid', total: '12.34', line_items: [{ quantity: 1, unit_price: '12.34', total: '12.34' }] },
      { status: 'open', total: '150.00' },
    ])
  })
  it('pays the order, though a checkout was being opened at the same time', async () => {
    const id = await sentQuote(acme)
    const { order_id } = (await buyer.post(`/quotes/${id}/accept`)).data
    await acme.staff.post(`/orders/${order_id}/subscription`, { interval: 'month' })
    const from = at.stripe.asked.length
    at.stripe.getIntoTrouble('late', 1, /add_lines$/)
    const opening = at.app.service.worker.drain()
    await until(() => at.stripe.asked.slice(from).some(({ path }) => path.endsWith('add_lines')))
    // All other jobs run in the meantime, also those that wait for one that runs now.
    const others: Promise<void>[] = []
    const workOn = () => others.push(at.app.service.worker.drain())
    const made = () => [...at.stripe.subscriptions.values()].find((one) => one.metadata['order_id'] === `${order_id}`)
    await until(() => workOn() && made() !== undefined)
    const { id: reference = '', latest_invoice = '' } = made() ?? {}
    await until(async () => workOn() && (await buyer.get(subscriptionPath({ order_id }))).data.reference === reference)
    // Paid at Stripe while the checkout is being created there; the event's job waits for the checkout's job.
    const paying = firstPaid(at, { subscription: reference })
    at.stripe.letGo()
    await Promise.all([opening, ...others, paying])
    const [invoice] = await invoicesOf({ order_id })
    expect(invoice).toMatchObject({ status: 'paid', payment_invoice_id: latest_invoice, link: null })
    const checkouts = [...at.stripe.invoices.values()].filter((one) => one.metadata['order_id'] === String(order_id))
    expect(checkouts).toMatchObject([{ status: 'void' }])
  })
  it('of an order that was cancelled since is recorded, and a dead letter asks staff to refund it', async () => {
    const payment = await requested(at)
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
  ])('of another %s becomes a dead letter', async (_what, change, why) => {
    const payment = await requested(at)
    await firstPaid(at, payment)
    await sendEvent(at, 'invoice.paid', Object.assign(at.stripe.renew(payment.subscription), change))
    expect((await deadLetters(at.app)).at(-1)?.last_error).toContain(why)
    expect(await invoicesOf(payment)).toHaveLength(1)
  })
})
