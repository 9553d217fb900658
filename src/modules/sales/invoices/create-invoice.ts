// Creates the open invoice of an order. Callers allocate its number last, so that the series is locked as short as
// possible.
import type { OrderRow } from '#modules/sales/orders/order.ts'
import { addDays } from '#kernel/values/time/calendar.ts'
import { insert } from '#kernel/data/changes.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { formatMoney } from '#kernel/values/money.ts'
import { nextNumber } from '#modules/documents/documents-of-record/number-series.ts'
import type { Company } from '#kernel/values/schema.ts'
import { type KnownTaxes, withholdTaxes } from '#modules/sales/tax-withholding/withhold-taxes.ts'
import { type InvoiceRow, invoicesTable, OF_ORDER } from './invoice.ts'

/** The first series of each legal entity; after a restore `BR2`, `GL2` and so on follow. */
export const SERIES: Record<Company, string> = { entity_br: 'BR', entity_global: 'GL' }
const NUMBER_DIGITS = 6
const DUE_DAYS = 7

export const dueOn = (issueDate: string): string => addDays(issueDate, DUE_DAYS)

type InvoiceNumber = { number: string; series: string }

/** The next number of the legal entity's series; a rollback frees it. */
export async function allocateNumber(ctx: OrganizationContext, company: Company): Promise<InvoiceNumber> {
  const { series, last } = await one(ctx, nextNumber('invoice', company, SERIES[company]))
  return { number: `${series}-${String(last).padStart(NUMBER_DIGITS, '0')}`, series }
}

type NewInvoice = {
  numbered: InvoiceNumber
  issueDate: string
  userId: number | null
  origin?: string
  dueDate?: string
  period?: Pick<InvoiceRow, 'period_start' | 'period_end'>
  /** Where the caller has read it. */
  taxes?: KnownTaxes
  /** The provider has taken the whole amount: nobody can keep anything back of it. */
  isCharged?: true
}

export async function createInvoice(
  ctx: OrganizationContext,
  order: OrderRow,
  { numbered, issueDate, userId, origin = OF_ORDER, dueDate = dueOn(issueDate), period, isCharged, taxes }: NewInvoice,
): Promise<InvoiceRow> {
  const country = order.billing_address?.['country'] ?? null
  const withheld = isCharged ? {} : await withholdTaxes(ctx, { ...order, country, issue_date: issueDate }, taxes)
  return insert(ctx, invoicesTable, {
    ...numbered,
    status: 'open',
    finalized_at: ctx.now.toISOString(),
    company: order.company,
    currency: order.currency,
    ...untouched(order.currency),
    ...withheld,
    discount_total: order.discount_total,
    tax_total: order.tax_total,
    total: order.total,
    billing: order.billing_address,
    line_items: order.line_items,
    issue_date: issueDate,
    due_date: dueDate,
    ...period,
    order_id: order.id,
    purchase_order: order.purchase_order,
    user_id: userId,
    origin,
  })
}

/** The amounts of an invoice without payments, refunds and credit notes. */
export function untouched(currency: string) {
  const nothing = formatMoney(0n, currency)
  const sums = { amount_paid: nothing, refund_reserved: nothing, amount_refunded: nothing, amount_credited: nothing }
  return { ...sums, withheld_total: nothing, withheld_credited: nothing }
}
