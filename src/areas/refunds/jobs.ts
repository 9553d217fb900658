// What the worker does for refunds: asks the provider. Its confirmation comes as a webhook, if not at once.
import { update } from '#kernel/data/changes.ts'
import { organizationJob } from '#kernel/jobs/jobs.ts'
import { sql } from '#kernel/data/sql.ts'
import { PaymentRefused, type ProviderRefund } from '#ports/payments.ts'
import { refunds } from './queries.ts'
import { refundsTable } from './refund.ts'
import { settleRefund } from './settle-refund.ts'

type Sent =
  | { outcome: 'nothing' }
  | { outcome: 'refused'; refundId: number; reason: string }
  | { outcome: 'sent'; refundId: number; company: string; answer: ProviderRefund }

export const refundJobs = [
  organizationJob<Sent>({
    kind: 'refunds/send',
    before: async ({ read, ports, organizationId }, { payload }) => {
      const [refund] = await read(refunds.toSend(organizationId ?? 0, payload['refund_id']))
      if (!refund || refund.status !== 'processing' || !refund.is_approved || refund.provider_reference !== null)
        return { outcome: 'nothing' }
      const { id: refundId, company, amount, currency, payment_invoice_id: reference } = refund
      // Paid by hand: given back by hand, and recorded by staff.
      if (!refund.is_paid_by_provider || reference === null) return { outcome: 'nothing' }
      const payments = ports.payments[company]
      if (!payments) return { outcome: 'refused', refundId, reason: 'No payment provider is configured any more' }
      const idempotencyKey = `refund-${refundId}-${new Date(refund.created_at).getTime()}`
      try {
        const answer = await payments.refund({ idempotencyKey, reference, refundId, amount, currency })
        return { outcome: 'sent', refundId, company, answer }
      } catch (error) {
        if (error instanceof PaymentRefused) return { outcome: 'refused', refundId, reason: error.message }
        throw error
      }
    },
    run: async (ctx, _job, sent) => {
      if (sent.outcome === 'nothing') return
      const { refundId } = sent
      if (sent.outcome === 'refused') return settleRefund(ctx, refundId, { status: 'failed', reason: sent.reason })
      const { answer, company } = sent
      await update(ctx, refundsTable, refundId, { provider_reference: answer.reference })
      await ctx.ask(sql`
        insert into payment_references (company, reference, organization_id, resource, resource_id)
        values (${company}, ${answer.reference}, ${ctx.organizationId}, 'refund', ${refundId})
        on conflict do nothing returning reference`)
      await settleRefund(ctx, refundId, { status: answer.status })
    },
  }),
]
