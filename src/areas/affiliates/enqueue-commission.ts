// An order of somebody whom an affiliate brought was paid or given back: the job that crosses to the affiliate's
// organization, asked for in the buyer's transaction.
import type { OrganizationContext } from '#kernel/data/context.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'

/** `is_new`: the order was paid. Else only what is there already changes. */
export async function commissionLater(
  ctx: OrganizationContext,
  { affiliate_code }: { affiliate_code: string | null },
  payment: { invoice_id: number; is_new: boolean },
): Promise<void> {
  if (affiliate_code === null) return
  await enqueue(
    ctx,
    'affiliates/commission',
    { ...payment, organization_id: ctx.organizationId },
    { key: `commission:${payment.invoice_id}` },
  )
}
