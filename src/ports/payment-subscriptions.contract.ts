// The part of the payments port's contract that is about subscriptions.
import { describe, expect, it } from 'vitest'
import { addMonths } from '#kernel/values/time/calendar.ts'
import { checkoutRequest } from '#test/scenes/checkout-request.ts'
import { PaymentRefused, type SubscriptionRequest } from './payments.ts'
import type { PaymentProvider } from './payments.contract.ts'

function subscriptionRequest(changes: Partial<SubscriptionRequest> = {}): SubscriptionRequest {
  const { organizationId, organizationName, organizationEmail, organizationCnpj } = checkoutRequest()
  const organization = { organizationId, organizationName, organizationEmail, organizationCnpj, customer: null }
  const money = { amount: '150.00', currency: 'BRL', interval: 'month' as const, trialDays: null }
  return { idempotencyKey: 'order 9', orderId: 9, orderNumber: 'O-9', ...organization, ...money, ...changes }
}

const twice = async (act: () => Promise<void>): Promise<void> => {
  for (let times = 0; times < 2; times++) await act()
}

export function subscriptionsContract(of: () => PaymentProvider): void {
  const invoiceOf = async (reference: string) => {
    const state = await of().payments.look('invoice', reference)
    if (state.resource !== 'invoice' || state.period === null) throw new Error(`${reference} is for no period`)
    return { ...state, period: state.period }
  }
  const look = async (reference: string) => {
    const state = await of().payments.look('subscription', reference)
    if (state.resource !== 'subscription') throw new Error(`${reference} is no subscription`)
    return state
  }
  const opened = async (changes: Partial<SubscriptionRequest> = {}) => {
    const { reference, checkoutUrl } = await of().payments.openSubscription(subscriptionRequest(changes))
    expect(await of().pay(checkoutUrl ?? '', 'paid')).toBe(true)
    return reference
  }

  describe('a subscription', () => {
    it('is opened once for each key, activated by its first payment, and ended', async () => {
      const { payments, pay } = of()
      const request = subscriptionRequest()
      const made = await payments.openSubscription(request)
      expect(made).toMatchObject({ reference: expect.stringMatching(/^\w+$/), status: 'incomplete' })
      expect(await payments.openSubscription(request)).toEqual(made)
      expect(await pay(made.checkoutUrl ?? '', 'paid')).toBe(true)
      const { reference, customer } = made
      const paidInvoices = [expect.any(String)]
      const state = { resource: 'subscription', reference, customer, endsAt: null, paidInvoices }
      const active = await look(reference)
      expect(active).toEqual({ ...state, status: 'active' })
      const paid = await invoiceOf(active.paidInvoices[0] ?? '')
      expect(paid).toMatchObject({ status: 'paid', subscription: reference })
      const { start, end } = paid.period
      expect(addMonths(new Date(start), 1, 'UTC').toISOString()).toBe(end)
      await twice(() => payments.cancelSubscription(reference, 'period_end'))
      expect(await look(reference)).toEqual({ ...state, endsAt: end, status: 'active' })
      await twice(() => payments.keepSubscription(reference))
      expect(await look(reference)).toEqual({ ...state, endsAt: null, status: 'active' })
      await twice(() => payments.cancelSubscription(reference, 'now'))
      expect(await look(reference)).toMatchObject({ status: 'canceled' })
      await payments.cancelSubscription(reference, 'period_end')
    })
    it('is paused: no interval is charged; resumed in one that is paid, the next one is', async () => {
      const { payments, renew } = of()
      const reference = await opened()
      await twice(() => payments.pauseSubscription(reference))
      expect(await look(reference)).toMatchObject({ status: 'paused' })
      await twice(() => payments.resumeSubscription(reference))
      expect(await look(reference)).toMatchObject({ status: 'active', paidInvoices: [expect.any(String)] })
      await renew(reference)
      expect((await look(reference)).paidInvoices).toHaveLength(2)
    })
    it('that is resumed in an interval that was not charged begins a new one at once, and only one', async () => {
      const { payments, renew } = of()
      const reference = await opened()
      await payments.pauseSubscription(reference)
      await renew(reference)
      expect((await look(reference)).paidInvoices).toHaveLength(1)
      await twice(() => payments.resumeSubscription(reference))
      const { paidInvoices, status } = await look(reference)
      expect([status, paidInvoices.length]).toEqual(['active', 2])
      const { start, end } = (await invoiceOf(paidInvoices[0] ?? '')).period
      expect(addMonths(new Date(start), 1, 'UTC').toISOString()).toBe(end)
      expect(Math.abs(Date.parse(start) - Date.now())).toBeLessThan(60_000)
      await renew(reference)
      const [next = ''] = (await look(reference)).paidInvoices
      expect((await invoiceOf(next)).period.start).toBe(end)
    })
    it('begins with a trial, which charges nothing; the first interval begins at its end', async () => {
      const { payments, renew } = of()
      const request = subscriptionRequest({ trialDays: 14 })
      const made = await payments.openSubscription(request)
      expect(made).toMatchObject({ status: 'trialing', checkoutUrl: null })
      expect(await payments.openSubscription(request)).toEqual(made)
      const { reference, trialEndsAt } = made
      expect(Math.abs(Date.parse(trialEndsAt ?? '') - Date.now() - 14 * 86_400_000)).toBeLessThan(60_000)
      expect(await look(reference)).toMatchObject({ status: 'trialing', paidInvoices: [] })
      await renew(reference)
      const { status, paidInvoices } = await look(reference)
      expect([status, paidInvoices.length]).toEqual(['active', 1])
      const first = await invoiceOf(paidInvoices[0] ?? '')
      expect(first).toMatchObject({ amount: '150.00', total: '150.00', period: { start: trialEndsAt } })
    })
    it('charges another amount from the next interval on, also one that is changed in a trial or a pause', async () => {
      const { payments, renew } = of()
      const [running, tried] = [
        await opened(),
        await payments.openSubscription(subscriptionRequest({ idempotencyKey: 'order 10', trialDays: 3 })),
      ]
      for (const [reference, amount] of [
        [running, '199.99'],
        [tried.reference, '20.00'],
      ] as const) {
        await twice(() => payments.changeSubscription({ reference, amount, currency: 'BRL' }))
        const before = (await look(reference)).paidInvoices
        await renew(reference)
        const { paidInvoices } = await look(reference)
        expect(paidInvoices).toHaveLength(before.length + 1)
        expect(await invoiceOf(paidInvoices[0] ?? '')).toMatchObject({ amount, total: amount, status: 'paid' })
      }
      await payments.pauseSubscription(running)
      await payments.changeSubscription({ reference: running, amount: '1.00', currency: 'BRL' })
      expect((await look(running)).status).toBe('paused')
    })
    it('that has ended is neither changed, paused nor resumed, and stays so', async () => {
      const { payments } = of()
      const reference = await opened()
      await payments.cancelSubscription(reference, 'now')
      await payments.changeSubscription({ reference, amount: '1.00', currency: 'BRL' })
      await payments.pauseSubscription(reference)
      await payments.resumeSubscription(reference)
      await payments.keepSubscription(reference)
      expect(await look(reference)).toMatchObject({ status: 'canceled' })
    })
    it('that is unknown is refused', async () => {
      const { payments } = of()
      for (const time of ['now', 'period_end'] as const)
        await expect(payments.cancelSubscription('sub_none', time)).rejects.toThrow(PaymentRefused)
      const plan = { reference: 'sub_none', amount: '1.00', currency: 'BRL' }
      await expect(payments.changeSubscription(plan)).rejects.toThrow(PaymentRefused)
      await expect(payments.pauseSubscription('sub_none')).rejects.toThrow(PaymentRefused)
      await expect(payments.keepSubscription('sub_none')).rejects.toThrow(PaymentRefused)
      await expect(payments.resumeSubscription('sub_none')).rejects.toThrow(PaymentRefused)
    })
  })
}
