// What a provider says of a payment, settled as a job does it, and what has become of the sale.
import { applyPaymentState } from '#modules/sales/payments/apply-payment-state.ts'
import type { Sale, settlingAt } from './settling.ts'

export const PAID_AT = '2026-03-10T02:30:00.000Z'
type State = Parameters<typeof applyPaymentState>[2]
export type Paying = ReturnType<typeof payingAt>

export const payingAt = (at: ReturnType<typeof settlingAt>) => ({
  /** `in_…` of the sale, paid by card. */
  async settle({ invoice }: Sale, given: Partial<State> = {}, hasFailed = false): Promise<void> {
    const { payment_invoice_id: reference } = await at.row('invoices', invoice)
    const paid = {
      provider: 'sandbox',
      reference: String(reference),
      status: 'paid',
      amount: '150.00',
      currency: 'BRL',
    }
    const state = { ...paid, method: 'bank_slip', paidAt: PAID_AT, customer: null, hasFailed, ...given } as State
    await at.act((ctx) => applyPaymentState(ctx, invoice, state))
  },
  async stateOf(sale: Sale) {
    const invoice = await at.row('invoices', sale.invoice)
    const { status, payment_status, payment_method, paid_at, payment_date, amount_paid } = invoice
    return {
      invoice: { status, payment_status, payment_method, paid_at, payment_date, amount_paid },
      order: (await at.row('orders', sale.order))['status'],
      quote: (await at.row('quotes', sale.quote))['status'],
    }
  },
})
