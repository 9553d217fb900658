// Where the vendor does not bill without access: a subscription is paused when all that it renews is suspended for what
// is due, and goes on when something of it may be used again or nothing is due any more (docs/decisions/0057).
import { type Access, accessOfOrder } from '#modules/delivery/entitlements/arrears.ts'
import { isInArrears } from '#modules/delivery/entitlements/entitlement.ts'
import { invoices, type UnpaidInvoice } from '#modules/sales/invoices/queries.ts'
import { isBilledAgain } from '#modules/sales/orders/billed-again.ts'
import { ARREARS, type OrderRow } from '#modules/sales/orders/order.ts'
import { orders } from '#modules/sales/orders/queries.ts'
import { goOnAfterArrears, pauseBy } from '#modules/sales/subscriptions/pause-subscription.ts'
import { hasEnded, isOver, isRunning } from '#modules/sales/subscriptions/subscription.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { zoneOf } from '#ports/ports.ts'
import { isLeftAlone } from './schedule.ts'
import { termsOf } from './terms.ts'

export async function billByAccess(ctx: OrganizationContext, orderId: number): Promise<void> {
  const order = await orders.forChange(ctx, orderId)
  if (order.subscription_paused_by === ARREARS) return goOnIfSettled(ctx, orderId)
  if (order.subscription_paused_by !== null || !isRunning(order) || isOver(order)) return
  if (order.subscription_ends_at !== null) return
  const { terms } = await termsOf(ctx, order.company)
  if (terms.schedule.bills_without_access !== false) return
  const access = await accessOf(ctx, order)
  if (isUsable(access) || !(await isOwing(ctx, order, access))) return
  const ends = access.flatMap((one) => (isInArrears(one) && one.suspends_at !== null ? [one.suspends_at] : []))
  if (ends.length === 0) return
  const since = new Date(Math.max(...ends.map((end) => Date.parse(end))))
  // What was billed meanwhile, where the worker was down, is taken back.
  await pauseBy(ctx, order, { by: ARREARS, since })
}

export async function goOnIfSettled(ctx: OrganizationContext, orderId: number): Promise<void> {
  const order = await orders.forChange(ctx, orderId)
  if (order.subscription_paused_by !== ARREARS || hasEnded(order) || isOver(order)) return
  const access = await accessOf(ctx, order)
  if (isUsable(access) || !(await isOwing(ctx, order, access))) await goOnAfterArrears(ctx, order)
}

/** Of what the subscription renews. */
const accessOf = async (ctx: OrganizationContext, order: OrderRow): Promise<Access[]> =>
  (await accessOfOrder(ctx, order.id)).filter(({ quote_line }) => isBilledAgain(order, quote_line))

const isUsable = (access: readonly Access[]): boolean => access.some(({ status }) => status === 'active')

/** Whether something is due for it, here or at the payment provider. */
async function isOwing(ctx: OrganizationContext, order: OrderRow, access: readonly Access[]): Promise<boolean> {
  if (order.subscription_failed_attempt !== null) return true
  for (const { id } of access)
    for (const invoice of await invoices.unpaidOf(ctx, id)) if (await isDue(ctx, invoice)) return true
  return false
}

/** Not that of a time to come. */
async function isDue(ctx: OrganizationContext, invoice: UnpaidInvoice): Promise<boolean> {
  const { company, due_date, period_start } = invoice
  const { terms } = await termsOf(ctx, company)
  const hasBegun = period_start === null || new Date(period_start) <= ctx.now
  return hasBegun && due_date <= dayIn(ctx.now, zoneOf(ctx, company)) && !isLeftAlone(terms, due_date)
}
