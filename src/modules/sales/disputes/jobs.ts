// What the worker does for disputes.
import { invoices } from '#modules/sales/invoices/queries.ts'
import { fetchProviderState } from '#modules/sales/payments/ask-provider.ts'
import { findDisputed, refreshDispute } from '#modules/sales/payments/refresh-jobs.ts'
import { ownSubjectOf, subjectOf } from '#modules/sales/payments/payment-references.ts'
import { applyPaymentState } from '#modules/sales/payments/apply-payment-state.ts'
import { refundsTable } from '#modules/sales/refunds/refund.ts'
import { refunds } from '#modules/sales/refunds/queries.ts'
import { first, type IoContext } from '#kernel/data/context.ts'
import type { Consumer } from '#kernel/data/events.ts'
import { enqueue, organizationJob, PermanentFailure, systemJob } from '#kernel/jobs/jobs.ts'
import type { ProviderReference } from '#ports/payments.ts'
import { reportDispute, reportOverRefund, reverseRest } from './dispute-jobs.ts'
import { disputes } from './queries.ts'
import { reverseLost } from './reverse-lost.ts'
import { applyDisputeState } from './apply-dispute-state.ts'

/** The dispute, and the invoice of its payment, whose own event may not have come yet. */
async function refreshBoth(io: IoContext, at: ProviderReference) {
  const dispute = await fetchProviderState(io, 'dispute', at)
  if (dispute.invoice === null)
    throw new PermanentFailure(
      `${at.company}: the dispute ${at.reference} of ${dispute.amount} ${dispute.currency}, ` +
        `${dispute.reason}, is about a payment of no invoice: to be answered at the provider`,
    )
  const paid = { ...at, reference: dispute.invoice }
  return { dispute, paid, payment: await fetchProviderState(io, 'invoice', paid) }
}

export const disputeJobs = [
  systemJob(findDisputed, {
    before: (io, { payload }) => fetchProviderState(io, 'dispute', payload),
    run: async (ctx, { payload }, { reference, invoice, amount, currency, reason }) => {
      const paid = invoice === null ? undefined : await first(ctx, subjectOf({ ...payload, reference: invoice }))
      if (paid?.resource !== 'invoice')
        throw new Error(
          `${payload.company}: the dispute ${reference} of ${amount} ${currency}, ${reason}, is about a ` +
            `payment of no known invoice (${invoice ?? 'none'}): to be answered at the provider`,
        )
      const { organization_id: organizationId } = paid
      await enqueue(ctx, refreshDispute, payload, { organizationId, key: `dispute:${reference}` })
    },
  }),
  organizationJob(refreshDispute, {
    before: (io, { payload }) => refreshBoth(io, payload),
    run: async (ctx, { payload: { company, provider } }, { dispute, paid, payment }) => {
      const subject = await ownSubjectOf(ctx, paid)
      if (subject?.resource !== 'invoice') throw new PermanentFailure(`no invoice is known as ${paid.reference}`)
      await applyPaymentState(ctx, subject.resource_id, { ...payment, provider })
      await applyDisputeState(ctx, subject.resource_id, { ...dispute, company, provider })
    },
  }),
  organizationJob(reverseRest, {
    run: async (ctx, { payload }) => {
      const { invoice_id } = await refunds.forChange(ctx, payload.resource_id)
      if (invoice_id === null) return
      await invoices.forChange(ctx, invoice_id)
      await reverseLost(ctx, invoice_id)
    },
  }),
  organizationJob(reportDispute, {
    run: async (ctx, { payload }) => {
      const dispute = await disputes.find(ctx, payload.dispute_id)
      if (dispute?.status !== 'open') return
      const { reference, amount, currency, reason, answer_by: until } = dispute
      throw new PermanentFailure(
        `dispute ${reference} about invoice ${dispute.invoice_id}, ${amount} ${currency}, ${reason}: to ` +
          `be answered at the provider${until === null ? '' : ` until ${until}`}`,
      )
    },
  }),
  organizationJob(reportOverRefund, {
    run: async (ctx, { payload }) => {
      const dispute = await disputes.find(ctx, payload.dispute_id)
      const [lost] = (await disputes.lost(ctx, dispute?.invoice_id ?? 0)).filter(({ id }) => id === dispute?.id)
      if (lost)
        throw new PermanentFailure(
          `dispute ${lost.reference} took ${lost.rest} ${lost.currency} more than was left of invoice ` +
            `${lost.invoice_id}: it was refunded otherwise before, or is in the credit balance`,
        )
    },
  }),
]

export const disputeConsumers: readonly Consumer[] = [
  { event: refundsTable.events.failed, job: reverseRest },
  { event: refundsTable.events.rejected, job: reverseRest },
]
