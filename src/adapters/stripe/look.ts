// The present state of an invoice, a refund or a subscription at Stripe.
import { InvalidMoney } from '#kernel/values/money.ts'
import { oneLine } from '#kernel/values/text.ts'
import {
  type PaidPeriod,
  PaymentProviderUnavailable,
  PaymentRefused,
  type PaymentState,
  type Watched,
} from '#ports/payments.ts'
import { fromStripe } from './amounts.ts'
import type { StripeApi } from './api.ts'
import { retrieveInvoice } from './checkout.ts'
import { refundStatus } from './refund.ts'
import {
  idOf,
  type InvoiceLine,
  InvoiceList,
  PaymentIntentAnswer,
  RefundAnswer,
  subscriptionOf,
  SubscriptionAnswer,
} from './shapes.ts'

export function look(api: StripeApi, resource: Watched, reference: string): Promise<PaymentState> {
  if (resource === 'invoice') return invoiceState(api, reference)
  return resource === 'refund' ? refundState(api, reference) : subscriptionState(api, reference)
}

/** The longest payment method that is stored. */
const MAX_METHOD = 255

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
    customer: idOf(invoice.customer),
    method: status === 'paid' && intent !== null ? await methodOf(api, intent) : null,
    paidAt: paid_at === null ? null : iso(paid_at),
    subscription: subscriptionOf(invoice.parent),
    period: periodOf(invoice.lines.data),
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
    return oneLine(type ?? '', MAX_METHOD) || null
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
    status: found.status,
    customer: idOf(found.customer),
    endsAt: typeof found.cancel_at === 'number' ? iso(found.cancel_at) : null,
    paidInvoices: data.map(({ id }) => id),
  }
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
