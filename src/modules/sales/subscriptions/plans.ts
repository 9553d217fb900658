// What a subscription at the provider has billed since when. A charge may be reported after a change, or made before
// the provider has heard of it, so it is matched with the plan that it pays for (docs/billing.md).
import { billedAgain } from '#modules/sales/orders/billed-again.ts'
import type { OrderRow, Plan } from '#modules/sales/orders/order.ts'

/** Older ones are forgotten: nobody reports a charge after so many changes. */
const MOST_PLANS = 50

/** Oldest first. */
export function withPlan(order: OrderRow, plan: Plan): Plan[] {
  return [...plansOf(order), plan].slice(-MOST_PLANS)
}

function plansOf(order: OrderRow): Plan[] {
  const { subscription_plans: plans, subscription_amount: amount, subscription_requested_at: since } = order
  return (
    plans ?? [
      { since: since ?? order.created_at, amount: amount ?? order.total, line_items: billedAgain(order).line_items },
    ]
  )
}

/**
 * The order as it was billed; null for an amount that nobody has agreed to. Of equal ones the latest that had begun by
 * then.
 */
export function orderCharged(order: OrderRow, amount: string, start: Date): OrderRow | null {
  const equal = plansOf(order).filter((one) => one.amount === amount)
  const plan = equal.findLast(({ since }) => new Date(since) <= start) ?? equal[0]
  if (!plan) return null
  return order.subscription_plans === null ? order : { ...order, subscription_line_items: plan.line_items }
}
