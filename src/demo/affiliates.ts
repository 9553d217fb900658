// The demo's affiliate: a commission that was earned, and a payout that waits for staff.
import { commissionsTable } from '#modules/delivery/affiliates/commission.ts'
import { affiliatesTable } from '#modules/delivery/affiliates/affiliate.ts'
import { earnCommission } from '#modules/delivery/affiliates/jobs.ts'
import { requestPayout } from '#modules/delivery/affiliates/request-payout.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { insert, update } from '#kernel/data/changes.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'

/** For the account of the AFL line that the organization bought. The payment stands for one of a referred customer. */
export async function demoAffiliate(ctx: OrganizationContext, paymentId: number): Promise<void> {
  const { id, currency } = await one(
    ctx,
    sql<{ id: number; currency: string }>`
      select id, currency from affiliates where organization_id = ${ctx.organizationId} order by id limit 1`,
  )
  await update(ctx, affiliatesTable, id, { commission_rate: '12.50' })
  const paid = { paid_on: dayIn(ctx.now, 'UTC'), earns_at: ctx.now.toISOString(), payment_id: paymentId }
  const commission = { affiliate_id: id, status: 'pending', rate: '12.50', currency, amount: '61.25' } as const
  const { id: commissionId } = await insert(ctx, commissionsTable, { ...commission, ...paid })
  await earnCommission(ctx, commissionId)
  await requestPayout(ctx, id, { amount: '50.00' })
}
