// A trial of an order that the payment provider charges afterwards, with Stripe's stand-in.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deadLetters } from '#test/scenes/commerce.ts'
import { MONTHLY, SETUP } from '#test/scenes/own-billing.ts'
import { bought, type Bought, type StripeScene, sendEvent, stripeScene } from '#test/scenes/stripe.ts'
import { becomes, subscriptionPath } from '#test/scenes/subscriptions.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import { until } from '#test/harness/until.ts'

let at: StripeScene
beforeAll(async () => void (at = await stripeScene()))
afterAll(() => at.close())

const DAY_MS = 86_400_000

const ask = (payment: Bought, trial_days = 14) => at.acme.staff.post(subscriptionPath(payment), { trial_days })
const look = async (payment: Bought) => (await at.buyer.get(subscriptionPath(payment))).data
const orderOf = async ({ order_id }: Bought) => (await at.buyer.get(`/orders/${order_id}`)).data
const invoicesOf = async ({ order_id }: Bought) => (await at.buyer.get(`/invoices/order/${order_id}`)).data
const entitlementOf = async (payment: Bought) => {
  const [{ id }] = (await orderOf(payment)).entitlements
  return (await at.buyer.get(`/entitlements/${id}`)).data
}
const atStripe = ({ subscription }: Bought) => at.stripe.subscriptions.get(subscription)

async function tried(): Promise<Bought> {
  const payment = await bought(at, { line_items: [MONTHLY] })
  expect((await ask(payment)).status).toBe(201)
  await at.app.service.worker.drain()
  return { ...payment, subscription: (await look(payment)).reference }
}

/** What Stripe does at the end of the trial, which is over here too, or not yet by its clock. */
async function charged(payment: Bought, outcome: 'paid' | 'failed') {
  const invoice = (outcome === 'paid' ? at.stripe.renew : at.stripe.failRenewal)(payment.subscription)
  await sendEvent(at, outcome === 'paid' ? 'invoice.paid' : 'invoice.payment_failed', invoice)
  await sendEvent(at, 'customer.subscription.updated', atStripe(payment) ?? {})
  return invoice
}

describe('POST /orders/{id}/subscription with trial_days', () => {
  it('201: is delivered once Stripe has agreed, to the end of the trial, and the invoice becomes void', async () => {
    const payment = await bought(at, { line_items: [MONTHLY] })
    expect((await ask(payment)).data).toMatchObject({ status: 'requested', order_status: 'pending' })
    at.stripe.getIntoTrouble('lost', 1, /subscriptions$/)
    await at.app.service.worker.drain()
    expect((await invoicesOf(payment))[0].status).toBe('open')
    at.app.clock.advance(10)
    await at.app.service.worker.drain()
    const { reference, trial_ends_at: end, ...rest } = await look(payment)
    expect(rest).toMatchObject({ status: 'trialing', order_status: 'completed', checkout_url: null })
    expect(end).toBe(new Date((at.stripe.subscriptions.get(reference)?.trial_end ?? 0) * 1000).toISOString())
    expect(Math.abs(Date.parse(end) - Date.now() - 14 * DAY_MS)).toBeLessThan(600_000)
    expect(await entitlementOf(payment)).toMatchObject({ status: 'active', expires_at: end, renews: true })
    expect((await invoicesOf(payment)).map((one: { status: string }) => one.status)).toEqual(['void'])
    expect(at.stripe.invoices.get(payment.reference)?.status).toBe('void')
    expect((await orderOf(payment)).date_paid).toBe(null)
  })
  it('201: Stripe’s invoice of 0 is none of ours, and no dead letter', async () => {
    const payment = await tried()
    const before = (await deadLetters(at.app)).length
    const first = at.stripe.invoices.get(atStripe(payment)?.latest_invoice ?? '')
    for (let times = 0; times < 2; times++) await sendEvent(at, 'invoice.paid', first ?? {})
    await sendEvent(at, 'customer.subscription.created', atStripe(payment) ?? {})
    expect((await invoicesOf(payment)).map((one: { status: string }) => one.status)).toEqual(['void'])
    expect((await deadLetters(at.app)).length).toBe(before)
  })
  it('409 for a paid order and for lines that are billed once; nothing is asked of Stripe', async () => {
    const [paid, mixed] = [await bought(at, { line_items: [MONTHLY] }), await bought(at, { line_items: [SETUP] })]
    await sendEvent(at, 'invoice.paid', at.stripe.pay(paid.reference))
    const body = { trial_days: 3, collection_method: 'charge_automatically', interval: 'month' }
    const asked = await at.acme.staff.post(subscriptionPath(mixed), body)
    expect([asked.status, (await ask(paid)).status]).toEqual([409, 409])
    const { errors } = await at.acme.staff.post(subscriptionPath(mixed), { ...body, trial_days: 731 })
    expect(Object.keys(errors?.fields ?? {})).toEqual(['trial_days'])
  })
  it('is given up when the order is paid while Stripe is asked: nobody is charged twice', async () => {
    const payment = await bought(at, { line_items: [MONTHLY] })
    at.stripe.getIntoTrouble('late', 1, /products$/)
    const from = at.stripe.asked.length
    await ask(payment)
    const asking = at.app.service.worker.drain()
    await until(() => at.stripe.asked.slice(from).some(({ path }) => path === '/v1/products'))
    expect((await at.acme.staff.post(`/invoices/${payment.invoice_id}/pay`)).status).toBe(200)
    at.stripe.letGo()
    await asking
    await at.app.service.worker.drain()
    const made = [...at.stripe.subscriptions.values()].filter(
      (one) => one.metadata['order_id'] === String(payment.order_id),
    )
    expect(made).toMatchObject([{ status: 'canceled' }])
    expect(await look(payment)).toMatchObject({ status: 'canceled', order_status: 'completed' })
    expect((await invoicesOf(payment))[0].status).toBe('paid')
  })
})

