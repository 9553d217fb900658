// What ends the arrears of an invoice by the schedule: told first, and done not before the days of notice are over.
import { type InvoiceRow, invoiceMoves, invoicesTable } from '#modules/sales/invoices/invoice.ts'
import { invoices } from '#modules/sales/invoices/queries.ts'
import { orders } from '#modules/sales/orders/queries.ts'
import { endSubscription } from '#modules/sales/subscriptions/end-subscription.ts'
import { hasEnded } from '#modules/sales/subscriptions/subscription.ts'
import { move, update } from '#kernel/data/changes.ts'
import { allows } from '#kernel/data/moves.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { addDays } from '#kernel/values/time/calendar.ts'
import { classOf, stepsOf, type Terms } from './schedule.ts'
import { arrearsFrom } from './terms.ts'

type Ending = Pick<InvoiceRow, 'due_date' | 'ending_for' | 'ending_on'>

/** The day on which the arrears end, once the customer was told; null: not told for this due date. */
export const endingOf = ({ due_date, ending_for, ending_on }: Ending): string | null =>
  ending_for === due_date ? ending_on : null

/** The day on which the customer is told; null where nothing ends the arrears. */
export function noticeOf(ctx: OrganizationContext, invoice: InvoiceRow, terms: Terms): string | null {
  const { ends } = stepsOf(terms, classOf(invoice.line_items))
  return ends ? addDays(arrearsFrom(ctx, invoice), ends.after_days - ends.notice_days) : null
}

/** Gives the invoice as it is then. */
export async function endArrears(
  ctx: OrganizationContext,
  invoice: InvoiceRow,
  { terms, today }: { terms: Terms; today: string },
): Promise<InvoiceRow> {
  const { ends } = stepsOf(terms, classOf(invoice.line_items))
  const notice = noticeOf(ctx, invoice, terms)
  if (!ends || notice === null || today < notice) return invoice
  const { id, due_date } = invoice
  const on = endingOf(invoice)
  if (on === null) {
    const planned = addDays(arrearsFrom(ctx, invoice), ends.after_days)
    const earliest = addDays(today, ends.notice_days)
    const told = { ending_for: due_date, ending_on: planned > earliest ? planned : earliest }
    await update(ctx, invoicesTable, id, told, invoicesTable.events.ending)
    return { ...invoice, ...told }
  }
  if (today < on) return invoice
  if (ends.act === 'cancel' && invoice.order_id !== null) await cancelSubscription(ctx, invoice.order_id)
  // The end of the subscription may have made it void.
  const { status } = await invoices.forChange(ctx, id)
  if (!allows(invoiceMoves.markUncollectible, status)) return { ...invoice, status }
  await move(ctx, invoicesTable, id, invoiceMoves.markUncollectible)
  return { ...invoice, status: 'uncollectible' }
}

async function cancelSubscription(ctx: OrganizationContext, orderId: number): Promise<void> {
  if (!hasEnded(await orders.forChange(ctx, orderId))) await endSubscription(ctx, orderId, { at: 'now' })
}
