// Records a payment that was moved to an invoice of another organization. It was permitted and checked when it left, so
// nothing refuses it any more: of an invoice that was voided meanwhile it goes to the credit balance.
import { actingStaff } from '#modules/identity/staff/acting-staff.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { enqueue, systemJob } from '#kernel/jobs/jobs.ts'
import { Id, Line, Nullable } from '#kernel/values/schema.ts'
import { payments } from './payment-records.ts'
import { settleInvoice } from './settle-invoice.ts'

const receiveMoved = jobKind('payments/receive-moved', {
  organization_id: Id,
  payment_id: Id,
  to_organization_id: Id,
  invoice_id: Id,
  moved_by: Nullable(Id),
  request_id: Line,
})

export const receiveMovedLater = (
  ctx: OrganizationContext,
  to: { payment_id: number; to_organization_id: number; invoice_id: number },
): Promise<void> =>
  enqueue(ctx, receiveMoved, {
    ...to,
    organization_id: ctx.organizationId,
    moved_by: ctx.caller.userId,
    request_id: ctx.requestId,
  })

export const receiveMovedJob = systemJob(receiveMoved, {
  // Whoever moved it stands in the audit log, under the request by which staff find both ends.
  before: async (io, { payload: { moved_by } }) => (moved_by === null ? null : actingStaff(io, moved_by, ['finances'])),
  run: async (ctx, { payload }, staff) => {
    const { organization_id, payment_id, to_organization_id, invoice_id, request_id: requestId } = payload
    const payment = await one(ctx, payments.view(organization_id, payment_id))
    const inside = await ctx.enter(to_organization_id)
    const acting = { ...inside, requestId, caller: staff ?? inside.caller }
    const { amount, payment_method: method, paid_at } = payment
    // The time of an organization with a test clock may be behind.
    const paidAt = new Date(Math.min(Date.parse(paid_at), inside.now.getTime()))
    await settleInvoice(acting, invoice_id, { method, amount, paidAt })
  },
})
