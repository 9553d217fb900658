// Enqueues, in the buyer's transaction, the job that updates the affiliate's commission after a payment or a refund.
import { Type } from 'typebox'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { Id } from '#kernel/values/schema.ts'

/** `is_new`: the order was paid. Otherwise only an existing commission changes. */
export const updateCommission = jobKind('affiliates/commission', {
  organization_id: Id,
  invoice_id: Id,
  is_new: Type.Boolean(),
})

export async function enqueueCommission(
  ctx: OrganizationContext,
  { affiliate_code }: { affiliate_code: string | null },
  payment: { invoice_id: number; is_new: boolean },
): Promise<void> {
  if (affiliate_code === null) return
  await enqueue(
    ctx,
    updateCommission,
    { ...payment, organization_id: ctx.organizationId },
    { key: `commission:${payment.invoice_id}` },
  )
}
