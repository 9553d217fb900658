// The open invoice of an order. Its number is drawn last, so that the series is held for as short as possible.
import type { OrderRow } from '#areas/orders/order.ts'
import { addDays } from '#kernel/calendar.ts'
import { insert } from '#kernel/changes.ts'
import { one, type OrganizationContext } from '#kernel/context.ts'
import { nextNumber } from '#kernel/number-series.ts'
import type { Company } from '#kernel/schema.ts'
import { type InvoiceRow, invoicesTable } from './invoice.ts'

/** The first of each legal entity; a restore goes on with `BR2`, `GL2` and so on. */
export const SERIES: Record<Company, string> = { entity_br: 'BR', entity_global: 'GL' }
const NUMBER_DIGITS = 6
const DUE_DAYS = 7

export const dueOn = (issueDate: string): string => addDays(issueDate, DUE_DAYS)

export async function createInvoice(
  ctx: OrganizationContext,
  order: OrderRow,
  { issueDate, userId, origin = 'order' }: { issueDate: string; userId: number | null; origin?: string },
): Promise<InvoiceRow> {
  const { series, last } = await one(ctx, nextNumber('invoice', order.company, SERIES[order.company]))
  return insert(ctx, invoicesTable, {
    number: `${series}-${String(last).padStart(NUMBER_DIGITS, '0')}`,
    status: 'open',
    company: order.company,
    series,
    currency: order.currency,
    total: order.total,
    line_items: order.line_items,
    issue_date: issueDate,
    due_date: dueOn(issueDate),
    order_id: order.id,
    purchase_order: order.purchase_order,
    user_id: userId,
    origin,
  })
}
