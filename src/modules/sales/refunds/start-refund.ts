// Starts a refund: the record, and, at once or after approval, the job that asks the provider for it.
import { amountField } from '#kernel/values/validation/amount-field.ts'
import { type InvoiceRow, invoicesTable } from '#modules/sales/invoices/invoice.ts'
import { notUpTo } from '#modules/sales/invoices/amount-up-to.ts'
import { invoices } from '#modules/sales/invoices/queries.ts'
import { added, refundable } from '#modules/sales/invoices/sums.ts'
import { orders } from '#modules/sales/orders/queries.ts'
import type { Payment } from '#modules/sales/payments/payment.ts'
import { payments } from '#modules/sales/payments/payment-records.ts'
import { taxCorrectionsOf } from '#modules/sales/tax-invoices/corrections.ts'
import { insert, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict, invalid } from '#kernel/values/errors.ts'
import { formatMoney, parseMoney, sum } from '#kernel/values/money.ts'
import type { Company } from '#kernel/values/schema.ts'
import { settingOf } from '#ports/settings-in-force.ts'
import { type Integration, integrationOf } from '#kernel/values/integration.ts'
import { ownBody } from '#http/organization-body.ts'
import { type NewRefund, type Refund, type RefundStarted, refundsTable } from './refund.ts'
import { sendRefundLater } from './send-refund.ts'

/** Only a completed order is refunded on request; before that it is cancelled instead. */
const REFUNDED_FROM = 'completed'
/** In these, staff may refund what is left, for instance after a refund that failed. */
const OVER: readonly string[] = ['cancelled', 'refunded']

/**
 * POST /orders/{id}/refund. Of several paid invoices it refunds the first that has enough left, of periods the latest.
 * Without an amount it refunds all that was paid for the latest period, or, where none has a period, all that was paid.
 */
export async function refundOrder(ctx: OrganizationContext, orderId: number, body: NewRefund): Promise<RefundStarted> {
  const { amount, reason = null, tax_invoice_action: action = null } = ownBody(ctx, body)
  const order = await orders.forChange(ctx, orderId)
  const paid = (await invoices.ofOrderForChange(ctx, orderId))
    .filter(({ status }) => status === 'paid' || status === 'void')
    .toSorted(latestPeriodFirst)
  const isLeft = ctx.caller.staff && OVER.includes(order.status) && paid.some((one) => refundable(one) > 0n)
  if (order.status !== REFUNDED_FROM && !isLeft)
    throw conflict('status_not_allowed', `An order that is ${order.status} cannot be refunded`)
  const asked = { reason, action, given: integrationOf(body) }
  const found: RefundablePart[] = []
  for (const invoice of paid) found.push(...(await partsOf(ctx, invoice)))
  if (amount !== undefined)
    return start(ctx, chosen(found, amountField('amount', amount, order.currency), order.currency), asked)
  const left = paid.filter(({ id }) => found.some(({ invoice }) => invoice.id === id))
  const [latest] = left
  if (!latest) throw notUpTo(formatMoney(0n, order.currency), null)
  return startAll(ctx, latest.period_end === null ? left : [latest], asked)
}

/**
 * POST /invoices/{id}/refund. Customers may ask for what an order would refund, or for a paid invoice without an order.
 */
export async function refundInvoice(ctx: OrganizationContext, id: number, body: NewRefund): Promise<RefundStarted> {
  const { amount, reason = null, tax_invoice_action: action = null } = ownBody(ctx, body)
  const invoice = await invoices.forChange(ctx, id)
  await assertMayAsk(ctx, invoice)
  if (refundable(invoice) === 0n) throw conflict('nothing_to_refund', 'Nothing of the invoice can be refunded')
  const asked = { reason, action, given: integrationOf(body) }
  if (amount === undefined) return startAll(ctx, [invoice], asked)
  const wanted = amountField('amount', amount, invoice.currency)
  return start(ctx, chosen(await partsOf(ctx, invoice), wanted, invoice.currency), asked)
}

async function assertMayAsk(ctx: OrganizationContext, { status, order_id }: InvoiceRow): Promise<void> {
  if (ctx.caller.staff) return
  if (status !== 'paid') throw conflict('status_not_allowed', `An invoice that is ${status} cannot be refunded`)
  if (order_id === null) return
  const order = await orders.forChange(ctx, order_id)
  if (order.status !== REFUNDED_FROM)
    throw conflict('status_not_allowed', `An order that is ${order.status} cannot be refunded`)
}

/** The latest period is refunded first. Invoices without a period come last, in their order. */
const latestPeriodFirst = (one: InvoiceRow, other: InvoiceRow): number =>
  Date.parse(other.period_end ?? EARLIEST) - Date.parse(one.period_end ?? EARLIEST)
const EARLIEST = '0001-01-01'

/** Refunds all that is not refunded yet. */
export async function refundRest(ctx: OrganizationContext, invoice: InvoiceRow, reason: string): Promise<void> {
  await startRest(ctx, invoice, { reason, action: null })
}

/** Payment by payment. */
async function startRest(ctx: OrganizationContext, { id }: InvoiceRow, asked: RefundOptions): Promise<Refund[]> {
  const started: Refund[] = []
  for (;;) {
    const [part] = await partsOf(ctx, await invoices.forChange(ctx, id))
    if (!part) return started
    started.push(await startRefund(ctx, part, started.length === 0 ? asked : again(asked)))
  }
}