describe('the end of a trial', () => {
  it('begins the first period when the charge succeeds, which pays the order', async () => {
    const payment = await tried()
    const { trial_ends_at: end } = await look(payment)
    const { lines } = await charged(payment, 'paid')
    const period_end = new Date((lines.data[0]?.period?.end ?? 0) * 1000).toISOString()
    expect(await look(payment)).toMatchObject({ status: 'active', order_status: 'completed' })
    expect(await invoicesOf(payment)).toMatchObject([
      { status: 'paid', origin: 'subscription', total: '105.00', period_start: end, period_end },
      { status: 'void', origin: 'order' },
    ])
    expect(await entitlementOf(payment)).toMatchObject({ status: 'active', expires_at: period_end, renews: true })
    expect((await orderOf(payment)).date_paid).not.toBe(null)
  })
  it('ends what was delivered when the charge fails; the mail has the page, and its payment brings it back', async () => {
    const payment = await tried()
    const failed = await charged(payment, 'failed')
    const { trial_ends_at: end, checkout_url } = await look(payment)
    expect(checkout_url).toBe(failed.hosted_invoice_url)
    const mails = await mailsTo(at.app, at.buyer.email)
    expect(mails.filter(({ text }) => text.includes(checkout_url))).toHaveLength(1)
    expect(await entitlementOf(payment)).toMatchObject({ expires_at: end, renews: false })
    await sendEvent(at, 'invoice.paid', at.stripe.pay(failed.id))
    await becomes(at, payment.subscription, 'active')
    const [{ period_end }] = await invoicesOf(payment)
    expect(await entitlementOf(payment)).toMatchObject({ status: 'active', expires_at: period_end, renews: true })
    expect(await look(payment)).toMatchObject({ status: 'active', order_status: 'completed' })
  })
  it('is the end of all when it was cancelled for then, or at once', async () => {
    const [later, now] = [await tried(), await tried()]
    for (const [payment, when] of [
      [later, 'period_end'],
      [now, 'now'],
    ] as const) {
      const { status } = await at.acme.staff.post(`${subscriptionPath(payment)}/cancel`, { at: when })
      expect(status).toBe(200)
    }
    await at.app.service.worker.drain()
    const { ends_at, trial_ends_at } = await look(later)
    expect(ends_at).toBe(trial_ends_at)
    expect(await entitlementOf(later)).toMatchObject({ status: 'active', expires_at: trial_ends_at, renews: false })
    expect(await look(now)).toMatchObject({ status: 'canceled', order_status: 'cancelled' })
    expect((await entitlementOf(now)).status).toBe('cancelled')
  })
  it('charges nothing in a pause, and at once after it', async () => {
    const payment = await tried()
    const act = async (name: 'pause' | 'resume') => {
      expect((await at.acme.staff.post(`${subscriptionPath(payment)}/${name}`)).status).toBe(200)
      await at.app.service.worker.drain()
      return (await look(payment)).status
    }
    expect([await act('pause'), await act('resume'), await act('pause')]).toEqual(['paused', 'trialing', 'paused'])
    expect((await entitlementOf(payment)).renews).toBe(false)
    expect(at.stripe.renew(payment.subscription).status).toBe('void')
    expect(await act('resume')).toBe('active')
    const paid = at.stripe.invoices.get(atStripe(payment)?.latest_invoice ?? '')
    expect(paid?.status).toBe('paid')
    await sendEvent(at, 'invoice.paid', paid ?? {})
    const [{ period_end }] = await invoicesOf(payment)
    expect(await entitlementOf(payment)).toMatchObject({ expires_at: period_end, renews: true })
  })
})
