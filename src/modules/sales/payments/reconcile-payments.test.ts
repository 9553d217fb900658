// Lost events: the provider is asked about references that are open for too long.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deadLetters } from '#test/scenes/commerce.ts'
import {
  bought,
  type Bought,
  refunded,
  statesOf,
  type StripeScene,
  stripeScene,
  subscribed,
} from '#test/scenes/stripe.ts'
import type { Speaker } from '#test/harness/world.ts'

let at: StripeScene
let buyer: Speaker

beforeAll(async () => {
  at = await stripeScene()
  buyer = at.buyer
})
afterAll(() => at.close())
beforeEach(() => at.stripe.recover())

const later = async (minutes: number) => {
  at.app.clock.advance(minutes * 60)
  await at.app.database.query(`update jobs set run_at = $1 where kind = 'payments/reconcile'`, [at.app.clock.now])
  await at.app.service.worker.drain()
}
const statusOf = async ({ invoice_id }: Bought) => (await buyer.get(`/invoices/${invoice_id}`)).data.status

describe('an event that never came', () => {
  beforeAll(async () => {
    await at.app.database.query(
      `insert into jobs (kind, every_seconds, run_at) values ('payments/reconcile', 300, '2999-01-01')`,
    )
  })

  it('is found by a request after a while, for payments, refunds and subscriptions', async () => {
    const payment = await bought(at)
    await subscribed(at, payment)
    at.stripe.pay(payment.reference)
    await later(30)
    expect(await statusOf(payment)).toBe('open')
    await later(45)
    expect(await statesOf(at, payment, 0)).toMatchObject({
      quote: 'fulfilled',
      order: 'completed',
      subscription: 'active',
    })
    const { id } = await refunded(at, payment, '10.00')
    await later(75)
    expect(await statesOf(at, payment, id)).toMatchObject({ refund: { status: 'succeeded' } })
  })

  it('is requested again when Stripe gives no answer, and a failing one does not hold up others', async () => {
    const payments = [await bought(at), await bought(at), await bought(at)]
    for (const { reference } of payments) at.stripe.pay(reference)
    at.stripe.getIntoTrouble('500', 1000, new RegExp(String(payments[1].reference)))
    for (let times = 0; times < 6; times++) await later(61)
    expect(await Promise.all(payments.map(statusOf))).toEqual(['paid', 'open', 'paid'])
    at.stripe.recover()
    for (let times = 0; times < 6; times++) await later(61)
    expect(await Promise.all(payments.map(statusOf))).toEqual(['paid', 'paid', 'paid'])
  })

  it('makes one dead letter of a payment that does not match, and is not requested once the record is settled', async () => {
    const payment = await bought(at)
    Object.assign(at.stripe.pay(payment.reference), { currency: 'usd' })
    const before = (await deadLetters(at.app)).length
    for (let times = 0; times < 4; times++) await later(24 * 60)
    expect(await deadLetters(at.app)).toHaveLength(before + 1)
    const watched = await at.app.database.query<{ resource_id: number }>(
      `select p.resource_id from payment_references p join invoices i on p.resource = 'invoice' and i.id = p.resource_id
        where p.check_after is not null and i.status = 'paid'`,
    )
    expect(watched).toEqual([])
  })
})
