// Requests the current state of an invoice or a refund from the provider and applies it. An event only causes the
// request, so the order of events does not matter. Jobs about one record run one after the other, so the last state
// counts.
import { applyRefundState } from '#modules/sales/refunds/apply-refund-state.ts'
import { refreshSubscription, subscriptionKey } from '#modules/sales/subscriptions/subscription-jobs.ts'
import type { SystemContext } from '#kernel/data/context.ts'
import { enqueue, organizationJob } from '#kernel/jobs/jobs.ts'
import type { ProviderReference } from '#ports/payments.ts'
import { fetchProviderState } from './ask-provider.ts'
import { invoiceKey } from './enqueue-checkout.ts'
import { refreshDispute, refreshPayment, refreshRefund } from './refresh-jobs.ts'
import type { OwnedSubject } from './payment-references.ts'
import { applyPaymentState } from './apply-payment-state.ts'

/** Enqueues the job that requests the state of the record at the provider. */
export function enqueueStateRefresh(
  ctx: SystemContext,
  { organization_id: organizationId, resource, resource_id: id }: OwnedSubject,
  { company, provider, reference }: ProviderReference,
  has_failed = false,
): Promise<void> {
  const at = { company, provider, reference }
  if (resource === 'invoice')
    return enqueue(ctx, refreshPayment, { invoice_id: id, has_failed, ...at }, { organizationId, key: invoiceKey(id) })
  if (resource === 'refund')
    return enqueue(ctx, refreshRefund, { refund_id: id, ...at }, { organizationId, key: `refund:${id}` })
  if (resource === 'dispute')
    return enqueue(ctx, refreshDispute, at, { organizationId, key: `dispute:${at.reference}` })
  return enqueue(ctx, refreshSubscription, { order_id: id, ...at }, { organizationId, key: subscriptionKey(id) })
}

export const refreshJobs = [
  organizationJob(refreshPayment, {
    before: (io, { payload }) => fetchProviderState(io, 'invoice', payload),
    run: async (ctx, { payload: { invoice_id, provider, has_failed } }, state) => {
      await applyPaymentState(ctx, invoice_id, { ...state, provider, hasFailed: has_failed })
    },
  }),
  organizationJob(refreshRefund, {
    before: (io, { payload }) => fetchProviderState(io, 'refund', payload),
    run: (ctx, { payload: { refund_id } }, state) => applyRefundState(ctx, refund_id, state),
  }),
]
