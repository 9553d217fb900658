// Another quantity or price of an order that the payment provider charges, with Stripe's stand-in.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deadLetters } from '#test/scenes/commerce.ts'
import { MONTHLY, SETUP } from '#test/scenes/own-billing.ts'
import { bought, type Bought, type StripeScene, sendEvent, stripeScene } from '#test/scenes/stripe.ts'
import { becomes, subscribe, subscriptionPath } from '#test/scenes/subscriptions.ts'
import { mailsTo } from '#test/harness/mailbox.ts'

let at: StripeScene
beforeAll(async () => void (at = await stripeScene()))
afterAll(() => at.close())

/** 2 × 50.00 a month and 5 % tax, the first month of which is paid. */
async function begun(): Promise<Bought> {
  const payment = await bought(at, { line_items: [MONTHLY] })
  const reference = await subscribe(at, payment)
  await sendEvent(at, 'invoice.paid', at.stripe.pay(at.stripe.subscriptions.get(reference)?.latest_invoice ?? ''))
  await becomes(at, reference, 'active')
  const [{ entitlement_code: code, ...line }] = (await at.buyer.get(`/orders/${payment.order_id}`)).data.items
  expect(line.quantity).toBe(2)
  return { ...payment, subscription: reference, code }
}

async function change(payment: Bought, line: object) {
  const body = { line_items: [{ entitlement_code: payment.code, ...line }] }
  const answer = await at.acme.staff.patch(subscriptionPath(payment), body)
  await at.app.service.worker.drain()
  return answer
}
const look = async (payment: Bought) => (await at.buyer.get(subscriptionPath(payment))).data
const priceOf = ({ subscription }: Bought) =>
  at.stripe.subscriptions.get(subscription)?.items.data.map(({ price }) => price.unit_amount)
const billed = async ({ order_id }: Bought) =>
  (await at.buyer.get(`/invoices/order/${order_id}`)).data
    .toReversed()
    .map((one: { total: string; line_items: { quantity: number }[] }) => `${one.line_items[0]?.quantity}: ${one.total}`)
const quantityOf = async ({ order_id }: Bought) => {
  const [{ id }] = (await at.buyer.get(`/orders/${order_id}`)).data.entitlements
  return (await at.buyer.get(`/entitlements/${id}`)).data.quantity
}
/** The charge of an interval that begins now. */
function charge({ subscription }: Bought) {
  at.app.clock.advance(10)
  const invoice = at.stripe.renew(subscription)
  const start = Math.floor(at.app.clock.now.getTime() / 1000)
  for (const line of invoice.lines.data) line.period = { start, end: start + 30 * 86_400 }
  return invoice
}
const paid = async (payment: Bought) => sendEvent(at, 'invoice.paid', charge(payment))

