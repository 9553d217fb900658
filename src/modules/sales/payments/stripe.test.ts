// Payments through Stripe, from quote to refund: events in every order, and failures of Stripe.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isDeep } from '#test/harness/seeds.ts'
import { deadLetters, sentQuote } from '#test/scenes/commerce.ts'
import {
  bought,
  refunded,
  statesOf,
  type StripeScene,
  stripeScene,
  subscribed,
  sendEvent,
} from '#test/scenes/stripe.ts'
import { until } from '#test/harness/until.ts'
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

const invoiceOf = (reference: string) => ({ ...at.stripe.invoices.get(reference) })

const permutations = <One>(all: readonly One[]): One[][] =>
  all.length === 0
    ? [[]]
    : all.flatMap((one) => permutations(all.filter((other) => other !== one)).map((rest) => [one, ...rest]))

describe('events of a payment', () => {
  it.runIf(isDeep)('end the same in all orders of paid, failed, refunded and subscription updated', async () => {
    const ends = new Map<string, string>()
    for (const order of permutations(['paid', 'failed', 'refunded', 'subscription'])) {
      const payment = await bought(at)
      const subscription = await subscribed(at, payment)
      at.stripe.pay(payment.reference, 'pix')
      const refund = await refunded(at, payment, '50.00')
      const invoice = invoiceOf(payment.reference)
      const news: Record<string, [string, object]> = {
        paid: ['invoice.paid', invoice],
        failed: ['invoice.payment_failed', { ...invoice, status: 'open' }],
        refunded: ['refund.updated', refund.object],
        subscription: ['customer.subscription.updated', { ...subscription, status: 'past_due' }],
      }
      for (const one of order) expect(await sendEvent(at, ...(news[one] ?? ['', {}]))).toBe(200)
      ends.set(order.join(), JSON.stringify(await statesOf(at, payment, refund.id)))
    }
    const end = {
      quote: 'fulfilled',
      order: 'completed',
      entitlements: ['active'],
      invoice: { status: 'paid', payment_status: 'paid' },
      refund: { status: 'succeeded' },
      subscription: 'active',
    }
    expect(ends.size).toBe(24)
    expect([...new Set(ends.values())]).toEqual([JSON.stringify(end)])
    expect(await deadLetters(at.app)).toEqual([])
  })

  it('settle once when the same one is sent fifty times at once', async () => {
    const payment = await bought(at)
    const paid = at.stripe.pay(payment.reference)
    const { body, headers } = at.stripe.event('invoice.paid', paid, at.app.clock.now)
    const post = () => at.app.world.anonymous.post('/webhooks/payment/entity_br', body, headers)
    const answers = await Promise.all(Array.from({ length: 50 }, post))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    await at.app.service.worker.drain()
    const rows = await at.app.database.query(
      `select id from events where type = 'titular/invoice/paid' and resource_id = $1`,
      [payment.invoice_id],
    )
    expect(rows).toHaveLength(1)
  })

  it('change nothing when Stripe does not confirm them', async () => {
    const payment = await bought(at)
    await sendEvent(at, 'invoice.paid', {
      ...invoiceOf(payment.reference),
      status: 'paid',
      amount_paid: 15_000,
      status_transitions: { paid_at: 1_760_000_000 },
    })
    expect((await buyer.get(`/invoices/${payment.invoice_id}`)).data.status).toBe('open')
  })

  it.each([
    ['another currency', { currency: 'usd' }, 'but 150.00 USD was paid'],
    ['another customer', { customer: 'cus_somebody_else' }, 'who is not this organization’s'],
    ['nobody, voided there', { status: 'void' }, 'was voided at the provider'],
  ])('with %s become a dead letter', async (_what, change, why) => {
    const payment = await bought(at)
    const invoice = Object.assign(at.stripe.pay(payment.reference), change)
    const before = (await deadLetters(at.app)).length
    expect(await sendEvent(at, invoice.status === 'void' ? 'invoice.voided' : 'invoice.paid', invoice)).toBe(200)
    const letters = await deadLetters(at.app)
    expect(letters).toHaveLength(before + 1)
    expect(letters.at(-1)?.last_error).toContain(why)
    expect((await buyer.get(`/invoices/${payment.invoice_id}`)).data.status).toBe('open')
  })

  it('of less than is due open a checkout for the rest, and the last part pays it', async () => {
    const payment = await bought(at)
    const look = async () => (await buyer.get(`/invoices/${payment.invoice_id}`)).data
    await sendEvent(at, 'invoice.paid', Object.assign(at.stripe.pay(payment.reference), { amount_paid: 14_000 }))
    const part = await look()
    expect(part).toMatchObject({ status: 'open', amount_paid: '140.00', amount_due: '10.00' })
    expect(part.payment_invoice_id).not.toBe(payment.reference)
    expect(at.stripe.invoices.get(part.payment_invoice_id)).toMatchObject({ status: 'open', total: 1000 })
    await sendEvent(at, 'invoice.paid', at.stripe.pay(part.payment_invoice_id))
    expect(await look()).toMatchObject({ status: 'paid', amount_paid: '150.00', amount_due: '0.00' })
    expect((await buyer.get(`/quotes/${payment.quote_id}`)).data.status).toBe('fulfilled')
  })

  it('of an uncollectible invoice make ours uncollectible', async () => {
    const payment = await bought(at)
    const invoice = Object.assign(at.stripe.invoices.get(payment.reference) ?? {}, { status: 'uncollectible' })
    await sendEvent(at, 'invoice.marked_uncollectible', invoice)
    expect((await buyer.get(`/invoices/${payment.invoice_id}`)).data.status).toBe('uncollectible')
  })
})

