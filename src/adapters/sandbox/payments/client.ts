// The payment port on the sandbox payment provider, over HTTP, as on Stripe. (docs/interface.md, Outside systems)
import { Type, type TSchema, type Static } from 'typebox'
import { Value } from 'typebox/value'
import { formatMoney, InvalidMoney, parseMoney } from '#kernel/values/money.ts'
import {
  PaymentProviderUnavailable,
  PaymentRefused,
  type Checkout,
  type CheckoutRequest,
  type Payments,
  type ProviderRefund,
  type ProviderSubscription,
  type RefundRequest,
  type SubscriptionRequest,
} from '#ports/payments.ts'
import { readStripeEvent } from '../../stripe/events.ts'
import { refundStatus } from '../../stripe/refund.ts'
import { look } from './look.ts'
import { providerHttp, type ProviderHttp } from './provider-http.ts'

export type SandboxPaymentsOptions = {
  company: string
  /** `<publicUrl>/sandbox/payments/<company>` */
  baseUrl: string
  secretKey: string
  /** All that are live, such as the old and the new one during a change. */
  webhookSecrets: readonly string[]
  livemode: false
  timeoutMs?: number
}

const Id = Type.String({ pattern: '^[A-Za-z0-9_]{1,255}$' })
const CustomerAnswer = Type.Object({ id: Id })
const CheckoutAnswer = Type.Object({
  id: Id,
  hosted_invoice_url: Type.String({ pattern: '^https?://', maxLength: 2_000 }),
})
const InvoiceAnswer = Type.Object({
  id: Id,
  status: Type.String(),
  payments: Type.Object({ data: Type.Array(Type.Object({ payment: Type.Object({ payment_intent: Id }) })) }),
})
const SubscriptionAnswer = Type.Object({ id: Id, status: Type.String(), latest_invoice: Id })
const RefundAnswer = Type.Object({ id: Id, status: Type.Union([Type.String(), Type.Null()]) })

export function sandboxPayments(options: SandboxPaymentsOptions): Payments {
  const { company, baseUrl, secretKey, timeoutMs = 10_000 } = options
  const http = providerHttp({ company, baseUrl, secretKey, timeoutMs })
  return {
    provider: 'sandbox',
    openCheckout: (checkout) => openCheckout(http, checkout),
    closeCheckout: (reference, idempotencyKey) => closeCheckout(http, reference, idempotencyKey),
    refund: (refund) => refundPayment(http, refund),
    look: (resource, reference) => look(http, resource, reference),
    openSubscription: (request) => openSubscription(http, request),
    cancelSubscription: (reference) => cancelSubscription(http, reference),
    readEvent: (headers, body, now) => readStripeEvent({ ...options, amountOf }, { headers, body, now }),
  }
}

/** In ISO's minor units, without Stripe's exceptions. */
export const amountOf = (minor: number, currency: string): string => formatMoney(BigInt(minor), currency)

async function openCheckout(http: ProviderHttp, checkout: CheckoutRequest): Promise<Checkout> {
  const { idempotencyKey, currency } = checkout
  const fields: Record<string, string> = {
    amount: minorUnits(checkout.amount, currency),
    currency: currency.toLowerCase(),
    number: checkout.invoiceNumber,
    'metadata[invoice_id]': String(checkout.invoiceId),
    'metadata[organization_id]': String(checkout.organizationId),
  }
  for (const [index, line] of checkout.lines.entries()) {
    fields[`lines[${index}][description]`] = line.description
    fields[`lines[${index}][quantity]`] = String(line.quantity)
    fields[`lines[${index}][unit_amount]`] = minorUnits(line.unitPrice, currency)
    fields[`lines[${index}][amount]`] = minorUnits(line.total, currency)
  }
  const customer = checkout.customer ?? (await ensureCustomer(http, checkout))
  const call = { method: 'POST', path: '/v1/invoices', fields: { ...fields, customer }, idempotencyKey } as const
  const invoice = understood(CheckoutAnswer, await http(call))
  return { reference: invoice.id, checkoutUrl: invoice.hosted_invoice_url, customer }
}

type Named = Pick<CheckoutRequest, 'organizationId' | 'organizationName' | 'organizationEmail'>

