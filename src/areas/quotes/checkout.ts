// The checkout of an invoice at the payment provider: opened after acceptance, closed when the invoice is void.
import { closeCheckoutLater, replaceCheckoutLater } from '#areas/invoices/checkout-later.ts'
import { invoiceMoves, type InvoiceRow, invoicesTable } from '#areas/invoices/invoice.ts'
import { invoices } from '#areas/invoices/queries.ts'
import { rememberPaymentCustomer } from '#areas/organizations/payment-customer.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext, IoContext } from '#kernel/data/context.ts'
import { PermanentFailure, organizationJob } from '#kernel/jobs/jobs.ts'
import { parseMoney } from '#kernel/values/money.ts'
import { allows } from '#kernel/data/moves.ts'
import type { Company } from '#kernel/values/schema.ts'
import { sql } from '#kernel/data/sql.ts'
import { type Checkout, PaymentRefused, type Payments } from '#ports/payments.ts'
import { settleInvoice } from './settle.ts'

type Billed = InvoiceRow & {
  organization_name: string
  organization_email: string | null
  organization_cnpj: string | null
  days_until_due: number
  customer: string | null
}

const toOpen = (org: number, id: unknown) => sql<Billed>`
  select i.id, i.number, i.status, i.total, i.amount_due, i.currency, i.company, i.line_items, i.created_at, i.payment_invoice_id,
         i.order_id, i.due_date - i.issue_date as days_until_due, o.cnpj as organization_cnpj,
         coalesce(o.legal_name, o.name) as organization_name, o.email as organization_email,
         case i.company when 'entity_br' then o.payment_customer_id_br else o.payment_customer_id_global end as customer
    from invoices i join organizations o on o.organization_id = ${org} and o.id = i.organization_id
   where i.organization_id = ${org} and i.id = ${id}`

/** The same business act, the same key: a job that is run again opens nothing new. */
const keyFor = ({ id, created_at }: InvoiceRow, act: string): string =>
  `invoice-${id}-${new Date(created_at).getTime()}-${act}`

/** After a credit note it is another act: each of them leaves less to pay. */
const openingKey = (invoice: InvoiceRow): string =>
  keyFor(invoice, invoice.amount_due === invoice.total ? 'open' : `open-${invoice.amount_due}`)

async function openCheckout({ read, ports, organizationId }: IoContext, invoiceId: unknown): Promise<Opened> {
  const [invoice] = await read(toOpen(organizationId ?? 0, invoiceId))
  if (!invoice || !allows(invoiceMoves.pay, invoice.status) || invoice.payment_invoice_id !== null)
    return { outcome: 'nothing' }
  if (parseMoney(invoice.amount_due, invoice.currency) === 0n) return { outcome: 'free', invoiceId: invoice.id }
  const payments = ports.payments[invoice.company]
  if (!payments) return { outcome: 'nothing' }
  const request = {
    idempotencyKey: openingKey(invoice),
    organizationId: organizationId ?? 0,
    organizationName: invoice.organization_name,
    organizationEmail: invoice.organization_email,
    organizationCnpj: invoice.organization_cnpj,
    customer: invoice.customer,
    orderId: invoice.order_id,
    invoiceId: invoice.id,
    invoiceNumber: invoice.number,
    amount: invoice.amount_due,
    currency: invoice.currency,
    daysUntilDue: Math.max(0, invoice.days_until_due),
    lines: checkoutLines(invoice),
  }
  return {
    outcome: 'opened',
    invoiceId: invoice.id,
    company: invoice.company,
    amount: invoice.amount_due,
    checkout: await payments.openCheckout(request).catch(failForGood),
  }
}

type Opened =
  | { outcome: 'nothing' }
  | { outcome: 'free'; invoiceId: number }
  | { outcome: 'opened'; invoiceId: number; company: Company; amount: string; checkout: Checkout }

