// An order of somebody whom an affiliate brought was paid or given back: the job that crosses to the affiliate's
// organization, asked for in the buyer's transaction.
import { Type } from 'typebox'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { jobKind } from '#kernel/jobs/job-kinds.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { Id } from '#kernel/values/schema.ts'

/** `is_new`: the order was paid. Else only what is there already changes. */
export const noteCommission = jobKind('affiliates/commission', {
  organization_id: Id,
  invoice_id: Id,
  is_new: Type.Boolean(),
})

export async function commissionLater(
  ctx: OrganizationContext,
  { affiliate_code }: { affiliate_code: string | null },
  payment: { invoice_id: number; is_new: boolean },
): Promise<void> {
  if (affiliate_code === null) return
  await enqueue(
    ctx,
    noteCommission,
    { ...payment, organization_id: ctx.organizationId },
    { key: `commission:${payment.invoice_id}` },
  )
}
