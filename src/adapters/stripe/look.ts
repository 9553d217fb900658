// The present state of an invoice, a refund, a subscription or a dispute at Stripe.
import { InvalidMoney } from '#kernel/values/money.ts'
import { oneLine } from '#kernel/values/text/text.ts'
import {
  type DisputeStatus,
  type PaidPeriod,
  PaymentProviderUnavailable,
  PaymentRefused,
  type PaymentState,
  type WatchedResource,
} from '#ports/payments.ts'
import { fromStripe } from './amounts.ts'
import type { StripeApi } from './api.ts'
import { retrieveInvoice } from './checkout.ts'
import { refundStatus } from './refund.ts'
import {
  DisputeAnswer,
  idOf,
  type InvoiceLine,
  InvoiceList,
  InvoicePaymentList,
  PaymentIntentAnswer,
  RefundAnswer,
  subscriptionOf,
  SubscriptionAnswer,
} from './shapes.ts'
import { statusOf } from './subscription.ts'

export function look(api: StripeApi, resource: WatchedResource, reference: string): Promise<PaymentState> {
  if (resource === 'invoice') return invoiceState(api, reference)
  if (resource === 'dispute') return disputeState(api, reference)
  return resource === 'refund' ? refundState(api, reference) : subscriptionState(api, reference)
}

/** The longest payment method, and the longest reason, that is stored. */
const MAX_TEXT = 255

const STATUSES = ['open', 'paid', 'void', 'uncollectible'] as const

async function invoiceState(api: StripeApi, reference: string): Promise<PaymentState> {
  const invoice = await retrieveInvoice(api, reference)
  const status = STATUSES.find((known) => known === invoice.status)
  // A draft counts as open; an unknown status does not say what happened.
  if (!status && invoice.status !== 'draft') throw new PaymentProviderUnavailable('An invoice in an unknown status')
  const { paid_at } = invoice.status_transitions
  const intent = idOf(invoice.payments?.data.find((payment) => payment.status === 'paid')?.payment.payment_intent)
  return {
    resource: 'invoice',
    reference,
    status: status ?? 'open',
    ...money(invoice.amount_paid, invoice.currency),
    total: money(invoice.total, invoice.currency).amount,
    customer: idOf(invoice.customer),
    method: status === 'paid' && intent !== null ? await methodOf(api, intent) : null,
    paidAt: paid_at === null ? null : iso(paid_at),
    subscription: subscriptionOf(invoice.parent),
    period: periodOf(invoice.lines.data),
    payUrl: invoice.hosted_invoice_url ?? null,
    attempts: invoice.attempt_count ?? 0,
  }
}

/** The latest, since an invoice may also have lines about time before it. */
function periodOf(lines: readonly InvoiceLine[]): PaidPeriod | null {
  const periods = lines.flatMap(({ parent, period }) => {
    const item = parent?.subscription_item_details
    return item && item.proration !== true && period && period.start < period.end ? [period] : []
  })
  const [latest] = periods.toSorted((one, other) => other.end - one.end)
  return latest ? { start: iso(latest.start), end: iso(latest.end) } : null
}

/** Card, boleto or pix, from the charge. Null when the key may not read it: the payment counts all the same. */
async function methodOf(api: StripeApi, intent: string): Promise<string | null> {
  try {
    const { latest_charge: charge } = await api.ask(PaymentIntentAnswer, (stripe) =>
      stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge'] }),
    )
    const type = typeof charge === 'object' ? charge?.payment_method_details?.type : null
    return oneLine(type ?? '', MAX_TEXT) || null
  } catch (error) {
    if (error instanceof PaymentRefused) return null
    throw error
  }
}

async function refundState(api: StripeApi, reference: string): Promise<PaymentState> {
  const refund = await api.ask(RefundAnswer, (stripe) => stripe.refunds.retrieve(reference))
  return {
    resource: 'refund',
    reference,
    status: refundStatus(refund.status),
    ...money(refund.amount, refund.currency),
  }
}

async function subscriptionState(api: StripeApi, reference: string): Promise<PaymentState> {
  const found = await api.ask(SubscriptionAnswer, (stripe) => stripe.subscriptions.retrieve(reference))
  const { data } = await api.ask(InvoiceList, (stripe) =>
    stripe.invoices.list({ subscription: reference, status: 'paid', limit: 100 }),
  )
  return {
    resource: 'subscription',
    reference,
    status: statusOf(found),
    customer: idOf(found.customer),
    endsAt: typeof found.cancel_at === 'number' ? iso(found.cancel_at) : null,
    // That of a trial charges nothing.
    paidInvoices: data.filter(({ total }) => total !== 0).map(({ id }) => id),
  }
}

async function disputeState(api: StripeApi, reference: string): Promise<PaymentState> {
  const found = await api.ask(DisputeAnswer, (stripe) => stripe.disputes.retrieve(reference))
  const { amount, currency, evidence_details: evidence, balance_transactions: moved = [] } = found
  const dueBy = evidence?.due_by ?? null
  const isWithdrawn = moved.reduce((sum, one) => sum + one.amount, 0) < 0
  return {
    resource: 'dispute',
    reference,
    status: disputeStatus(found.status, isWithdrawn),
    ...money(amount, currency),
    reason: oneLine(found.reason, MAX_TEXT),
    invoice: await invoicePaidBy(api, idOf(found.payment_intent)),
    answerBy: dueBy === null ? null : iso(dueBy),
    isWithdrawn,
  }
}

/** An inquiry withdraws nothing; what Stripe prevents may have been paid back to the payer. */
function disputeStatus(status: string, isWithdrawn: boolean): DisputeStatus {
  if (status === 'won' || status === 'lost') return status
  if (status === 'warning_closed' || status === 'prevented') return isWithdrawn ? 'lost' : 'won'
  return 'open'
}

async function invoicePaidBy(api: StripeApi, intent: string | null): Promise<string | null> {
  if (intent === null) return null
  const payment = { type: 'payment_intent', payment_intent: intent } as const
  const { data } = await api.ask(InvoicePaymentList, (stripe) => stripe.invoicePayments.list({ payment, limit: 1 }))
  return idOf(data[0]?.invoice)
}

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString()

function money(minor: number, code: string): { amount: string; currency: string } {
  const currency = code.toUpperCase()
  try {
    return { amount: fromStripe(minor, currency), currency }
  } catch (cause) {
    if (cause instanceof InvalidMoney) throw new PaymentRefused(cause.message, { cause })
    throw cause
  }
}
