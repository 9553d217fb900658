// The Stripe adapter beyond the port's contract: the invoice at Stripe, crashes, Stripe's failures, and no secret in errors.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { InvalidMoney } from '#kernel/values/money.ts'
import { PaymentProviderUnavailable, PaymentRefused, type Payments } from '#ports/payments.ts'
import { checkoutRequest } from '#test/scenes/checkout-request.ts'
import { type StripeStandIn, stripeStandIn } from '#test/stand-ins/stripe.ts'
import type { Trouble } from '#test/stand-ins/stripe-troubles.ts'
import { fromStripe, toStripe } from './amounts.ts'
import { API_VERSION } from './library.ts'
import { stripePayments } from './stripe.ts'

let stripe: StripeStandIn
let payments: Payments

const at = (changes: Partial<Parameters<typeof stripePayments>[0]> = {}) =>
  stripePayments({
    company: 'entity_br',
    url: stripe.url,
    secretKey: stripe.secretKey,
    webhookSecrets: [stripe.webhookSecret],
    livemode: false,
    ...changes,
  })

beforeEach(async () => {
  stripe = await stripeStandIn()
  payments = at()
})
afterEach(() => stripe.close())

const invoices = () => [...stripe.invoices.values()]

describe('an invoice at Stripe', () => {
  it('is sent, not charged, has our lines, methods and ids, and no automatic advance', async () => {
    const { reference } = await payments.openCheckout(checkoutRequest({ organizationCnpj: '11222333000181' }))
    expect(stripe.invoices.get(reference)).toMatchObject({
      status: 'open',
      total: 15_050,
      currency: 'brl',
      payment_settings: { payment_method_types: ['card', 'boleto', 'pix'] },
      metadata: { organization_id: '7', invoice_id: '12', order_id: '11', titular_key: 'invoice 12 checkout' },
    })
    expect(invoices()[0]?.lines.data).toMatchObject([
      { amount: 10_050, description: '1 × Moodle <hosting>' },
      { amount: 5_000, description: '2 × Training' },
    ])
    const [made] = stripe.asked.filter(({ path, method }) => path === '/v1/invoices' && method === 'POST')
    expect(made?.form).toMatchObject({ collection_method: 'send_invoice', days_until_due: '7', auto_advance: 'false' })
    expect(stripe.taxIds).toMatchObject([{ customer: expect.any(String), type: 'br_cnpj', value: '11222333000181' }])
    for (const { headers } of stripe.asked) {
      expect(headers['stripe-version']).toBe(API_VERSION)
      expect(headers['x-stripe-client-telemetry']).toBeUndefined()
    }
  })
  it('is opened when Stripe refuses the CNPJ, too', async () => {
    await payments.openCheckout(checkoutRequest({ organizationCnpj: '12ABC34501DE35' }))
    expect([...stripe.customers.values()]).toMatchObject([{ name: 'Ação & Filhos', email: 'finance@example.com' }])
    expect(stripe.taxIds).toEqual([])
  })
  it('has discount and tax in its lines, and one line when there are more than Stripe takes', async () => {
    const line = { description: 'Backup', quantity: 3, unitPrice: '10.00', total: '27.17' }
    await payments.openCheckout(checkoutRequest({ amount: '27.17', lines: [line] }))
    const lines = Array.from({ length: 251 }, () => ({ ...line, total: '0.10' }))
    await payments.openCheckout(checkoutRequest({ idempotencyKey: 'many', amount: '25.10', lines }))
    expect(invoices().map(({ total, lines: { data } }) => [total, data.length])).toEqual([
      [2717, 1],
      [2510, 1],
    ])
  })
  it('is opened for a customer who has had eighty of many lines', async () => {
    const lines = Array.from({ length: 10 }, () => ({
      description: '漢'.repeat(500),
      quantity: 1,
      unitPrice: '1.00',
      total: '1.00',
    }))
    const opened = (key: number) =>
      payments.openCheckout(checkoutRequest({ idempotencyKey: `many ${key}`, amount: '10.00', lines }))
    await opened(0)
    for (let key = 1; key <= 80; key += 20)
      await Promise.all(Array.from({ length: 20 }, (_, index) => opened(key + index)))
    expect((await opened(200)).checkoutUrl).toContain('in_')
  })
  it('is not offered to the customer when Stripe would ask for another amount', async () => {
    stripe.getIntoTrouble('lost', 1, /add_lines$/)
    await expect(payments.openCheckout(checkoutRequest())).rejects.toThrow(PaymentProviderUnavailable)
    // For example by a tax rate of the account.
    for (const invoice of invoices()) invoice.total += 100
    await expect(payments.openCheckout(checkoutRequest())).rejects.toThrow('would ask for 15150 instead of 15050')
    expect(invoices()).toMatchObject([{ status: 'draft' }])
  })
  it('gets changed payment methods after a refusal, as the same draft', async () => {
    stripe.getIntoTrouble('500', 1, /finalize/)
    await expect(payments.openCheckout(checkoutRequest())).rejects.toThrow(PaymentProviderUnavailable)
    await payments.openCheckout(checkoutRequest({ methods: ['card'] }))
    expect(invoices()).toMatchObject([{ status: 'open', payment_settings: { payment_method_types: ['card'] } }])
  })
})