describe('PATCH /orders/{id}/subscription of what the provider charges', () => {
  it('200: Stripe charges it from the next interval on, and the quantity comes with its payment', async () => {
    const payment = await begun()
    const { status, data } = await change(payment, { quantity: 8, unit_price: '45.00' })
    expect([status, data.amount]).toEqual([200, '378.00'])
    expect(data.line_items).toMatchObject([{ quantity: 8, unit_price: '45.00' }])
    expect(priceOf(payment)).toEqual([37_800])
    expect([await quantityOf(payment), await billed(payment)]).toEqual([2, ['2: 105.00']])
    await paid(payment)
    expect([await quantityOf(payment), await billed(payment)]).toEqual([8, ['2: 105.00', '8: 378.00']])
  })
  it('200: a charge from before it is billed as it was agreed then, however late it is reported', async () => {
    const payment = await begun()
    const late = charge(payment)
    await change(payment, { quantity: 8 })
    const next = charge(payment)
    await change(payment, { quantity: 5 })
    await sendEvent(at, 'invoice.paid', next)
    expect(await quantityOf(payment)).toBe(8)
    await sendEvent(at, 'invoice.paid', late)
    expect(await quantityOf(payment)).toBe(8)
    await paid(payment)
    expect([await quantityOf(payment), await billed(payment)]).toEqual([
      5,
      ['2: 105.00', '2: 105.00', '8: 420.00', '5: 262.50'],
    ])
  })
  it('200: of two plans with one amount, a charge is of the one that had begun by its period', async () => {
    const payment = await begun()
    await change(payment, { quantity: 1, unit_price: '100.00' })
    expect((await look(payment)).amount).toBe('105.00')
    await paid(payment)
    expect([await quantityOf(payment), await billed(payment)]).toEqual([1, ['2: 105.00', '1: 105.00']])
  })
  it('200 while Stripe gives no answer: the last one is what is charged in the end', async () => {
    const payment = await begun()
    at.stripe.getIntoTrouble('lost', 2, new RegExp(`POST /v1/subscriptions/${payment.subscription}$`))
    await change(payment, { quantity: 8 })
    await change(payment, { quantity: 3 })
    for (let times = 0; times < 3; times++) {
      at.app.clock.advance(60)
      await at.app.service.worker.drain()
    }
    expect(priceOf(payment)).toEqual([15_750])
    await paid(payment)
    expect(await billed(payment)).toEqual(['2: 105.00', '3: 157.50'])
  })
  it('200 in a pause; the charge that resumes it is the new one', async () => {
    const payment = await begun()
    const act = async (name: string) => {
      expect((await at.acme.staff.post(`${subscriptionPath(payment)}/${name}`)).status).toBe(200)
      await at.app.service.worker.drain()
    }
    await act('pause')
    expect((await change(payment, { quantity: 4 })).data.status).toBe('paused')
    at.stripe.renew(payment.subscription)
    await act('resume')
    const { latest_invoice = '' } = at.stripe.subscriptions.get(payment.subscription) ?? {}
    await sendEvent(at, 'invoice.paid', at.stripe.invoices.get(latest_invoice) ?? {})
    expect(await billed(payment)).toEqual(['2: 105.00', '4: 210.00'])
  })
  it('an amount that was never agreed is a dead letter', async () => {
    const payment = await begun()
    await change(payment, { quantity: 8 })
    await sendEvent(at, 'invoice.paid', Object.assign(at.stripe.renew(payment.subscription), { amount_paid: 41_999 }))
    expect((await deadLetters(at.app)).at(-1)?.last_error).toContain('is of 419.99 BRL instead of 420.00 BRL')
    expect(await billed(payment)).toEqual(['2: 105.00'])
  })
  it('a charge that fails is mailed with what it asks for, and not with the plan after it', async () => {
    const payment = await begun()
    const failed = at.stripe.failRenewal(payment.subscription)
    await change(payment, { quantity: 8 })
    await sendEvent(at, 'invoice.payment_failed', failed)
    const mail = (await mailsTo(at.app, at.buyer.email)).find(({ text }) =>
      text.includes(failed.hosted_invoice_url ?? '-'),
    )
    expect(mail?.text).toMatch(/105[.,]00/)
    await sendEvent(at, 'invoice.paid', at.stripe.pay(failed.id))
    expect(await billed(payment)).toEqual(['2: 105.00', '2: 105.00'])
  })
  it('409 before it has begun, while a charge has failed, once it is cancelled, and where staff gave an amount', async () => {
    const waiting = await bought(at, { line_items: [MONTHLY] })
    await subscribe(at, waiting)
    const whole = await bought(at, { line_items: [SETUP] })
    await at.acme.staff.post(subscriptionPath(whole), { interval: 'month', amount: '10.00' })
    await at.app.service.worker.drain()
    await becomes(at, (await look(whole)).reference, 'active')
    const [failed, ending] = [await begun(), await begun()]
    await becomes(at, failed.subscription, 'past_due')
    await at.acme.staff.post(`${subscriptionPath(ending)}/cancel`, { at: 'period_end' })
    await at.app.service.worker.drain()
    for (const payment of [waiting, whole, failed, ending])
      expect((await change({ code: 'PLG-1', ...payment }, { quantity: 3 })).status).toBe(409)
  })
  it('422 for lines that add up to nothing; a dead letter where Stripe charges for more than was asked for', async () => {
    const payment = await begun()
    const { status, errors } = await change(payment, { unit_price: '0.00' })
    expect([status, Object.keys(errors?.fields ?? {})]).toEqual([422, ['line_items']])
    const { items } = at.stripe.subscriptions.get(payment.subscription) ?? { items: { data: [] } }
    Object.assign(items, { data: [items.data[0], items.data[0]] })
    expect((await change(payment, { quantity: 3 })).status).toBe(200)
    expect((await deadLetters(at.app)).at(-1)?.last_error).toContain('charges for more than was asked for')
  })
})
