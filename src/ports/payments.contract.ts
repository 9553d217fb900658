// The contract of the payments port. The tests of each adapter run it against a provider that they start.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '#test/harness/until.ts'
import { checkoutRequest } from '#test/scenes/checkout-request.ts'
import { PaymentRefused, type PaymentEvent, type Payments } from './payments.ts'
import { codesContract } from './payment-codes.contract.ts'
import { subscriptionsContract } from './payment-subscriptions.contract.ts'

/** The adapter, and what a test does as the customer and as the provider. */
export type PaymentProvider = {
  payments: Payments
  /** Pays on the checkout page; false when the page does not allow it. */
  pay: (checkoutUrl: string, outcome: 'paid' | 'failed') => Promise<boolean>
  /** Lets the payer's bank dispute an amount of the payment, in minor units, and decide. The provider's id of it. */
  dispute: (reference: string, amount: number) => Promise<string>
  decide: (dispute: string, status: 'won' | 'lost') => Promise<void>
  /** Lets a subscription's interval end. */
  renew: (subscription: string) => Promise<void>
  /** The events that the provider has sent so far. */
  events: () => readonly SignedEvent[]
  close: () => Promise<void>
}
export type SignedEvent = { headers: Record<string, string | string[] | undefined>; body: Buffer }

export function paymentsContract(name: string, open: () => Promise<PaymentProvider>): void {
  describe(`payments at ${name}`, () => {
    let provider: PaymentProvider
    let payments: Payments
    beforeEach(async () => {
      provider = await open()
      payments = provider.payments
    })
    afterEach(() => provider.close())

    const paidCheckout = async (changes: Parameters<typeof checkoutRequest>[0] = {}) => {
      const checkout = await payments.openCheckout(checkoutRequest(changes))
      expect(await provider.pay(checkout.checkoutUrl, 'paid')).toBe(true)
      return checkout
    }
    const read = ({ headers, body }: SignedEvent, now = new Date()) => payments.readEvent(headers, body, now)
    const eventOf = (kind: PaymentEvent['kind']) => () =>
      provider
        .events()
        .map((event) => read(event))
        .find((event) => event.kind === kind)

    describe('openCheckout', () => {
      it('opens one checkout for each key: repeated, at once, and with a customer and a name added later', async () => {
        const first = await payments.openCheckout(checkoutRequest())
        const id = expect.stringMatching(/^\w+$/)
        expect(first).toEqual({ reference: id, customer: id, checkoutUrl: expect.stringMatching(/^http/) })
        expect(await payments.openCheckout(checkoutRequest())).toEqual(first)
        const { customer } = first
        expect(await payments.openCheckout(checkoutRequest({ customer, organizationName: 'New' }))).toEqual(first)
        const again = await Promise.all([1, 2, 3].map(() => payments.openCheckout(checkoutRequest({ customer }))))
        expect(again).toEqual([first, first, first])
      })
      it('opens another checkout for another key, of the same customer', async () => {
        const first = await payments.openCheckout(checkoutRequest())
        const second = await payments.openCheckout(checkoutRequest({ idempotencyKey: 'invoice 13 checkout' }))
        expect(second.reference).not.toBe(first.reference)
        expect(second.customer).toBe(first.customer)
      })
      it('throws PaymentRefused for a key that was used for another amount', async () => {
        await payments.openCheckout(checkoutRequest())
        const other = checkoutRequest({ amount: '1.00', lines: [] })
        await expect(payments.openCheckout(other)).rejects.toThrow(PaymentRefused)
      })
      it.each([
        ['an amount with too many digits', { amount: '150.505' }],
        ['no amount', { amount: '0.00' }],
        ['an unknown currency', { currency: 'R$' }],
        ['an unknown customer', { customer: 'cus_000000000000000000000000' }],
      ])('throws PaymentRefused for %s', async (_what, changes) => {
        await expect(payments.openCheckout(checkoutRequest(changes))).rejects.toThrow(PaymentRefused)
      })
    })

    describe('look', () => {
      it.each([
        ['BRL', '150.50', '150.50'],
        ['JPY', '1500', '1500'],
        ['ISK', '500', '500'],
        ['KWD', '1.5', '1.500'],
      ])('counts the minor units of %s: %s', async (currency, amount, paid) => {
        const lines = [{ description: 'All of it', quantity: 3, unitPrice: '1', total: amount }]
        const { reference, customer, checkoutUrl } = await paidCheckout({ currency, amount, lines })
        expect(await payments.look('invoice', reference)).toEqual({
          resource: 'invoice',
          reference,
          status: 'paid',
          amount: paid,
          total: paid,
          currency,
          customer,
          method: 'card',
          paidAt: expect.stringMatching(/^20\d\d-.*Z$/),
          subscription: null,
          period: null,
          payUrl: checkoutUrl,
          attempts: 1,
        })
      })
      it('throws PaymentRefused for an unknown reference', async () => {
        for (const resource of ['invoice', 'refund', 'subscription', 'dispute'] as const)
          await expect(payments.look(resource, 'in_none')).rejects.toThrow(PaymentRefused)
      })
    })

    describe('closeCheckout', () => {
      it('makes the checkout unpayable, and succeeds when repeated', async () => {
        const { reference, checkoutUrl } = await payments.openCheckout(checkoutRequest())
        expect(await payments.look('invoice', reference)).toMatchObject({
          status: 'open',
          amount: '0.00',
          paidAt: null,
        })
        for (const key of ['close 1', 'close 1', 'close 2']) await payments.closeCheckout(reference, key)
        expect(await provider.pay(checkoutUrl, 'paid')).toBe(false)
        expect(await payments.look('invoice', reference)).toMatchObject({ status: 'void', amount: '0.00' })
        expect(provider.events()).toEqual([])
      })
      it('throws PaymentRefused for a checkout that is paid or unknown', async () => {
        const { reference } = await paidCheckout()
        await expect(payments.closeCheckout(reference, 'close 3')).rejects.toThrow(PaymentRefused)
        await expect(payments.closeCheckout('in_none', 'close 4')).rejects.toThrow(PaymentRefused)
      })
    })

    codesContract(() => provider)

    describe('refund', () => {
      const request = { idempotencyKey: 'refund 3', refundId: 3, amount: '50.00', currency: 'BRL' }

      it('refunds a part, then the rest, once for each key; each succeeds after a while', async () => {
        const { reference } = await paidCheckout()
        const part = await payments.refund({ ...request, reference })
        expect(part).toEqual({ reference: expect.stringMatching(/^\w+$/), status: 'processing' })
        expect(await payments.refund({ ...request, reference })).toMatchObject({ reference: part.reference })
        const rest = { ...request, reference, idempotencyKey: 'refund 4', refundId: 4, amount: '100.50' }
        const { reference: last } = await payments.refund(rest)
        const state = () => payments.look('refund', last)
        expect(await until(state, ({ status }) => status === 'succeeded')).toEqual({
          resource: 'refund',
          reference: last,
          status: 'succeeded',
          amount: '100.50',
          currency: 'BRL',
        })
      })
      it('never refunds more than was paid, also at once', async () => {
        const { reference } = await paidCheckout()
        const results = await Promise.allSettled(
          ['a', 'b', 'c', 'd'].map((idempotencyKey) => payments.refund({ ...request, idempotencyKey, reference })),
        )
        expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
        expect(results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))).toEqual([
          expect.any(PaymentRefused),
        ])
      })
      it('throws PaymentRefused for an unpaid invoice, an amount of zero, and a key of another amount', async () => {
        const unpaid = await payments.openCheckout(checkoutRequest({ idempotencyKey: 'open' }))
        await expect(payments.refund({ ...request, reference: unpaid.reference })).rejects.toThrow(PaymentRefused)
        const { reference } = await paidCheckout()
        await expect(payments.refund({ ...request, reference, amount: '0.00' })).rejects.toThrow(PaymentRefused)
        await payments.refund({ ...request, reference })
        await expect(payments.refund({ ...request, reference, amount: '51.00' })).rejects.toThrow(PaymentRefused)
      })
    })

    it.each(['won', 'lost'] as const)('look and readEvent give a dispute that is %s', async (status) => {
      const { reference } = await paidCheckout()
      const dispute = await provider.dispute(reference, 5_000)
      const found = { resource: 'dispute', reference: dispute, amount: '50.00', currency: 'BRL', invoice: reference }
      const asked = { ...found, reason: 'fraudulent', answerBy: expect.any(String), status: 'open', isWithdrawn: true }
      expect(await payments.look('dispute', dispute)).toEqual(asked)
      expect(await until(eventOf('dispute'))).toMatchObject({ reference: dispute, amount: '50.00', currency: 'BRL' })
      await provider.decide(dispute, status)
      expect(await payments.look('dispute', dispute)).toEqual({ ...asked, status, isWithdrawn: status === 'lost' })
    })

    subscriptionsContract(() => provider)

    describe('readEvent', () => {
      const time = expect.stringMatching(/^20\d\d-.*Z$/)

      it('reads a payment and its refund', async () => {
        const { reference, customer } = await paidCheckout()
        expect(await until(eventOf('paid'))).toEqual({
          dedupeKey: expect.stringMatching(/^\w+$/),
          providerType: expect.any(String),
          at: time,
          kind: 'paid',
          reference,
          customer,
          amount: '150.50',
          currency: 'BRL',
          method: 'card',
          paidAt: time,
          subscription: null,
        })
        const money = { amount: '50.00', currency: 'BRL' }
        const refund = await payments.refund({ idempotencyKey: 'refund 3', refundId: 3, reference, ...money })
        expect(await until(eventOf('refund'))).toMatchObject({
          reference: refund.reference,
          status: 'succeeded',
          ...money,
        })
      })
      it('reads a failed payment', async () => {
        const { reference, checkoutUrl } = await payments.openCheckout(checkoutRequest())
        await provider.pay(checkoutUrl, 'failed')
        expect(await until(eventOf('payment_failed'))).toMatchObject({ reference, subscription: null })
        expect(await payments.look('invoice', reference)).toMatchObject({ status: 'open', amount: '0.00' })
      })
      it('gives unsigned for a changed body, no signature, and an old signature', async () => {
        await paidCheckout()
        const [event] = await until(provider.events, ({ length }) => length > 0)
        const { headers, body } = event ?? { headers: {}, body: Buffer.alloc(0) }
        expect(read({ headers, body })).toMatchObject({ kind: 'paid' })
        const changed = Buffer.from(body.toString().replace('15050', '25050'))
        for (const other of [changed, Buffer.concat([body, Buffer.from(' ')]), Buffer.alloc(0)])
          expect(read({ headers, body: other }).kind).toBe('unsigned')
        expect(read({ headers: {}, body }).kind).toBe('unsigned')
        expect(read({ headers, body }, new Date(Date.now() + 86_400_000)).kind).toBe('unsigned')
      })
    })
  })
}