/** An external id is that of the first refund. */
const again = ({ given, ...asked }: RefundOptions): RefundOptions =>
  given?.metadata === undefined ? asked : { ...asked, given: { metadata: given.metadata } }

/** All that is left of each invoice. */
async function startAll(ctx: OrganizationContext, all: InvoiceRow[], asked: RefundOptions): Promise<RefundStarted> {
  const started: Refund[] = []
  for (const invoice of all)
    started.push(...(await startRest(ctx, invoice, started.length === 0 ? asked : again(asked))))
  const corrections = []
  for (const { id } of all) corrections.push(...(await taxCorrectionsOf(ctx, id, { isWhole: true })))
  return answered(started, corrections)
}

function answered(started: readonly Refund[], tax_invoices: RefundStarted['tax_invoices']): RefundStarted {
  const [first] = started
  if (!first) throw conflict('nothing_to_refund', 'Nothing can be refunded')
  const { id: refund_id, status, currency } = first
  const amount = formatMoney(sum(started.map((one) => parseMoney(one.amount, currency))), currency)
  return { refund_id, refund_ids: started.map(({ id }) => id), amount, status, tax_invoices }
}

/** What can be refunded of one payment of an invoice. */
type RefundablePart = { invoice: InvoiceRow; payment_id: number; amount: bigint }

/** Latest payment first. */
async function partsOf(ctx: OrganizationContext, invoice: InvoiceRow): Promise<RefundablePart[]> {
  const most = refundable(invoice)
  if (most === 0n) return []
  const found = await payments.refundable(ctx, invoice.id)
  return found
    .map(({ id, left }) => ({ invoice, payment_id: id, amount: least(parseMoney(left, invoice.currency), most) }))
    .filter(({ amount }) => amount > 0n)
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** An amount is refunded of one payment: the first that has enough left. */
function chosen(found: RefundablePart[], wanted: bigint, currency: string): RefundablePart {
  const part = found.find(({ amount }) => amount >= wanted)
  const most = found.reduce((largest, { amount }) => (amount > largest ? amount : largest), 0n)
  if (!part || wanted <= 0n) throw notUpTo(formatMoney(most, currency), wanted)
  return { ...part, amount: wanted }
}

type RefundOptions = { reason: string | null; action: Refund['tax_invoice_action']; given?: Integration }

async function start(ctx: OrganizationContext, part: RefundablePart, asked: RefundOptions): Promise<RefundStarted> {
  const { invoice, amount } = part
  const isWhole = amount === refundable(invoice)
  if (!isWhole) assertNoCancelling(asked.action)
  const refund = await startRefund(ctx, part, asked)
  return answered([refund], await taxCorrectionsOf(ctx, invoice.id, { isWhole }))
}

async function startRefund(
  ctx: OrganizationContext,
  { invoice, payment_id, amount }: RefundablePart,
  { reason, action, given }: RefundOptions,
): Promise<Refund> {
  assertNotDisputed(invoice)
  const { id: invoice_id, order_id, currency, company } = invoice
  const refund_reserved = added(invoice.refund_reserved, amount, currency)
  await update(ctx, invoicesTable, invoice_id, { refund_reserved })
  const of = { order_id, invoice_id, payment_id }
  const wanted = { amount: formatMoney(amount, currency), currency, reason, tax_invoice_action: action }
  return requestRefund(ctx, company, { ...of, ...wanted, ...given })
}

type RefundValues = Pick<Refund, 'amount' | 'currency' | 'reason'> &
  Partial<Pick<Refund, 'order_id' | 'invoice_id' | 'payment_id' | 'credit_balance_id' | 'tax_invoice_action'>> &
  Integration

/** The caller has reserved the amount. */
export async function requestRefund(ctx: OrganizationContext, company: Company, wanted: RefundValues): Promise<Refund> {
  const isApproved = (await settingOf(ctx, company, 'refunds')) === 'automatic'
  const requested = { status: 'processing' as const, is_approved: isApproved, requested_by: ctx.caller.userId }
  const refund = await insert(ctx, refundsTable, { ...wanted, ...requested })
  if (isApproved) await sendRefundLater(ctx, refund.id)
  return refund
}

/** The bank may give the money back: a refund beside that would pay it twice. */
export function assertNotDisputed({ number, dispute_status }: InvoiceRow): void {
  if (dispute_status === 'open')
    throw conflict('payment_disputed', `The payment of invoice ${number} is disputed: the bank decides`)
}

/** For the surplus of a payment in the credit balance: the bank may take back all of the payment. */
export async function assertPaymentNotDisputed(ctx: OrganizationContext, { invoice_id }: Payment): Promise<void> {
  if (invoice_id !== null) assertNotDisputed(await invoices.forChange(ctx, invoice_id))
}

/** A tax invoice of which a part remains is substituted by one about the rest. */
export function assertNoCancelling(action: Refund['tax_invoice_action']): void {
  if (action === 'cancel')
    throw invalid({ tax_invoice_action: 'can be cancel only when nothing is left of the invoice' })
}
