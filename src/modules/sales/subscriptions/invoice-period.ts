// The service's own billing of an order, one step at a time: the invoice of its next period, or its end
// (docs/decisions/0061).
import { deliveriesOfOrder } from '#modules/delivery/entitlements/paid-end.ts'
import { allocateNumber, createInvoice, dueOn } from '#modules/sales/invoices/create-invoice.ts'
import { OF_SUBSCRIPTION } from '#modules/sales/invoices/invoice.ts'
import { invoices } from '#modules/sales/invoices/queries.ts'
import { intervalOf, invoicedAt } from '#modules/sales/orders/billed-again.ts'
import { type OrderRow, ordersTable } from '#modules/sales/orders/order.ts'
import { orders } from '#modules/sales/orders/queries.ts'
import { openCheckoutLater } from '#modules/sales/payments/enqueue-checkout.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { addMonths, dayIn } from '#kernel/values/time/calendar.ts'
import { monthsAfter, nextPeriod } from '#modules/delivery/entitlements/periods.ts'
import { zoneOf } from '#ports/ports.ts'
import { endBilling } from './end-billing.ts'
import { renewalLines } from './renewal-lines.ts'
import { ACTIVE, isOver, TRIALING } from './subscription.ts'

/** More of one order are left to the next run. */
const MOST_AT_ONCE = 24

/** What is due by now, oldest first; nothing when another process has done it meanwhile. */
export async function billDue(ctx: OrganizationContext, orderId: number): Promise<void> {
  for (let steps = 0; steps < MOST_AT_ONCE; steps++)
    if (!(await takeStep(ctx, await orders.forChange(ctx, orderId)))) return
}

/** False when nothing is due, or the step has to be tried later. */
async function takeStep(ctx: OrganizationContext, order: OrderRow): Promise<boolean> {
  const { subscription_next_at: next, subscription_anchor: anchor, subscription_invoiced_until: until } = order
  if (next === null || anchor === null || until === null || isOver(order) || new Date(next) > ctx.now) return false
  if (order.subscription_ends_at !== null) return endBilling(ctx, order)
  const isDue = new Date(await invoicedAt(ctx, order.company, new Date(until))) <= ctx.now
  const billed = isDue ? await invoiceNext(ctx, order, { anchor: new Date(anchor), until: new Date(until) }) : until
  const isTrial = order.subscription_status === TRIALING && new Date(anchor) > ctx.now
  const changed = {
    subscription_status: isTrial ? TRIALING : ACTIVE,
    subscription_invoiced_until: billed,
    subscription_next_at: await nextStepAt(ctx, order, { until: billed, trialEnd: isTrial ? anchor : null }),
  }
  await update(ctx, ordersTable, order.id, changed, ordersTable.events.subscription_changed)
  return true
}

/** When there is something to do: the next invoice, or the end of the trial. */
export async function nextStepAt(
  ctx: OrganizationContext,
  { company }: Pick<OrderRow, 'company'>,
  { until, trialEnd }: { until: string; trialEnd: string | null },
): Promise<string> {
  const invoiceAt = await invoicedAt(ctx, company, new Date(until))
  return trialEnd !== null && trialEnd < invoiceAt ? trialEnd : invoiceAt
}

/** Where billing began with the end of a term: when that was sold, from which its periods are counted too. */
async function soldBefore(ctx: OrganizationContext, order: OrderRow, anchor: Date): Promise<Date | undefined> {
  const zone = zoneOf(ctx, order.company)
  const endsThen = ({ at, line }: { at: Date; line: number | null }): boolean => {
    const months = order.line_items[line ?? -1]?.term_months ?? null
    return months !== null && dayIn(addMonths(at, months, zone), zone) === dayIn(anchor, zone)
  }
  return (await deliveriesOfOrder(ctx, order.id)).find(endsThen)?.at
}

/** Gives the end of the period. What is late has as long to be paid as any other invoice. */
async function invoiceNext(
  ctx: OrganizationContext,
  order: OrderRow,
  { anchor, until }: { anchor: Date; until: Date },
): Promise<string> {
  const start = until
  const interval = intervalOf(ctx, order)
  const sold = await soldBefore(ctx, order, anchor)
  const { end } = sold
    ? { end: monthsAfter(until, interval, [sold]) }
    : nextPeriod([{ start: anchor, end: until }], anchor, interval)
  const zone = zoneOf(ctx, order.company)
  const [issueDate, firstDay] = [dayIn(ctx.now, zone), dayIn(start, zone)]
  const lines = renewalLines(order, order.subscription_amount ?? order.total)
  const billing_address = await invoices.billing(ctx)
  const invoice = await createInvoice(
    ctx,
    { ...lines, billing_address },
    {
      issueDate,
      dueDate: firstDay < issueDate ? dueOn(issueDate) : firstDay,
      period: { period_start: start.toISOString(), period_end: end.toISOString() },
      userId: null,
      origin: OF_SUBSCRIPTION,
      numbered: await allocateNumber(ctx, order.company),
    },
  )
  await openCheckoutLater(ctx, invoice.id)
  return end.toISOString()
}
