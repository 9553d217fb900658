// The beginning of the service's own billing of an order on request of staff: with its first payment, after the time
// that is paid, or after a trial (docs/decisions/0061).
import { endsOfOrder } from '#modules/delivery/entitlements/paid-end.ts'
import type { OrderRow } from '#modules/sales/orders/order.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { assertTrial, beginTrial } from './begin-trial.ts'
import { nextStepAt } from './invoice-period.ts'
import { paidUntil } from './paid-periods.ts'
import { ACTIVE, TRIALING, UNPAID } from './subscription.ts'

const DAY_MS = 86_400_000

/** The columns of the order. */
export async function beginSending(
  ctx: OrganizationContext,
  order: OrderRow,
  trialDays: number | undefined,
): Promise<Partial<OrderRow>> {
  if (trialDays !== undefined) {
    await assertTrial(ctx, order)
    await beginTrial(ctx, order)
    return begunAt(ctx, order, { status: TRIALING, anchor: new Date(ctx.now.getTime() + trialDays * DAY_MS) })
  }
  if (order.date_paid === null) return { subscription_status: UNPAID }
  const ends = await endsOfOrder(ctx, order.id)
  const paid = await paidUntil(ctx, order)
  return begunAt(ctx, order, {
    status: ACTIVE,
    anchor: new Date(Math.max(ctx.now.getTime(), ...ends, paid?.getTime() ?? 0)),
  })
}

async function begunAt(
  ctx: OrganizationContext,
  order: OrderRow,
  { status, anchor }: { status: string; anchor: Date },
): Promise<Partial<OrderRow>> {
  const at = anchor.toISOString()
  return {
    subscription_status: status,
    ...(status === TRIALING && { subscription_trial_ends_at: at }),
    subscription_anchor: at,
    subscription_invoiced_until: at,
    subscription_next_at: await nextStepAt(ctx, order, { until: at, trialEnd: status === TRIALING ? at : null }),
  }
}
