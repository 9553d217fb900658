// What the worker does for refunds: asks the provider. Its confirmation comes as a webhook.
import { update } from '#kernel/changes.ts'
import { Hopeless, organizationJob } from '#kernel/jobs.ts'
import { sql } from '#kernel/sql.ts'
import { PaymentRefused, type ProviderRefund } from '#ports/payments.ts'
import { refunds } from './queries.ts'
import { type RefundRow, refundsTable } from './refund.ts'

type Sent = { refund: RefundRow & { company: string }; answer: ProviderRefund } | null

export const refundJobs = [
  organizationJob<Sent>({
    kind: 'refunds/send',
    before: async ({ read, ports, organizationId }, { payload }) => {
      const [refund] = await read(refunds.toSend(organizationId ?? 0, payload['refund_id']))
      if (!refund || refund.status !== 'processing' || !refund.is_approved || refund.provider_reference !== null)
        return null
      const payments = ports.payments[refund.company]
      // Paid by hand: given back by hand, and recorded by staff.
      if (!payments || refund.payment_invoice_id === null) return null
      const { id: refundId, amount, currency, payment_invoice_id: reference } = refund
      const idempotencyKey = `refund-${refundId}-${new Date(refund.created_at).getTime()}`
      try {
        return { refund, answer: await payments.refund({ idempotencyKey, reference, refundId, amount, currency }) }
      } catch (error) {
        if (error instanceof PaymentRefused) throw new Hopeless(`the provider refused the refund: ${error.message}`)
        throw error
      }
    },
    run: async (ctx, _job, sent) => {
      if (!sent) return
      await update(ctx, refundsTable, sent.refund.id, { provider_reference: sent.answer.reference })
      await ctx.ask(sql`
        insert into payment_references (company, reference, organization_id, resource, resource_id)
        values (${sent.refund.company}, ${sent.answer.reference}, ${ctx.organizationId}, 'refund', ${sent.refund.id})
        on conflict do nothing returning reference`)
    },
  }),
]
