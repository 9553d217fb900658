// The payment port's contract, on each adapter over real HTTP: the sandbox against its provider, Stripe against a stand-in.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BadSignature, PaymentRefused, type PaymentEvent, type Payments } from '#ports/payments.ts'
import { until } from '#test/harness/until.ts'
import { checkoutRequest, localWorld, pay, WEBHOOK_SECRET } from '../sandbox/payments/local-world.ts'
import { stripeLibrary } from './library.ts'
import { stripeStandIn } from '#test/stand-ins/stripe/stripe.ts'
import { stripePayments } from './stripe.ts'

/** What a test does in the provider's and the customer's place. */
type Provider = {
  payments: Payments
  webhookSecret: string
  payFor: (checkoutUrl: string, reference: string) => Promise<void>
  confirmRefund: (reference: string) => Promise<void>
  close: () => Promise<void>
}

async function sandbox(): Promise<Provider> {
  const world = await localWorld()
  return {
    payments: world.payments,
    webhookSecret: WEBHOOK_SECRET,
    payFor: async (checkoutUrl) => void (await pay(checkoutUrl, 'paid')),
    // It does so by itself.
    confirmRefund: async (reference) =>
      void (await until(() => world.received.some(({ body }) => body.includes(reference)))),
    close: () => world[Symbol.asyncDispose](),
  }
}

async function stripe(): Promise<Provider> {
  const standIn = await stripeStandIn()
  const { url, secretKey, webhookSecret } = standIn
  const webhookSecrets = ['whsec_older', webhookSecret]
  const account = { company: 'br', url, secretKey, webhookSecrets, livemode: false }
  return {
    payments: stripePayments({ ...account, methods: ['card', 'boleto', 'pix'] }),
    webhookSecret,
    payFor: async (_, reference) => void standIn.pay(reference),
    confirmRefund: async (reference) =>
      void Object.assign(standIn.refunds.get(reference) ?? {}, { status: 'succeeded' }),
    close: standIn.close,
  }
}

