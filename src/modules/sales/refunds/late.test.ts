// Refunds when events come late, twice or not at all, with Stripe's stand-in.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deadLetters, withdrawnCredit } from '#test/scenes/commerce.ts'
import { bought, type Bought, type StripeScene, stripeScene, sendEvent } from '#test/scenes/stripe.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

let at: StripeScene
let acme: Organization
let buyer: Speaker

beforeAll(async () => {
  at = await stripeScene()
  acme = at.acme
  buyer = at.buyer
})
afterAll(() => at.close())
beforeEach(() => at.stripe.recover())

const drain = () => at.app.service.worker.drain()
const orderOf = async ({ order_id }: Bought) => (await buyer.get(`/orders/${order_id}`)).data
const invoiceOf = async ({ invoice_id }: Bought) => (await buyer.get(`/invoices/${invoice_id}`)).data
const refundOf = async (id: number) => (await buyer.get(`/refunds/${id}`)).data
const refundsOf = async ({ order_id }: Bought) => (await buyer.get(`/refunds?order_id=${order_id}`)).data
const ask = (payment: Bought, body: object = {}, who = buyer) => who.post(`/orders/${payment.order_id}/refund`, body)
const settle = (id: number) => acme.staff.post(`/refunds/${id}/settle`)
const lastDeadLetter = async () => (await deadLetters(at.app)).at(-1)?.last_error

/** Runs the job that asks about references without an event. */
async function later(minutes: number): Promise<void> {
  at.app.clock.advance(minutes * 60)
  await at.app.database.query(`update jobs set run_at = $1 where kind = 'payments/reconcile'`, [at.app.clock.now])
  await drain()
}

/** Paid at Stripe, and provisioned. */
async function completed(): Promise<Bought> {
  const payment = await bought(at)
  await sendEvent(at, 'invoice.paid', at.stripe.pay(payment.reference))
  expect((await orderOf(payment)).status).toBe('completed')
  return payment
}

async function approved(payment: Bought, amount?: string): Promise<number> {
  const { data } = await ask(payment, amount === undefined ? {} : { amount })
  await acme.staff.post(`/refunds/${data.refund_id}/approve`)
  return data.refund_id
}

/** Stripe changes the refund and sends the event. */
async function becomes(id: number, status: string): Promise<void> {
  const { provider_reference } = await refundOf(id)
  const object = Object.assign(at.stripe.refunds.get(provider_reference) ?? {}, { status })
  await sendEvent(at, 'refund.updated', { ...object })
}

