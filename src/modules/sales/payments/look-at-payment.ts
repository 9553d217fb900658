// Requests the current state of an invoice or a refund from the provider and applies it. An event only causes the
// request, so the order of events does not matter. Jobs about one record run one after the other, so the last state
// counts.
import { settleRefund } from '#modules/sales/refunds/settle-refund.ts'
import { lookAtSubscription, subscriptionKey } from '#modules/sales/subscriptions/subscription-jobs.ts'
import type { SystemContext } from '#kernel/data/context.ts'
import { enqueue, organizationJob } from '#kernel/jobs/jobs.ts'
import type { ProviderReference } from '#ports/payments.ts'
import { lookAt } from './ask-provider.ts'
import { invoiceKey } from './enqueue-checkout.ts'
import { lookAtDispute, lookAtPayment, lookAtRefund } from './look-jobs.ts'
import type { OwnedSubject } from './payment-references.ts'
import { settlePayment } from './settle-payment.ts'

/** Enqueues the job that requests the state of the record at the provider. */
export function lookLater(
  ctx: SystemContext,
  { organization_id: organizationId, resource, resource_id: id }: OwnedSubject,
  { company, provider, reference }: ProviderReference,
  has_failed = false,
): Promise<void> {
  const at = { company, provider, reference }
  if (resource === 'invoice')
    return enqueue(ctx, lookAtPayment, { invoice_id: id, has_failed, ...at }, { organizationId, key: invoiceKey(id) })
  if (resource === 'refund')
    return enqueue(ctx, lookAtRefund, { refund_id: id, ...at }, { organizationId, key: `refund:${id}` })
  if (resource === 'dispute') return enqueue(ctx, lookAtDispute, at, { organizationId, key: `dispute:${at.reference}` })
  return enqueue(ctx, lookAtSubscription, { order_id: id, ...at }, { organizationId, key: subscriptionKey(id) })
}

export const lookJobs = [
  organizationJob(lookAtPayment, {
    before: (io, { payload }) => lookAt(io, 'invoice', payload),
    run: async (ctx, { payload: { invoice_id, provider, has_failed } }, state) => {
      await settlePayment(ctx, invoice_id, { ...state, provider, hasFailed: has_failed })
    },
  }),
  organizationJob(lookAtRefund, {
    before: (io, { payload }) => lookAt(io, 'refund', payload),
    run: (ctx, { payload: { refund_id } }, state) => settleRefund(ctx, refund_id, state),
  }),
]
