// Events and reports with a valid signature and characters that the database cannot store: stored byte by byte, cleaned
// when read, settled like others.
import { Stripe } from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deadLetters } from '#test/scenes/commerce.ts'
import { bought, refunded, type StripeScene, stripeScene } from '#test/scenes/stripe.ts'

let at: StripeScene
beforeAll(async () => void (at = await stripeScene()))
afterAll(() => at.close())

const HOSTILE = [
  ['NUL', 'no\0money'],
  ['half a character', 'no\ud800money'],
  ['other controls', 'no\u0001\u007f\u2028money'],
  ['far too much', '🚀'.repeat(5000)],
] as const

/** Sends an event, and gives its stored row. */
async function sent(type: string, object: object): Promise<{ status: number; isWhole: boolean; isSigned: boolean }> {
  const { body, headers } = at.stripe.event(type, object, at.app.clock.now)
  const { status } = await at.app.world.anonymous.post('/webhooks/payment/entity_br', body, headers)
  await at.app.service.worker.drain()
  const [stored] = await at.app.database.query<{ body: Buffer }>(
    'select body from provider_events order by id desc limit 1',
  )
  const bytes = stored?.body ?? Buffer.alloc(0)
  const { webhookSecret } = at.stripe
  const signature = headers['stripe-signature']
  const read = () =>
    Stripe.webhooks.constructEvent(bytes, signature, webhookSecret, undefined, undefined, at.app.clock.now.getTime())
  return { status, isWhole: bytes.equals(Buffer.from(body)), isSigned: read().type === type }
}

const KEPT = { status: 200, isWhole: true, isSigned: true }
const eventOf = async () =>
  (
    await at.app.database.query<{ event: Record<string, unknown> }>(
      'select event from provider_events order by id desc limit 1',
    )
  )[0]?.event

describe.each(HOSTILE)('%s', (_what, text) => {
  it('in a payment: the quote is paid and fulfilled', async () => {
    const payment = await bought(at)
    const invoice = at.stripe.pay(payment.reference, text)
    const settings = {
      payment_settings: { payment_method_types: [text] },
      description: text,
      metadata: { [text]: text },
    }
    expect(await sent('invoice.paid', { ...invoice, ...settings })).toEqual(KEPT)
    expect((await at.buyer.get(`/quotes/${payment.quote_id}`)).data.status).toBe('fulfilled')
    const { payment_method } = (await at.buyer.get(`/invoices/${payment.invoice_id}`)).data
    expect(payment_method.isWellFormed() && !payment_method.includes('\0')).toBe(true)
    expect((await at.buyer.get('/orders')).status).toBe(200)
  })
  it('in a failure, a dispute, a refund: recorded', async () => {
    const payment = await bought(at)
    const failed = { id: payment.reference, parent: null, last_payment_error: { message: text } }
    expect(await sent('invoice.payment_failed', failed)).toEqual(KEPT)
    expect((await at.buyer.get(`/quotes/${payment.quote_id}/payment`)).data.status).toBe('failed')
    expect(await sent('charge.dispute.created', { id: 'du_1', amount: 1, currency: 'brl', reason: text })).toEqual(KEPT)
    expect((await eventOf())?.['reason']).toMatch(/^(no.+money|🚀{250})$/u)
    expect((await deadLetters(at.app)).at(-1)?.last_error).toMatch(/No such dispute: 'du_1'/)
    at.stripe.pay(payment.reference)
    const { id, object } = await refunded(at, payment, '10.00')
    expect(await sent('refund.updated', { ...object, status: 'succeeded', failure_reason: text })).toEqual(KEPT)
    expect((await at.acme.staff.get(`/refunds/${id}`)).data.status).toBe('succeeded')
  })
})

describe('an event whose type is the name of a property of every object', () => {
  it.each(['__proto__', 'constructor'])('%s: 200, stored and ignored', async (type) => {
    const payment = await bought(at)
    const waiting = () => at.app.database.query(`select id from jobs where kind = 'payments/handle-event' order by id`)
    const before = await waiting()
    const content = { kind: 'paid', reference: payment.reference, amount: payment.amount, currency: 'BRL' }
    expect((await sent(type, content)).status).toBe(200)
    expect(await eventOf()).toMatchObject({ kind: 'ignored', providerType: type })
    expect(await waiting()).toEqual(before)
  })
})
