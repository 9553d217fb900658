// PATCH /orders/{id}/subscription: another quantity or price of lines from the next period on (docs/decisions/0061).
import { amountsOf, asPriced } from '#areas/orders/amounts.ts'
import { billedAgain } from '#areas/orders/billed-again.ts'
import type { LineItem, PricedLine } from '#areas/orders/line-item.ts'
import { type OrderRow, ordersTable } from '#areas/orders/order.ts'
import { orders } from '#areas/orders/queries.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict, invalid } from '#kernel/http/errors.ts'
import { ownBody } from '#kernel/http/organization-body.ts'
import type { Rules } from '#kernel/http/route.ts'
import { withdrawRenewals } from './end-billing.ts'
import { nextStepAt } from './invoice-period.ts'
import { hasEnded, PAUSED, type PlanChange, type PlanLine, TRIALING } from './subscription.ts'

export const planRules: Rules<PlanChange> = ({ line_items = [] }) => {
  const codes = line_items.map(({ entitlement_code }) => entitlement_code)
  const twice = codes.findIndex((code, index) => codes.indexOf(code) < index)
  return twice < 0 ? {} : { [`line_items.${twice}.entitlement_code`]: 'is given twice' }
}

/** Open invoices of periods that have not begun become void and are made anew. */
export async function changePlan(ctx: OrganizationContext, id: number, body: PlanChange): Promise<void> {
  const { line_items } = ownBody(ctx, body)
  const order = await orders.forChange(ctx, id)
  const { subscription_status: status, subscription_anchor: anchor, subscription_ends_at: endsAt } = order
  if (anchor === null || hasEnded(order))
    throw conflict('The order has no subscription with invoices that could change')
  if (endsAt !== null) throw conflict(`The subscription is cancelled and ends at ${endsAt}`)
  if (order.subscription_amount !== billedAgain(order).total)
    throw conflict(`The order is billed ${order.subscription_amount} as a whole: its lines cannot change`)
  const changed = changedLines(order, line_items)
  const until = (await withdrawRenewals(ctx, order)) ?? anchor
  const next = await nextStepAt(ctx, { until, trialEnd: status === TRIALING ? anchor : null })
  const values = {
    subscription_line_items: changed.line_items,
    subscription_amount: changed.total,
    subscription_invoiced_until: until,
    subscription_next_at: status === PAUSED ? null : next,
  }
  await update(ctx, ordersTable, id, values, ordersTable.events.subscription_changed)
}

/** All lines that are billed again, in their order. 422 names the fields as they were sent. */
function changedLines(order: OrderRow, given: readonly PlanLine[]): Pick<OrderRow, 'line_items' | 'total'> {
  const { line_items: before } = billedAgain(order)
  const wanted = given.map((line, index) => {
    const found = before.find(({ entitlement_code }) => entitlement_code === line.entitlement_code)
    if (!found) throw invalid({ [`line_items.${index}.entitlement_code`]: 'is no line that is billed again' })
    return withChange(found, line)
  })
  const priced = amountsOf(wanted, order.currency).line_items
  const merged = before.map((line) => priced.find((one) => one.entitlement_code === line.entitlement_code) ?? line)
  return amountsOf(merged.map(asPriced), order.currency)
}

/** A discount that is not given stays the same amount. */
function withChange(line: LineItem, change: PlanLine): PricedLine {
  const { discount, ...kept } = asPriced(line)
  const isDiscounted = change.discount !== undefined || change.discount_percent !== undefined
  return { ...kept, ...(!isDiscounted && { discount }), ...change }
}
