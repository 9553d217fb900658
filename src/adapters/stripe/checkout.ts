// An invoice at Stripe with its hosted page (docs/decisions/0018): made as a draft, given its lines, finalized. Each step
// is asked for by the invoice's own state, so a repeat goes on where the last one was cut off.
import { cut } from '#kernel/values/text.ts'
import { type Checkout, type CheckoutRequest, PaymentProviderUnavailable, PaymentRefused } from '#ports/payments.ts'
import { type StripeApi, stripeAmount } from './api.ts'
import { ensureCustomer } from './customer.ts'
import { InvoiceAnswer, InvoiceList } from './shapes.ts'

/** Stripe's limit for one invoice; ours may have more. */
const MAX_LINES = 250
const MAX_DESCRIPTION = 500
const KEY = 'titular_key'

export async function openCheckout(
  api: StripeApi,
  methods: readonly string[],
  request: CheckoutRequest,
): Promise<Checkout> {
  const total = stripeAmount(request.amount, request.currency)
  if (total === 0) throw new PaymentRefused('There is nothing to pay')
  const customer = await ensureCustomer(api, request)
  const id = (await madeBefore(api, customer, request.idempotencyKey)) ?? (await make(api, customer, request))
  // A repeated key is answered as it was the first time: only a look tells what the invoice is now.
  let invoice = await lookAtInvoice(api, id)
  if (invoice.status === 'draft') invoice = await finalize(api, id, { request, methods, total })
  if (invoice.total !== total) throw otherTotal(invoice.total, total)
  if (invoice.status === 'void') throw new PaymentRefused('The invoice was voided at the provider')
  const url = invoice.hosted_invoice_url
  if (!url) throw new PaymentProviderUnavailable('A finalized invoice without its page')
  return { reference: id, checkoutUrl: url, customer }
}

/** Keys are forgotten after a day; the invoice itself remembers for longer. */
async function madeBefore(api: StripeApi, customer: string, key: string): Promise<string | null> {
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
        // Mails and reminders are ours; Stripe moves nothing by itself.
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

type Draft = { request: CheckoutRequest; methods: readonly string[]; total: number }

async function finalize(api: StripeApi, id: string, { request, methods, total }: Draft) {
  const key = (act: string) => ({ idempotencyKey: `${request.idempotencyKey}-${act}` })
  let draft = await lookAtInvoice(api, id)
  if (draft.lines.data.length === 0) {
    const lines = linesOf(request, total)
    draft = await api.ask(InvoiceAnswer, (stripe) => stripe.invoices.addLines(id, { lines }, key('lines')))
  }
  if (draft.total !== total) throw otherTotal(draft.total, total)
  // Without a key: what the settings say now counts, also for a draft from before they were changed.
  await api.ask(InvoiceAnswer, (stripe) =>
    stripe.invoices.update(id, { payment_settings: { payment_method_types: [...methods] } }),
  )
  return api.ask(InvoiceAnswer, (stripe) =>
    stripe.invoices.finalizeInvoice(id, { auto_advance: false }, key('finalize')),
  )
}

/** Such as a tax rate that the account adds to everything: nobody may be asked for another amount than ours. */
const otherTotal = (theirs: number, ours: number): PaymentRefused =>
  new PaymentRefused(`Stripe would ask for ${theirs} instead of ${ours}`)

/** Amounts of whole lines: Stripe has no discount or tax of ours to compute with. */
function linesOf({ lines, currency, invoiceNumber }: CheckoutRequest, total: number) {
  if (lines.length === 0 || lines.length > MAX_LINES)
    return [{ amount: total, description: `Invoice ${invoiceNumber}` }]
  return lines.map((line) => ({
    amount: stripeAmount(line.total, currency),
    description: cut(`${line.quantity} × ${line.description}`, MAX_DESCRIPTION),
  }))
}

export const lookAtInvoice = (api: StripeApi, id: string) =>
  api.ask(InvoiceAnswer, (stripe) => stripe.invoices.retrieve(id, { expand: ['payments'] }))

export async function closeCheckout(api: StripeApi, reference: string, idempotencyKey: string): Promise<void> {
  try {
    await api.ask(InvoiceAnswer, (stripe) => stripe.invoices.voidInvoice(reference, {}, { idempotencyKey }))
  } catch (error) {
    // Stripe refuses to void what is void; only a look tells that from an invoice that was paid meanwhile.
    if (!(error instanceof PaymentRefused)) throw error
    const { status } = await lookAtInvoice(api, reference)
    if (status !== 'void') throw error
  }
}
