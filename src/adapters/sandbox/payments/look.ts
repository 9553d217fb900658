// How an invoice, a refund or a subscription stands at the sandbox payment provider now.
import { Value } from 'typebox/value'
import { formatMoney } from '#kernel/values/money.ts'
import { PaymentProviderUnavailable, type PaymentState, type Watched } from '#ports/payments.ts'
import { refundStatus } from '../../stripe/refund.ts'
import type { ProviderHttp } from './provider-http.ts'
import { Invoice, Refund, Subscription } from './records.ts'

const PATHS: Record<Watched, string> = { invoice: 'invoices', refund: 'refunds', subscription: 'subscriptions' }

export async function look(http: ProviderHttp, resource: Watched, reference: string): Promise<PaymentState> {
  const answer = await http({ method: 'GET', path: `/v1/${PATHS[resource]}/${encodeURIComponent(reference)}` })
  if (resource === 'invoice' && Value.Check(Invoice, answer)) return invoiceState(answer)
  if (resource === 'refund' && Value.Check(Refund, answer)) {
    const { status, amount, currency } = answer
    return { resource, reference, status: refundStatus(status), ...money(amount, currency) }
  }
  if (resource === 'subscription' && Value.Check(Subscription, answer))
    return {
      resource,
      reference,
      status: answer.status,
      customer: answer.customer,
      // Paid or not: whoever asks looks at each.
      paidInvoices: [answer.latest_invoice],
    }
  throw new PaymentProviderUnavailable('An answer in an unknown shape')
}

function invoiceState(invoice: Invoice): PaymentState {
  const { paid_at } = invoice.status_transitions
  return {
    resource: 'invoice',
    reference: invoice.id,
    status: invoice.status,
    ...money(invoice.amount_paid, invoice.currency),
    customer: invoice.customer,
    method: invoice.status === 'paid' ? (invoice.payment_settings.payment_method_types[0] ?? null) : null,
    paidAt: paid_at === null ? null : new Date(paid_at * 1000).toISOString(),
    subscription: invoice.parent?.subscription_details.subscription ?? null,
  }
}

function money(minor: number, code: string): { amount: string; currency: string } {
  const currency = code.toUpperCase()
  return { amount: formatMoney(BigInt(minor), currency), currency }
}
