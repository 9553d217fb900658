// An invoice at Stripe with its hosted page (docs/decisions/0018): created as a draft, given its lines, finalized. The
// invoice's state decides the next step, so that a repeat continues where the last one was interrupted.
import { cut } from '#kernel/values/text/text.ts'
import { type Checkout, type CheckoutRequest, PaymentProviderUnavailable, PaymentRefused } from '#ports/payments.ts'
import { type StripeApi, stripeAmount } from './api.ts'
import { cancelCodes } from './codes.ts'
import { ensureCustomer } from './customer.ts'
import { InvoiceAnswer, InvoiceList } from './shapes.ts'

/** Stripe's limit for one invoice; our invoices may have more. */
const MAX_LINES = 250
const MAX_DESCRIPTION = 500
const KEY = 'titular_key'

export async function openCheckout(api: StripeApi, request: CheckoutRequest): Promise<Checkout> {
  const total = stripeAmount(request.amount, request.currency)
  if (total === 0) throw new PaymentRefused('There is nothing to pay')
  const customer = await ensureCustomer(api, request)
  const id = (await findInvoice(api, customer, request.idempotencyKey)) ?? (await make(api, customer, request))
  // A repeated key gives the first answer: the present state has to be retrieved.
  let invoice = await retrieveInvoice(api, id)
  if (invoice.status === 'draft') invoice = await finalize(api, id, { request, total })
  if (invoice.total !== total) throw otherTotal(invoice.total, total)
  if (invoice.status === 'void') throw new PaymentRefused('The invoice was voided at the provider')
  const url = invoice.hosted_invoice_url
  if (!url) throw new PaymentProviderUnavailable('A finalized invoice without its page')
  return { reference: id, checkoutUrl: url, customer }
}

/** The invoice with this key in its metadata: Stripe forgets keys after a day. */
async function findInvoice(api: StripeApi, customer: string, key: string): Promise<string | null> {
  const { data } = await api.ask(InvoiceList, (stripe) => stripe.invoices.list({ customer, limit: 100 }))
  return data.find(({ metadata }) => metadata?.[KEY] === key)?.id ?? null
}

async function make(api: StripeApi, customer: string, request: CheckoutRequest): Promise<string> {
  const { id } = await api.ask(InvoiceAnswer, (stripe) =>
    stripe.invoices.create(
      {
        customer,
        currency: request.currency.toLowerCase(),
        collection_method: 'send_invoice',
        days_until_due: request.daysUntilDue,
        // The service sends mails and reminders; Stripe must not change the invoice by itself.
        auto_advance: false,
        pending_invoice_items_behavior: 'exclude',
        automatic_tax: { enabled: false },
        custom_fields: [{ name: 'Invoice', value: cut(request.invoiceNumber, 140) }],
        metadata: {
          organization_id: String(request.organizationId),
          invoice_id: String(request.invoiceId),
          ...(request.orderId === null ? {} : { order_id: String(request.orderId) }),
          [KEY]: request.idempotencyKey,
        },
      },
      { idempotencyKey: request.idempotencyKey },
    ),
  )
  return id
}

type Draft = { request: CheckoutRequest; total: number }

async function finalize(api: StripeApi, id: string, { request, total }: Draft) {
  const key = (act: string) => ({ idempotencyKey: `${request.idempotencyKey}-${act}` })
  let draft = await retrieveInvoice(api, id)
  if (draft.lines.data.length === 0) {
    const lines = linesOf(request, total)
    draft = await api.ask(InvoiceAnswer, (stripe) => stripe.invoices.addLines(id, { lines }, key('lines')))
  }
  if (draft.total !== total) throw otherTotal(draft.total, total)
  // Without a key, so that the present settings also apply to a draft from before they were changed.
  const payment_settings = { payment_method_types: [...request.methods] }
  await api.ask(InvoiceAnswer, (stripe) => stripe.invoices.update(id, { payment_settings }))
  return api.ask(InvoiceAnswer, (stripe) =>
    stripe.invoices.finalizeInvoice(id, { auto_advance: false }, key('finalize')),
  )
}

/**
 * For example by a tax rate that the account adds: the customer must not be asked for another amount than the
 * invoice's.
 */
const otherTotal = (theirs: number, ours: number): PaymentRefused =>
  new PaymentRefused(`Stripe would ask for ${theirs} instead of ${ours}`)

/** Amounts of whole lines, since discount and tax are already in them. */
function linesOf({ lines, currency, invoiceNumber }: CheckoutRequest, total: number) {
  if (lines.length === 0 || lines.length > MAX_LINES)
    return [{ amount: total, description: `Invoice ${invoiceNumber}` }]
  return lines.map((line) => ({
    amount: stripeAmount(line.total, currency),
    description: cut(`${line.quantity} × ${line.description}`, MAX_DESCRIPTION),
  }))
}

export const retrieveInvoice = (api: StripeApi, id: string) =>
  api.ask(InvoiceAnswer, (stripe) => stripe.invoices.retrieve(id, { expand: ['payments'] }))

/** It may have codes of methods that are not offered any more. */
export async function closeCheckout(api: StripeApi, reference: string, idempotencyKey: string): Promise<void> {
  // First, so that nobody pays one in between.
  await cancelCodes(api, reference)
  try {
    await api.ask(InvoiceAnswer, (stripe) => stripe.invoices.voidInvoice(reference, {}, { idempotencyKey }))
  } catch (error) {
    // Stripe refuses to void both a void invoice and a paid one: the present state tells which it is.
    if (!(error instanceof PaymentRefused)) throw error
    const { status } = await retrieveInvoice(api, reference)
    if (status !== 'void') throw error
  }
}