describe('a failure of Stripe', () => {
  it.each(['hang', '500', 'cut', 'html', 'shape', 'lost'] as const)(
    '%s: the next attempt opens one checkout',
    async (trouble) => {
      const id = await sentQuote(acme)
      at.stripe.getIntoTrouble(trouble, 1, /invoices$/)
      await buyer.post(`/quotes/${id}/accept`)
      await at.app.service.worker.drain()
      expect((await buyer.get(`/quotes/${id}/payment`)).data.checkout_url).toBeNull()
      at.app.clock.advance(10)
      await at.app.service.worker.drain()
      const { data } = await buyer.get(`/quotes/${id}/payment`)
      expect(data.checkout_url).toMatch(/^http/)
      const mine = [...at.stripe.invoices.values()].filter(
        ({ metadata }) => metadata['invoice_id'] === String(data.invoice_id),
      )
      expect(mine).toMatchObject([{ status: 'open', total: 15_000 }])
      expect(at.app.log.join('')).not.toMatch(/sk_test|whsec_/)
    },
  )

  it('late: no transaction waits for the answer, neither when opening a checkout nor when settling', async () => {
    const waiting = () =>
      at.app.database.query(
        `select pid, query from pg_stat_activity
          where datname = current_database() and state like 'idle in transaction%'`,
      )
    // Other jobs have transactions of their own at that moment, which end; one that waits for Stripe would not.
    const duringTheCall = async () => {
      const from = at.stripe.asked.length
      at.stripe.getIntoTrouble('late')
      const working = at.app.service.worker.drain()
      await until(() => at.stripe.asked.length > from)
      await until(waiting, (rows) => rows.length === 0)
      at.stripe.letGo()
      await working
    }
    const id = await sentQuote(acme)
    await buyer.post(`/quotes/${id}/accept`)
    await duringTheCall()
    const { invoice_id } = (await buyer.get(`/quotes/${id}/payment`)).data
    const { payment_invoice_id } = (await buyer.get(`/invoices/${invoice_id}`)).data
    const { body, headers } = at.stripe.event('invoice.paid', at.stripe.pay(payment_invoice_id), at.app.clock.now)
    await at.app.world.anonymous.post('/webhooks/payment/entity_br', body, headers)
    await duringTheCall()
    expect((await buyer.get(`/invoices/${invoice_id}`)).data.status).toBe('paid')
  })
})