describe.each([
  ['sandbox', sandbox],
  ['Stripe', stripe],
])('payments on %s', (_name, open) => {
  let provider: Provider
  let payments: Payments
  beforeEach(async () => {
    provider = await open()
    payments = provider.payments
  })
  afterEach(() => provider.close())

  async function paidCheckout(changes: Parameters<typeof checkoutRequest>[0] = {}) {
    const checkout = await payments.openCheckout(checkoutRequest(changes))
    await provider.payFor(checkout.checkoutUrl, checkout.reference)
    return checkout
  }
  function signed(event: object, options: { secret?: string; timestamp?: number } = {}): () => PaymentEvent {
    const payload = JSON.stringify({ id: 'evt_1', object: 'event', created: 1_760_000_000, livemode: false, ...event })
    const header = { payload, secret: provider.webhookSecret, ...options }
    const headers = { 'stripe-signature': stripeLibrary().webhooks.generateTestHeaderString(header) }
    return () => payments.readEvent(headers, Buffer.from(payload), new Date())
  }

  it('opens a checkout once per key: repeated, and at once', async () => {
    const first = await payments.openCheckout(checkoutRequest())
    expect(first).toEqual({
      reference: expect.stringMatching(/^in_/),
      customer: expect.stringMatching(/^cus_/),
      checkoutUrl: expect.stringMatching(/^http/),
    })
    expect(await payments.openCheckout(checkoutRequest())).toEqual(first)
    const { customer } = first
    expect(await payments.openCheckout(checkoutRequest({ customer, organizationName: 'New' }))).toEqual(first)
    const again = await Promise.all([1, 2, 3].map(() => payments.openCheckout(checkoutRequest({ customer }))))
    expect(again).toEqual([first, first, first])
    const other = await payments.openCheckout(checkoutRequest({ idempotencyKey: 'invoice 13 checkout', invoiceId: 13 }))
    expect(other).toMatchObject({ customer })
    expect(other.reference).not.toBe(first.reference)
  })

  it.each([
    ['an amount with too many digits', { amount: '150.505' }],
    ['no amount', { amount: '0.00' }],
    ['a currency that is none', { currency: 'R$' }],
    ['a customer that there is not', { customer: 'cus_000000000000000000000000' }],
  ])('refuses %s', async (_what, changes) => {
    await expect(payments.openCheckout(checkoutRequest(changes))).rejects.toThrow(PaymentRefused)
  })

  it.each([
    ['BRL', '150.50', '150.50'],
    ['JPY', '1500', '1500'],
    ['ISK', '500', '500'],
    ['KWD', '1.5', '1.500'],
  ])('asks for and reads %s %s', async (currency, amount, seen) => {
    const lines = [{ description: 'All of it', quantity: 3, unitPrice: '1', total: amount }]
    const { reference, customer } = await paidCheckout({ currency, amount, lines })
    expect(await payments.look('invoice', reference)).toEqual({
      resource: 'invoice',
      reference,
      status: 'paid',
      amount: seen,
      currency,
      customer,
      method: 'card',
      paidAt: expect.stringMatching(/^20\d\d-.*Z$/),
      subscription: null,
    })
  })

  it('closes: unpayable, again a success, refused once it is paid or where there is none', async () => {
    const { reference } = await payments.openCheckout(checkoutRequest())
    expect(await payments.look('invoice', reference)).toMatchObject({ status: 'open', amount: '0.00', paidAt: null })
    await payments.closeCheckout(reference, 'close 1')
    await payments.closeCheckout(reference, 'close 1')
    await payments.closeCheckout(reference, 'close 2')
    expect(await payments.look('invoice', reference)).toMatchObject({ status: 'void' })
    const paid = await paidCheckout({ idempotencyKey: 'another' })
    await expect(payments.closeCheckout(paid.reference, 'close 3')).rejects.toThrow(PaymentRefused)
    await expect(payments.closeCheckout('in_none', 'close 4')).rejects.toThrow(PaymentRefused)
  })

  it('refunds in part, then the rest, once per key, never more', async () => {
    const { reference } = await paidCheckout()
    const request = { idempotencyKey: 'refund 3', refundId: 3, amount: '50.00', currency: 'BRL', reference }
    const part = await payments.refund(request)
    expect(part).toEqual({ reference: expect.stringMatching(/^re_/), status: 'processing' })
    expect(await payments.refund(request)).toEqual(part)
    await expect(payments.refund({ ...request, amount: '51.00' })).rejects.toThrow(PaymentRefused)
    await expect(payments.refund({ ...request, idempotencyKey: 'b', amount: '100.51' })).rejects.toThrow(PaymentRefused)
    const rest = await payments.refund({ ...request, idempotencyKey: 'refund 4', refundId: 4, amount: '100.50' })
    await provider.confirmRefund(rest.reference)
    expect(await payments.look('refund', rest.reference)).toEqual({
      resource: 'refund',
      reference: rest.reference,
      status: 'succeeded',
      amount: '100.50',
      currency: 'BRL',
    })
    const unpaid = await payments.openCheckout(checkoutRequest({ idempotencyKey: 'open' }))
    await expect(payments.refund({ ...request, idempotencyKey: 'c', reference: unpaid.reference })).rejects.toThrow(
      PaymentRefused,
    )
  })

  it('refuses to look at what there is not', async () => {
    for (const resource of ['invoice', 'refund', 'subscription'] as const)
      await expect(payments.look(resource, 'in_none')).rejects.toThrow(PaymentRefused)
  })

  it('opens a subscription once per key, starts it with its first payment, and cancels it', async () => {
    const { organizationId, organizationName, organizationEmail, organizationCnpj } = checkoutRequest()
    const organization = { organizationId, organizationName, organizationEmail, organizationCnpj, customer: null }
    const money = { amount: '150.00', currency: 'BRL', interval: 'month' as const }
    const request = { idempotencyKey: 'order 9', orderId: 9, orderNumber: 'O-9', ...organization, ...money }
    const opened = await payments.openSubscription(request)
    expect(opened).toMatchObject({ reference: expect.stringMatching(/^sub_/), status: 'incomplete' })
    expect(await payments.openSubscription(request)).toEqual(opened)
    const invoice = /in_\w+$/.exec(opened.checkoutUrl ?? '')?.[0] ?? ''
    await provider.payFor(opened.checkoutUrl ?? '', invoice)
    const { reference, customer } = opened
    expect(await payments.look('invoice', invoice)).toMatchObject({ status: 'paid', subscription: reference })
    const state = { resource: 'subscription', reference, customer, paidInvoices: [invoice] }
    expect(await payments.look('subscription', reference)).toEqual({ ...state, status: 'active' })
    await payments.cancelSubscription(reference)
    await payments.cancelSubscription(reference)
    expect(await payments.look('subscription', reference)).toEqual({ ...state, status: 'canceled' })
    await expect(payments.cancelSubscription('sub_none')).rejects.toThrow(PaymentRefused)
  })

  it.each<[string, object, object]>([
    ['invoice.voided', { id: 'in_1' }, { kind: 'voided', reference: 'in_1', subscription: null }],
    ['invoice.marked_uncollectible', { id: 'in_1' }, { kind: 'uncollectible', reference: 'in_1' }],
    [
      'invoice.payment_failed',
      { id: 'in_1', parent: { subscription_details: { subscription: 'sub_1' } } },
      { kind: 'payment_failed', reference: 'in_1', subscription: 'sub_1' },
    ],
    [
      'customer.subscription.updated',
      { id: 'sub_1', status: 'past_due' },
      { kind: 'subscription', reference: 'sub_1', status: 'past_due' },
    ],
    [
      'customer.subscription.deleted',
      { id: 'sub_1', status: 'canceled' },
      { kind: 'subscription', reference: 'sub_1', status: 'canceled' },
    ],
    [
      'refund.failed',
      { id: 're_1', amount: 150, currency: 'brl', status: 'failed' },
      { kind: 'refund', reference: 're_1', status: 'failed', amount: '1.50', currency: 'BRL' },
    ],
    [
      'charge.dispute.created',
      { id: 'du_1', amount: 150, currency: 'brl', reason: 'fraudulent', charge: 'ch_1', payment_intent: 'pi_1' },
      { kind: 'dispute', reference: 'du_1', payment: 'pi_1', amount: '1.50', currency: 'BRL', reason: 'fraudulent' },
    ],
    ['invoice.payment_succeeded', { id: 'in_1' }, { kind: 'ignored' }],
    ['invoice.overdue', { id: 'in_1' }, { kind: 'ignored' }],
    ['charge.refunded', { id: 'ch_1' }, { kind: 'ignored' }],
    ['something.new', {}, { kind: 'ignored' }],
  ])('reads %s', (type, object, read) => {
    expect(signed({ type, data: { object } })()).toMatchObject({ dedupeKey: 'evt_1', providerType: type, ...read })
  })

  it('refuses events that are forged, of the other mode, 301 seconds old or 301 seconds early', () => {
    const event = { type: 'something.new', data: { object: {} } }
    const now = Math.floor(Date.now() / 1000)
    expect(signed(event, { timestamp: now - 290 })()).toMatchObject({ kind: 'ignored' })
    expect(signed(event, { timestamp: now + 290 })()).toMatchObject({ kind: 'ignored' })
    expect(signed(event, { secret: 'whsec_older' })()).toMatchObject({ kind: 'ignored' })
    expect(signed(event, { secret: 'whsec_none' })).toThrow(BadSignature)
    expect(signed(event, { timestamp: now - 302 })).toThrow(BadSignature)
    expect(signed(event, { timestamp: now + 302 })).toThrow(BadSignature)
    expect(signed({ ...event, livemode: true })).toThrow(BadSignature)
  })
})

