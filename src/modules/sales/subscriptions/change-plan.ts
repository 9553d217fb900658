// PATCH /orders/{id}/subscription: another quantity or price of lines from the next period on (docs/decisions/0061,
// docs/billing.md).
import { isDeepStrictEqual } from 'node:util'
import { amountsOf, asPriced } from '#modules/sales/orders/amounts.ts'
import { billedAgain } from '#modules/sales/orders/billed-again.ts'
import { type LineItem, MOST, type PricedLine } from '#modules/delivery/products/line-item.ts'
import { type OrderRow, ordersTable } from '#modules/sales/orders/order.ts'
import { assertPayable } from '#ports/payable-amounts.ts'
import { orders } from '#modules/sales/orders/queries.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict, invalid } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import type { Rules } from '#http/route.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { parseMoney } from '#kernel/values/money.ts'
import { withdrawRenewals } from './end-billing.ts'
import { nextStepAt } from './invoice-period.ts'
import { assertGoesOn } from './pause-subscription.ts'
import { withPlan } from './plans.ts'
import { assertSelfService, isCustomer } from './self-service.ts'
import { ACTIVE, hasEnded, isOver, PAUSED, type PlanChange, type PlanLine, TRIALING } from './subscription.ts'
import { changeAtProvider, subscriptionKey } from './subscription-jobs.ts'

export const planRules: Rules<PlanChange> = ({ line_items = [] }) => {
  const codes = line_items.map(({ entitlement_code }) => entitlement_code)
  const twice = codes.findIndex((code, index) => codes.indexOf(code) < index)
  return twice < 0 ? {} : { [`line_items.${twice}.entitlement_code`]: 'is given twice' }
}

/** Open invoices of periods that have not begun become void and are made anew. */
export async function changePlan(ctx: OrganizationContext, id: number, body: PlanChange): Promise<void> {
  const { line_items } = ownBody(ctx, body)
  const order = await orders.forChange(ctx, id)
  const { subscription_status: status, subscription_anchor: anchor } = order
  await assertSelfService(ctx, order, 'quantity')
  if (isCustomer(ctx)) assertQuantitiesAlone(line_items)
  assertChangeable(order)
  const changed = changedLines(ctx, order, line_items)
  // Nothing is withdrawn for the same plan.
  if (isDeepStrictEqual(changed.line_items, billedAgain(order).line_items)) return
  assertPayable(ctx, order, { line_items: changed.total })
  if (anchor === null) return changeCharges(ctx, order, changed)
  const until = (await withdrawRenewals(ctx, order)) ?? anchor
  const next = await nextStepAt(ctx, order, { until, trialEnd: status === TRIALING ? anchor : null })
  const values = {
    subscription_line_items: changed.line_items,
    subscription_amount: changed.total,
    subscription_invoiced_until: until,
    subscription_next_at: status === PAUSED ? null : next,
  }
  await update(ctx, ordersTable, id, values, ordersTable.events.subscription_changed)
}

function assertChangeable(order: OrderRow): void {
  const { subscription_status: status } = order
  const isOurs = order.subscription_anchor !== null && !hasEnded(order)
  const isCharged = order.subscription_reference !== null && !isOver(order) && CHANGEABLE.includes(status ?? '')
  if (!isOurs && !isCharged) throw conflict('no_subscription', 'The order has no subscription that could change')
  assertGoesOn(order)
  if (order.subscription_amount !== billedAgain(order).total)
    throw conflict(
      'billed_as_a_whole',
      `The order is billed ${order.subscription_amount} as a whole: its lines cannot change`,
    )
}

/** At the provider: what is charged already, and may be tried again, is of the plan before. */
const CHANGEABLE: readonly string[] = [ACTIVE, TRIALING, PAUSED]

type PlanAmounts = Pick<OrderRow, 'line_items' | 'total'>

/** A job asks the provider. */
async function changeCharges(
  ctx: OrganizationContext,
  order: OrderRow,
  { line_items, total }: PlanAmounts,
): Promise<void> {
  const { id, currency } = order
  if (parseMoney(total, currency) === 0n) throw invalid({ line_items: 'must add up to more than 0' })
  const values = {
    subscription_line_items: line_items,
    subscription_amount: total,
    subscription_plans: withPlan(order, { since: ctx.now.toISOString(), amount: total, line_items }),
  }
  await update(ctx, ordersTable, id, values, ordersTable.events.subscription_changed)
  await enqueue(ctx, changeAtProvider, { order_id: id }, { key: subscriptionKey(id) })
}

/** All lines that are billed again, in their order. 422 names the fields as they were sent. */
function changedLines(ctx: OrganizationContext, order: OrderRow, given: readonly PlanLine[]): PlanAmounts {
  const { line_items: before } = billedAgain(order)
  const wanted = given.map((line, index) => {
    const found = before.find(({ entitlement_code }) => entitlement_code === line.entitlement_code)
    if (!found) throw invalid({ [`line_items.${index}.entitlement_code`]: 'is no line that is billed again' })
    if (isCustomer(ctx) && found.quantity_min === undefined)
      throw invalid({ [`line_items.${index}.quantity`]: 'is fixed: ask the vendor for another one' })
    return withChange(found, line)
  })
  const priced = amountsOf(wanted, order.currency).line_items
  assertWithinBounds(priced)
  const merged = before.map((line) => priced.find((one) => one.entitlement_code === line.entitlement_code) ?? line)
  return amountsOf(merged.map(asPriced), order.currency)
}

/** Prices, discounts and bounds are the vendor's. */
function assertQuantitiesAlone(given: readonly PlanLine[]): void {
  const others = given.flatMap(({ entitlement_code: _code, quantity: _quantity, ...rest }, index) =>
    Object.keys(rest).map((field) => [`line_items.${index}.${field}`, 'is set by the vendor']),
  )
  if (others.length > 0) throw invalid(Object.fromEntries(others))
}

function assertWithinBounds(lines: readonly LineItem[]): void {
  const problems = lines.flatMap(({ quantity, quantity_min: least = 1, quantity_max: most = MOST }, index) => {
    const words = quantity < least ? `must be at least ${least}` : quantity > most ? `must be at most ${most}` : null
    return words === null ? [] : [[`line_items.${index}.quantity`, words]]
  })
  if (problems.length > 0) throw invalid(Object.fromEntries(problems))
}

/** A discount that is not given stays the same amount, or the same percentage. */
function withChange(line: LineItem, change: PlanLine): PricedLine {
  const { discount, discount_percent, ...kept } = asPriced(line)
  const isDiscounted = change.discount !== undefined || change.discount_percent !== undefined
  return { ...kept, ...(!isDiscounted && { discount, discount_percent }), ...change }
}