describe('a crash or a lost answer', () => {
  it.each(['/v1/customers$', '/v1/invoices$', 'add_lines$', 'finalize$'])(
    'at %s: a repeat continues where it stopped',
    async (path) => {
      stripe.getIntoTrouble('lost', 1, new RegExp(path))
      await expect(payments.openCheckout(checkoutRequest())).rejects.toThrow(PaymentProviderUnavailable)
      const { reference } = await payments.openCheckout(checkoutRequest())
      expect(invoices()).toMatchObject([{ id: reference, status: 'open', total: 15_050 }])
      expect(stripe.customers.size).toBe(1)
    },
  )
  it('a repeat creates no second invoice after Stripe has forgotten the keys', async () => {
    stripe.getIntoTrouble('lost', 1, /finalize$/)
    const { customer } = await payments
      .openCheckout(checkoutRequest({ idempotencyKey: 'other' }))
      .catch(() => payments.openCheckout(checkoutRequest({ idempotencyKey: 'other' })))
    stripe.getIntoTrouble('lost', 1, /add_lines$/)
    await expect(payments.openCheckout(checkoutRequest({ customer }))).rejects.toThrow(PaymentProviderUnavailable)
    stripe.forgetKeys()
    await payments.openCheckout(checkoutRequest({ customer }))
    expect(invoices()).toHaveLength(2)
    expect(invoices()).toMatchObject([{ status: 'open' }, { status: 'open', lines: { data: [{}, {}] } }])
  })
  it('a payment whose method Stripe does not show is paid, with a method of null', async () => {
    const { reference } = await payments.openCheckout(checkoutRequest())
    const [paid] = stripe.pay(reference).payments.data
    stripe.intents.delete(paid?.payment.payment_intent ?? '')
    expect(await payments.look('invoice', reference)).toMatchObject({ status: 'paid', amount: '150.50', method: null })
  })
  it('in a refund: a repeat refunds once, also after Stripe has forgotten the key', async () => {
    const { reference } = await payments.openCheckout(checkoutRequest())
    stripe.pay(reference, 'pix')
    expect(await payments.look('invoice', reference)).toMatchObject({ method: 'pix' })
    stripe.getIntoTrouble('lost', 1, /POST .*refunds/)
    const refund = { idempotencyKey: 'refund-1', reference, refundId: 1, amount: '50.50', currency: 'BRL' }
    await expect(payments.refund(refund)).rejects.toThrow(PaymentProviderUnavailable)
    expect(stripe.refunds.size).toBe(1)
    stripe.forgetKeys()
    const { reference: id } = await payments.refund(refund)
    expect([...stripe.refunds.keys()]).toEqual([id])
  })
})

describe('failures of Stripe', () => {
  const troubles: Trouble[] = ['hang', 'drip', 'cut', '500', '429', '409', 'html', 'shape', 'huge', 'redirect']
  it.each(troubles)('%s: PaymentProviderUnavailable for every call', async (trouble) => {
    const { reference } = await payments.openCheckout(checkoutRequest())
    const asked = trouble === 'hang' || trouble === 'drip' ? at({ timeoutMs: 300 }) : payments
    stripe.getIntoTrouble(trouble, 100)
    const refund = { idempotencyKey: 'refund-1', reference, refundId: 1, amount: '1.00', currency: 'BRL' }
    const calls = [
      asked.openCheckout(checkoutRequest()),
      asked.closeCheckout(reference, 'close'),
      asked.refund(refund),
      asked.look('invoice', reference),
    ]
    const outcomes = await Promise.allSettled(calls)
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(PaymentProviderUnavailable) })
      if (outcome.status === 'rejected') expectNoSecret(outcome.reason)
    }
    stripe.recover()
    expect(await payments.look('invoice', reference)).toMatchObject({ status: 'open' })
  })
  it('closed port: PaymentProviderUnavailable', async () => {
    const { url } = stripe
    await stripe.close()
    await expect(at({ url }).look('invoice', 'in_1')).rejects.toThrow(PaymentProviderUnavailable)
    stripe = await stripeStandIn()
  })
  it('a wrong key and a declined card: PaymentRefused, without a secret in the error', async () => {
    const { reference } = await payments.openCheckout(checkoutRequest())
    stripe.pay(reference)
    const refund = { idempotencyKey: 'refund-1', reference, refundId: 1, amount: '1.00', currency: 'BRL' }
    stripe.getIntoTrouble('declined', 1, /POST .*refunds/)
    const declined = await payments.refund(refund).catch((error: unknown) => error)
    expect(declined).toBeInstanceOf(PaymentRefused)
    expect(String(declined)).toContain('card_declined')
    const refusal = await at({ secretKey: 'sk_live_wrong_key' })
      .look('invoice', reference)
      .catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(PaymentRefused)
    expectNoSecret(refusal)
  })
})

/** In no property that a log would print. */
function expectNoSecret(error: unknown): void {
  const printed = JSON.stringify(error, Object.getOwnPropertyNames(error))
  expect(printed).not.toMatch(/sk_test|sk_live|whsec_|_secret_/)
}

describe('amounts', () => {
  it.each([
    ['150.50', 'BRL', 15_050],
    ['1500', 'JPY', 1500],
    ['500', 'ISK', 50_000],
    ['500', 'UGX', 50_000],
    ['12', 'MGA', 12],
    ['5.12', 'KWD', 5120],
  ])('%s %s is %i, and back', (amount, currency, minor) => {
    expect(toStripe(amount, currency)).toBe(minor)
    expect(toStripe(fromStripe(minor, currency), currency)).toBe(minor)
  })
  it.each([
    ['5.124', 'KWD'],
    ['1.50', 'MGA'],
    ['1.005', 'BRL'],
  ])('%s %s cannot be asked for', (amount, currency) => {
    expect(() => toStripe(amount, currency)).toThrow(InvalidMoney)
  })
  it('half a króna is invalid', () => {
    expect(() => fromStripe(50_050, 'ISK')).toThrow(InvalidMoney)
  })
})
