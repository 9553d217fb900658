// Asks the provider for a refund. It confirms in its answer, or later by an event.
import { providerBehind } from '#modules/sales/payments/ask-provider.ts'
import { rememberReference } from '#modules/sales/payments/payment-references.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { enqueue, organizationJob, PermanentFailure } from '#kernel/jobs/jobs.ts'
import { Id } from '#kernel/values/schema.ts'
import { PaymentRefused, type ProviderReference, type ProviderRefund } from '#ports/payments.ts'
import { refunds } from './queries.ts'
import { refundsTable } from './refund.ts'
import { applyRefundState } from './apply-refund-state.ts'

export const sendRefund = jobKind('refunds/send', { refund_id: Id })

export const sendRefundLater = (ctx: OrganizationContext, id: number): Promise<void> =>
  enqueue(ctx, sendRefund, { refund_id: id }, { key: `refund:${id}` })

/** An earlier attempt may have been answered by a provider that cannot be asked any more. */
const mayBeThere = (id: number, provider: string): PermanentFailure =>
  new PermanentFailure(
    `refund ${id} may have reached ${provider}, which is not in use any more: look there, then settle it by hand`,
  )

type SendResult =
  | { outcome: 'nothing' }
  /** To the credit balance that the payment was made from. */
  | { outcome: 'returned'; refundId: number }
  | { outcome: 'refused'; refundId: number; reason: string }
  | { outcome: 'sent'; refundId: number; at: ProviderReference; answer: ProviderRefund }

export const sendRefundJob = organizationJob(sendRefund, {
  before: async (io, { payload, wasTried }): Promise<SendResult> => {
    const [refund] = await io.read(refunds.toSend(io.organizationId ?? 0, payload.refund_id))
    if (!refund || refund.status !== 'processing' || !refund.is_approved || refund.provider_reference !== null)
      return { outcome: 'nothing' }
    const { id: refundId, company, amount, currency, reference, source } = refund
    if (source === 'credit_balance') return { outcome: 'returned', refundId }
    // Paid by hand: staff refund it by hand and record that.
    if (company === null || reference === null) return { outcome: 'nothing' }
    const { payments, provider } = await providerBehind(io, company, reference)
    if (!payments && wasTried) throw mayBeThere(refundId, provider)
    if (!payments)
      return { outcome: 'refused', refundId, reason: `It was paid at ${provider}, which is not in use any more` }
    const idempotencyKey = `refund-${refundId}-${new Date(refund.created_at).getTime()}`
    try {
      const answer = await payments.refund({ idempotencyKey, reference, refundId, amount, currency })
      return { outcome: 'sent', refundId, at: { company, provider, reference: answer.reference }, answer }
    } catch (error) {
      if (error instanceof PaymentRefused) return { outcome: 'refused', refundId, reason: error.message }
      throw error
    }
  },
  run: async (ctx, _job, sent) => {
    if (sent.outcome === 'nothing') return
    const { refundId } = sent
    if (sent.outcome === 'returned') return applyRefundState(ctx, refundId, { status: 'succeeded' })
    if (sent.outcome === 'refused') return applyRefundState(ctx, refundId, { status: 'failed', reason: sent.reason })
    const { answer, at } = sent
    await update(ctx, refundsTable, refundId, { provider_reference: answer.reference })
    await rememberReference(ctx, at, { resource: 'refund', resource_id: refundId })
    await applyRefundState(ctx, refundId, { status: answer.status })
  },
})