describe('a refund', () => {
  it('is sent once, also when its answer was lost and Stripe’s idempotency keys have expired', async () => {
    const payment = await completed()
    at.stripe.getIntoTrouble('lost', 1, /POST .*refunds$/)
    const id = await approved(payment, '40.00')
    await drain()
    expect((await refundOf(id)).provider_reference).toBeNull()
    at.stripe.forgetKeys()
    at.app.clock.advance(10)
    await drain()
    const mine = [...at.stripe.refunds.values()].filter(({ metadata }) => metadata['refund_id'] === String(id))
    expect(mine.map(({ amount }) => amount)).toEqual([4000])
    expect((await refundOf(id)).provider_reference).toBe(mine[0]?.id)
  })
  it('that fails after it had succeeded is a dead letter: the customer does not have the money', async () => {
    const payment = await completed()
    const id = await approved(payment, '40.00')
    await drain()
    await becomes(id, 'succeeded')
    expect((await refundOf(id)).status).toBe('succeeded')
    await becomes(id, 'failed')
    expect((await refundOf(id)).status).toBe('succeeded')
    expect(await lastDeadLetter()).toContain(`refund ${id} had succeeded`)
  })
  it('that failed first and then succeeded counts', async () => {
    const payment = await completed()
    const id = await approved(payment, '10.00')
    await drain()
    await becomes(id, 'failed')
    expect(await refundOf(id)).toMatchObject({ status: 'failed' })
    await becomes(id, 'succeeded')
    expect(await refundOf(id)).toMatchObject({ status: 'succeeded', failure_reason: null })
    expect(await invoiceOf(payment)).toMatchObject({ amount_refunded: '10.00', amount_credited: '10.00' })
  })
  it('that failed first and then succeeded is a dead letter when all has been refunded otherwise', async () => {
    const payment = await completed()
    const id = await approved(payment, '10.00')
    await drain()
    await becomes(id, 'failed')
    const whole = await approved(payment)
    await drain()
    await becomes(whole, 'succeeded')
    await becomes(id, 'succeeded')
    expect(await lastDeadLetter()).toContain('more was refunded than was paid')
    expect(await invoiceOf(payment)).toMatchObject({ amount_refunded: '150.00', amount_credited: '150.00' })
  })
  it.each([
    ['amount', { amount: 1100 }, 'speaks of 11.00 BRL'],
    ['currency', { currency: 'usd' }, 'speaks of 10.00 USD'],
  ])('that has another %s at the provider is a dead letter', async (_what, change, why) => {
    const payment = await completed()
    const id = await approved(payment, '10.00')
    await drain()
    Object.assign(at.stripe.refunds.get((await refundOf(id)).provider_reference) ?? {}, change)
    await becomes(id, 'succeeded')
    expect(await lastDeadLetter()).toContain(why)
    expect((await refundOf(id)).status).toBe('processing')
    expect(await invoiceOf(payment)).toMatchObject({ amount_refunded: '0.00', credit_note_ids: [] })
  })
  it('that the provider refuses can be settled by hand after a bank transfer, once', async () => {
    const payment = await completed()
    const pix = at.stripe.invoices.get(payment.reference)?.payments.data[0]?.payment.payment_intent ?? ''
    at.stripe.intents.delete(pix)
    const [id, other] = [await approved(payment, '100.00'), await approved(payment, '50.00')]
    expect((await settle(id)).status).toBe(409)
    await drain()
    expect((await refundOf(id)).status).toBe('failed')
    // Requested and refused a second time.
    expect((await ask(payment, { amount: '60.00' })).status).toBe(200)
    expect((await settle(id)).status).toBe(409)
    await drain()
    const answers = await Promise.all([settle(id), settle(id), settle(other)])
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '200', '409'])
    expect(await refundOf(id)).toMatchObject({ status: 'succeeded', failure_reason: null })
    const all = { amount_refunded: '150.00', amount_credited: '150.00', payment_status: 'refunded' }
    expect(await invoiceOf(payment)).toMatchObject(all)
    expect((await orderOf(payment)).status).toBe('refunded')
  })
  it('of a cancelled order can be requested again after it failed, by staff only', async () => {
    const payment = await bought(at)
    // Paid, but not provisioned yet, so that the customer can still cancel.
    await at.app.database.query(`update orders set status = 'processing', quote_id = null where id = $1`, [
      payment.order_id,
    ])
    await sendEvent(at, 'invoice.paid', at.stripe.pay(payment.reference))
    expect((await buyer.post(`/orders/${payment.order_id}/cancel`)).status).toBe(200)
    expect((await ask(payment, {}, acme.staff)).status).toBe(409)
    const [first] = await refundsOf(payment)
    await acme.staff.post(`/refunds/${first.id}/approve`)
    await drain()
    await becomes(first.id, 'failed')
    expect((await ask(payment)).status).toBe(409)
    expect((await ask(payment, { amount: '150.01' }, acme.staff)).status).toBe(422)
    const again = await ask(payment, {}, acme.staff)
    expect(again).toMatchObject({ status: 200, data: { amount: '150.00', status: 'processing' } })
    expect((await ask(payment, {}, acme.staff)).status).toBe(409)
  })
})

describe('a payment that came twice, by hand and at Stripe', () => {
  it('is found though its event was lost, and goes to the credit balance; neither is requested again', async () => {
    await at.app.database.query(
      `insert into jobs (kind, every_seconds, run_at) values ('payments/reconcile', 300, '2999-01-01')`,
    )
    const [twice, once] = [await bought(at), await bought(at)]
    at.stripe.pay(twice.reference)
    at.app.clock.advance(60)
    for (const { invoice_id } of [twice, once])
      expect((await acme.staff.post(`/invoices/${invoice_id}/pay`, {})).status).toBe(200)
    await drain()
    const before = (await deadLetters(at.app)).length
    for (let times = 0; times < 3; times++) await later(61)
    expect(await deadLetters(at.app)).toHaveLength(before)
    expect(await withdrawnCredit(acme)).toBe('150.00')
    const watched = 'select check_after is not null as is_watched from payment_references where reference = $1'
    for (const { reference } of [twice, once])
      expect(await at.app.database.query(watched, [reference])).toEqual([{ is_watched: false }])
  })
})