/** The invoice's own lines where they make the amount; else one line for all of it. */
function checkoutLines({ line_items, number, amount_due, currency }: InvoiceRow) {
  const minor = (amount: string) => parseMoney(amount, currency)
  const sum = line_items.reduce((total, line) => total + minor(line.total), 0n)
  if (sum !== minor(amount_due)) return [{ description: number, quantity: 1, unitPrice: amount_due, total: amount_due }]
  return line_items.map((line) => ({
    description: line.product_name,
    quantity: line.quantity,
    unitPrice: line.unit_price,
    total: line.total,
  }))
}

function failForGood(error: unknown): never {
  if (error instanceof PaymentRefused) throw new PermanentFailure(`the payment provider refused: ${error.message}`)
  throw error
}

async function rememberCheckout(ctx: OrganizationContext, opened: Opened): Promise<void> {
  if (opened.outcome === 'nothing') return
  const { invoiceId } = opened
  if (opened.outcome === 'free') return settleInvoice(ctx, invoiceId, { method: 'free', paidAt: ctx.now })
  const { checkout, company, amount } = opened
  const invoice = await invoices.forChange(ctx, invoiceId)
  await rememberReference(ctx, company, checkout.reference, invoiceId)
  await rememberPaymentCustomer(ctx, company, checkout.customer)
  // Cancelled, or paid another way, while the provider was asked: how it was paid stays what it is.
  if (!allows(invoiceMoves.pay, invoice.status)) return closeCheckoutLater(ctx, invoiceId, checkout.reference)
  // Credited, while the provider was asked for more.
  if (amount !== invoice.amount_due) return replaceCheckoutLater(ctx, invoiceId, checkout.reference)
  await update(ctx, invoicesTable, invoiceId, { payment_invoice_id: checkout.reference, link: checkout.checkoutUrl })
}

/** Kept for good: a payment of a checkout that was closed too late is found, and then refused for its amount. */
const rememberReference = (ctx: OrganizationContext, company: Company, reference: string, invoiceId: number) =>
  ctx.ask(sql`
    insert into payment_references (company, reference, organization_id, resource, resource_id)
    values (${company}, ${reference}, ${ctx.organizationId}, 'invoice', ${invoiceId})
    on conflict do nothing returning reference`)

async function close(payments: Payments, reference: string, key: string): Promise<void> {
  try {
    await payments.closeCheckout(reference, key)
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error
    // Paid meanwhile: the news of it comes by itself, and is parked with what it is about.
    const state = await payments.look('invoice', reference)
    if (state.status !== 'paid') failForGood(error)
  }
}

export const checkoutJobs = [
  organizationJob<Opened>({
    kind: 'quotes/open-checkout',
    before: (outside, { payload }) => openCheckout(outside, payload['invoice_id']),
    run: (ctx, _job, opened) => rememberCheckout(ctx, opened),
  }),
  // One job for both, so that nothing is opened as long as the old one can be paid (docs/decisions/0016).
  organizationJob<Opened>({
    kind: 'quotes/replace-checkout',
    before: async (outside, { payload }) => {
      const { invoice_id, reference } = payload
      const [invoice] = await outside.read(toOpen(outside.organizationId ?? 0, invoice_id))
      const payments = invoice && outside.ports.payments[invoice.company]
      if (!payments) return { outcome: 'nothing' }
      await payments.closeCheckout(String(reference), keyFor(invoice, `close-${String(reference)}`)).catch(failForGood)
      return openCheckout(outside, invoice_id)
    },
    run: (ctx, _job, opened) => rememberCheckout(ctx, opened),
  }),
  organizationJob({
    kind: 'quotes/close-checkout',
    before: async ({ read, ports, organizationId }, { payload }) => {
      const [invoice] = await read(toOpen(organizationId ?? 0, payload['invoice_id']))
      const named = payload['reference']
      const reference = typeof named === 'string' ? named : invoice?.payment_invoice_id
      if (!invoice || !reference) return
      const payments = ports.payments[invoice.company]
      if (payments) await close(payments, reference, keyFor(invoice, `close-${reference}`))
    },
  }),
]
