// The checkout of an invoice at the payment provider: opened after acceptance, and anew when less is owed.
import { invoiceMoves, type InvoiceRow, invoicesTable } from '#areas/invoices/invoice.ts'
import { invoices } from '#areas/invoices/queries.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext, IoContext } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'
import { organizationJob } from '#kernel/jobs/jobs.ts'
import { parseMoney } from '#kernel/values/money.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { Checkout } from '#ports/payments.ts'
import { failPermanently, providerBehind } from './ask-provider.ts'
import { checkoutKey } from './checkout-key.ts'
import { closeCheckoutLater, openCheckout, replaceCheckout, replaceCheckoutLater } from './enqueue-checkout.ts'
import { customerAt, rememberPaymentCustomer } from './payment-customer.ts'
import { rememberReference } from './payment-references.ts'
import { billedInvoice } from './queries.ts'
import { settleInvoice } from './settle-invoice.ts'

type Opened =
  | { outcome: 'nothing' }
  | { outcome: 'free' }
  | { outcome: 'opened'; company: Company; provider: string; amount: string; checkout: Checkout }

export const openCheckoutJob = organizationJob(openCheckout, {
  before: (io, { payload }) => open(io, payload.invoice_id),
  run: (ctx, { payload }, opened) => remember(ctx, payload.invoice_id, opened),
})

/** One job for both, so that nothing is opened as long as the old one can be paid (docs/decisions/0016). */
export const replaceCheckoutJob = organizationJob(replaceCheckout, {
  before: async (io, { payload: { invoice_id, reference } }) => {
    const [invoice] = await io.read(billedInvoice(io.organizationId ?? 0, invoice_id))
    if (!invoice) return { opened: { outcome: 'nothing' } as const, isLeftOpen: false }
    const { payments } = await providerBehind(io, invoice.company, reference)
    await payments?.closeCheckout(reference, checkoutKey(invoice, `close-${reference}`)).catch(failPermanently)
    return { opened: await open(io, invoice_id), isLeftOpen: payments === null }
  },
  run: async (ctx, { payload: { invoice_id, reference } }, { opened, isLeftOpen }) => {
    // At a provider that is not in use any more: the job that cannot close it brings it before staff.
    if (isLeftOpen) await closeCheckoutLater(ctx, invoice_id, reference)
    await remember(ctx, invoice_id, opened)
  },
})

async function open({ read, ports, organizationId }: IoContext, invoiceId: number): Promise<Opened> {
  const [invoice] = await read(billedInvoice(organizationId ?? 0, invoiceId))
  if (!invoice || !allows(invoiceMoves.pay, invoice.status) || invoice.payment_invoice_id !== null)
    return { outcome: 'nothing' }
  if (parseMoney(invoice.amount_due, invoice.currency) === 0n) return { outcome: 'free' }
  const payments = ports.payments[invoice.company]
  if (!payments) return { outcome: 'nothing' }
  const { provider } = payments
  const request = {
    idempotencyKey: openingKey(invoice),
    organizationId: organizationId ?? 0,
    organizationName: invoice.organization_name,
    organizationEmail: invoice.organization_email,
    organizationCnpj: invoice.organization_cnpj,
    customer: customerAt(provider, invoice),
    orderId: invoice.order_id,
    invoiceId: invoice.id,
    invoiceNumber: invoice.number,
    amount: invoice.amount_due,
    currency: invoice.currency,
    daysUntilDue: Math.max(0, invoice.days_until_due),
    lines: checkoutLines(invoice),
  }
  const checkout = await payments.openCheckout(request).catch(failPermanently)
  return { outcome: 'opened', company: invoice.company, provider, amount: invoice.amount_due, checkout }
}

/** After a credit note it is another act: each of them leaves less to pay. */
const openingKey = (invoice: InvoiceRow): string =>
  checkoutKey(invoice, invoice.amount_due === invoice.total ? 'open' : `open-${invoice.amount_due}`)

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

async function remember(ctx: OrganizationContext, invoiceId: number, opened: Opened): Promise<void> {
  if (opened.outcome === 'nothing') return
  if (opened.outcome === 'free') return settleInvoice(ctx, invoiceId, { method: 'free', paidAt: ctx.now })
  const { checkout, company, provider, amount } = opened
  const { reference } = checkout
  const invoice = await invoices.forChange(ctx, invoiceId)
  await rememberReference(ctx, { company, provider, reference }, { resource: 'invoice', resource_id: invoiceId })
  await rememberPaymentCustomer(ctx, { company, provider }, checkout.customer)
  // Cancelled, or paid another way, while the provider was asked: how it was paid stays what it is.
  if (!allows(invoiceMoves.pay, invoice.status)) return closeCheckoutLater(ctx, invoiceId, reference)
  // Credited, while the provider was asked for more.
  if (amount !== invoice.amount_due) return replaceCheckoutLater(ctx, invoiceId, reference)
  await update(ctx, invoicesTable, invoiceId, { payment_invoice_id: reference, link: checkout.checkoutUrl })
}
