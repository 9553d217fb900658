// Opens an invoice's checkout at the payment provider: after acceptance, and again when a credit note lowers the
// amount.
import { invoiceMoves, type InvoiceRow, invoicesTable } from '#modules/sales/invoices/invoice.ts'
import { invoices } from '#modules/sales/invoices/queries.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext, IoContext } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'
import { organizationJob } from '#kernel/jobs/jobs.ts'
import { parseMoney } from '#kernel/values/money.ts'
import { dayIn, daysBetween } from '#kernel/values/time/calendar.ts'
import type { Company } from '#kernel/values/schema.ts'
import { type Checkout, PaymentRefused, type Payments } from '#ports/payments.ts'
import { CODE_METHODS } from '#ports/payment-codes.ts'
import { zoneOf } from '#ports/ports.ts'
import { failPermanently, providerBehind } from './ask-provider.ts'
import { checkoutKey } from './checkout-key.ts'
import {
  closeCheckoutLater,
  fetchCodesLater,
  openCheckout,
  openCheckoutLater,
  replaceCheckout,
  replaceCheckoutLater,
} from './enqueue-checkout.ts'
import { customerAt, rememberPaymentCustomer } from './payment-customer.ts'
import { rememberReference } from './payment-references.ts'
import { type BilledInvoice, billedInvoice } from './queries.ts'
import { settleInvoice } from './settle-invoice.ts'

type CheckoutOutcome =
  | { outcome: 'nothing' }
  | { outcome: 'free' }
  | {
      outcome: 'opened'
      company: Company
      provider: string
      amount: string
      dueOn: string
      checkout: Checkout
      hasCodes: boolean
    }

export const openCheckoutJob = organizationJob(openCheckout, {
  before: (io, { payload }) => open(io, payload.invoice_id),
  run: (ctx, { payload }, opened) => remember(ctx, payload.invoice_id, opened),
})

/** One job closes and then opens, so that two checkouts of an invoice are never open at once (docs/billing.md). */
export const replaceCheckoutJob = organizationJob(replaceCheckout, {
  before: async (io, { payload: { invoice_id, reference } }) => {
    const invoice = await billedInvoice(io, invoice_id)
    if (!invoice) return { opened: { outcome: 'nothing' } as const, isLeftOpen: false }
    const { payments } = await providerBehind(io, invoice.company, reference)
    const isClosed = payments === null || (await close(payments, reference, checkoutKey(invoice, `close-${reference}`)))
    // Not closed, since it was paid in the meantime: the report of that payment opens a checkout for the rest.
    const opened = isClosed ? await open(io, invoice_id) : ({ outcome: 'nothing' } as const)
    return { opened, isLeftOpen: payments === null }
  },
  run: async (ctx, { payload: { invoice_id, reference } }, { opened, isLeftOpen }) => {
    // Its provider is not in use any more: the job that closes it fails, so that staff see the dead letter.
    if (isLeftOpen) await closeCheckoutLater(ctx, invoice_id, reference)
    await remember(ctx, invoice_id, opened)
  },
})

/** False if it was paid. */
async function close(payments: Payments, reference: string, key: string): Promise<boolean> {
  try {
    await payments.closeCheckout(reference, key)
    return true
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error
    const { status } = await payments.look('invoice', reference)
    return status === 'paid' ? false : failPermanently(error)
  }
}

async function open(io: IoContext, invoiceId: number): Promise<CheckoutOutcome> {
  const { ports, organizationId } = io
  const invoice = await billedInvoice(io, invoiceId)
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
    daysUntilDue: daysUntilDue(invoice, zoneOf(ports, invoice.company)),
    methods: invoice.payment_methods,
    lines: checkoutLines(invoice),
  }
  const checkout = await payments.openCheckout(request).catch(failPermanently)
  const { company, amount_due: amount, due_date: dueOn, payment_methods: methods } = invoice
  const hasCodes = invoice.currency === 'BRL' && CODE_METHODS.some((method) => methods.includes(method))
  return { outcome: 'opened', company, provider, amount, dueOn, checkout, hasCodes }
}

/** From the day on which the date was set, not from today: a request that is repeated has to be the same. */
function daysUntilDue({ issue_date, due_date, due_date_changed_at: changedAt }: InvoiceRow, zone: string): number {
  return Math.max(0, daysBetween(changedAt === null ? issue_date : dayIn(new Date(changedAt), zone), due_date))
}

/**
 * Each checkout of an invoice has a key of its own, made of the amount due. The same amount may be due again after a
 * payment and its refund, after one that was moved away, or with another due date, so the key has these, too.
 */
function openingKey(invoice: BilledInvoice): string {
  const { amount_due, amount_paid, amount_refunded, total, currency, due_date_changed_at: changedAt } = invoice
  const moved = invoice.moved_payment_id === null ? '' : `-moved-${invoice.moved_payment_id}`
  const due = `${moved}${changedAt === null ? '' : `-due-${new Date(changedAt).getTime()}`}`
  if (parseMoney(amount_paid, currency) > 0n)
    return checkoutKey(invoice, `open-${amount_due}-paid-${amount_paid}-refunded-${amount_refunded}${due}`)
  return checkoutKey(invoice, `${amount_due === total ? 'open' : `open-${amount_due}`}${due}`)
}

/** The invoice's lines if they add up to the amount due, else one line for the whole amount. */
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

/** An invoice of 0, or what credit notes have left of one that was paid in part. */
async function settleFree(ctx: OrganizationContext, id: number): Promise<void> {
  const { amount_due, amount_paid, currency } = await invoices.forChange(ctx, id)
  // A refund made something due again since the amount was read.
  if (parseMoney(amount_due, currency) > 0n) return openCheckoutLater(ctx, id)
  const method = parseMoney(amount_paid, currency) === 0n ? 'free' : null
  await settleInvoice(ctx, id, { method, paidAt: ctx.now })
}

async function remember(ctx: OrganizationContext, invoiceId: number, opened: CheckoutOutcome): Promise<void> {
  if (opened.outcome === 'nothing') return
  if (opened.outcome === 'free') return settleFree(ctx, invoiceId)
  const { checkout, company, provider, amount, dueOn, hasCodes } = opened
  const { reference } = checkout
  const invoice = await invoices.forChange(ctx, invoiceId)
  await rememberReference(ctx, { company, provider, reference }, { resource: 'invoice', resource_id: invoiceId })
  await rememberPaymentCustomer(ctx, { company, provider }, checkout.customer)
  // Cancelled or paid another way during the request to the provider: the invoice stays as it is.
  if (!allows(invoiceMoves.pay, invoice.status)) return closeCheckoutLater(ctx, invoiceId, reference)
  // A credit note or a payment changed the amount, or staff the due date, during the request to the provider.
  if (amount !== invoice.amount_due || dueOn !== invoice.due_date)
    return replaceCheckoutLater(ctx, invoiceId, reference)
  await update(ctx, invoicesTable, invoiceId, { payment_invoice_id: reference, link: checkout.checkoutUrl })
  if (hasCodes) await fetchCodesLater(ctx, invoiceId, reference)
}