describe('the signature', () => {
  it('is the documented one: HMAC-SHA256 of time, point and raw body with the secret as it stands', () => {
    const payload = '{"id":"evt_test_1","object":"event","type":"invoice.paid"}'
    const v1 = 'dbfff5393c0e4bff794b3e45b0f2f248a02cec3610f9d59af31e83f9a27390d5'
    const given = { payload, secret: 'whsec_test_secret', timestamp: 1_760_000_000 }
    expect(stripeLibrary().webhooks.generateTestHeaderString(given)).toBe(`t=1760000000,v1=${v1}`)
    const { payments } = { payments: stripePayments({ ...NOBODY, webhookSecrets: ['whsec_test_secret'] }) }
    const read = (signature: string) => () =>
      payments.readEvent({ 'stripe-signature': signature }, Buffer.from(payload), new Date(1_760_000_100_000))
    // Signed rightly, and then refused because the body has no mode, time and object.
    expect(read(`t=1760000000,v1=${v1}`)).toThrow('not in a shape')
    expect(read(`t=1760000000,v1=00,v1=${v1}`)).toThrow('not in a shape')
    expect(read(`t=1760000000,v0=${v1}`)).toThrow('No secret made this signature')
    expect(read(`t=1760000001,v1=${v1}`)).toThrow('No secret made this signature')
  })
})

const NOBODY = { company: 'br', secretKey: 'sk_test_x', methods: ['card'], livemode: false, url: 'http://127.0.0.1:9' }