/**
 * Keyed by the organization, not by the checkout: two first checkouts at once, or a repeat after the organization was
 * given its customer id, end at the same customer. What can change later (name, email) is set apart from the key.
 */
async function ensureCustomer(http: ProviderHttp, checkout: Named): Promise<string> {
  const organization = String(checkout.organizationId)
  const { id } = understood(
    CustomerAnswer,
    await http({
      method: 'POST',
      path: '/v1/customers',
      fields: { 'metadata[organization_id]': organization },
      idempotencyKey: `organization ${organization} customer`,
    }),
  )
  const fields = { name: checkout.organizationName, email: checkout.organizationEmail ?? '' }
  await http({ method: 'POST', path: `/v1/customers/${id}`, fields })
  return id
}

async function closeCheckout(http: ProviderHttp, reference: string, idempotencyKey: string): Promise<void> {
  const path = `/v1/invoices/${encodeURIComponent(reference)}`
  try {
    await http({ method: 'POST', path: `${path}/void`, fields: {}, idempotencyKey })
  } catch (error) {
    // The provider refuses to void what is void; only a look tells that from an invoice that was paid meanwhile.
    if (!(error instanceof PaymentRefused)) throw error
    const { status } = understood(InvoiceAnswer, await http({ method: 'GET', path }))
    if (status !== 'void') throw error
  }
}

async function refundPayment(http: ProviderHttp, refund: RefundRequest): Promise<ProviderRefund> {
  const amount = minorUnits(refund.amount, refund.currency)
  const path = `/v1/invoices/${encodeURIComponent(refund.reference)}?expand[]=payments`
  const invoice = understood(InvoiceAnswer, await http({ method: 'GET', path }))
  const [paid] = invoice.payments.data
  if (!paid) throw new PaymentRefused('The invoice has no payment to refund')
  const answer = await http({
    method: 'POST',
    path: '/v1/refunds',
    fields: { payment_intent: paid.payment.payment_intent, amount, 'metadata[refund_id]': String(refund.refundId) },
    idempotencyKey: refund.idempotencyKey,
  })
  const { id, status } = understood(RefundAnswer, answer)
  return { reference: id, status: refundStatus(status) }
}

function minorUnits(amount: string, currency: string): string {
  try {
    return String(parseMoney(amount, currency))
  } catch (cause) {
    if (cause instanceof InvalidMoney) throw new PaymentRefused(cause.message, { cause })
    throw cause
  }
}

async function openSubscription(http: ProviderHttp, request: SubscriptionRequest): Promise<ProviderSubscription> {
  const customer = request.customer ?? (await ensureCustomer(http, request))
  const fields = {
    customer,
    amount: minorUnits(request.amount, request.currency),
    currency: request.currency.toLowerCase(),
    interval: request.interval,
    'metadata[organization_id]': String(request.organizationId),
    'metadata[order_id]': String(request.orderId),
  }
  const { idempotencyKey } = request
  const made = understood(
    SubscriptionAnswer,
    await http({ method: 'POST', path: '/v1/subscriptions', fields, idempotencyKey }),
  )
  const { id, status } = understood(
    SubscriptionAnswer,
    await http({ method: 'GET', path: `/v1/subscriptions/${made.id}` }),
  )
  const invoice = understood(CheckoutAnswer, await http({ method: 'GET', path: `/v1/invoices/${made.latest_invoice}` }))
  return { reference: id, status, checkoutUrl: invoice.hosted_invoice_url, customer }
}

async function cancelSubscription(http: ProviderHttp, reference: string): Promise<void> {
  const path = `/v1/subscriptions/${encodeURIComponent(reference)}`
  try {
    await http({ method: 'DELETE', path })
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error
    const { status } = understood(SubscriptionAnswer, await http({ method: 'GET', path }))
    if (status !== 'canceled') throw error
  }
}

/** An answer in a shape we do not know tells nothing about what happened. */
function understood<S extends TSchema>(schema: S, body: unknown): Static<S> {
  if (!Value.Check(schema, body)) throw new PaymentProviderUnavailable('An answer in an unknown shape')
  return body
}
