// What became of an invoice, a refund or a subscription: asked for anew, whatever an event said and in whichever order
// events came, and written down here. Jobs of the same record run one after the other, so the last look counts.
import { settle } from '#areas/quotes/settle.ts'
import { settleRefund } from '#areas/refunds/settle-refund.ts'
import { followSubscription } from '#areas/subscriptions/follow-provider.ts'
import type { OrganizationContext, IoContext, SystemContext } from '#kernel/data/context.ts'
import { enqueue, PermanentFailure, organizationJob } from '#kernel/jobs/jobs.ts'
import type { Company } from '#kernel/values/schema.ts'
import { PaymentRefused, type PaymentEvent, type Payments, type PaymentState } from '#ports/payments.ts'
import { type PaymentReference, unpaidOf } from './queries.ts'

export const SETTLE = 'webhooks/settle'

/** `news`: the kind of the event that it began with; none where we asked by ourselves. */
type Subject = PaymentReference & { company: Company; reference: string; news?: PaymentEvent['kind'] }

export const settleLater = (ctx: SystemContext, subject: Subject): Promise<void> => {
  const { organization_id: organizationId, resource, resource_id, company, reference, news = null } = subject
  const payload = { resource, resource_id, company, reference, news }
  return enqueue(ctx, SETTLE, payload, { organizationId, key: `${resource}:${resource_id}` })
}

type Seen = { state: PaymentState; before: { invoiceId: number; state: PaymentState } | null }

export const settleJob = organizationJob<Seen>({
  kind: SETTLE,
  before: async (outside, { payload }) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by settleLater
    const subject = payload as Subject
    const look = lookerOf(outside, subject.company)
    const state = await look(subject.resource, subject.reference)
    if (state.resource !== 'refund') return { state, before: null }
    // Money that went back came before, though the news of it may come later.
    const [unpaid] = await outside.read(unpaidOf(outside.organizationId ?? 0, subject.resource_id))
    return { state, before: unpaid ? { invoiceId: unpaid.id, state: await look('invoice', unpaid.reference) } : null }
  },
  run: async (ctx, { payload }, { state, before }) => {
    if (before?.state.resource === 'invoice') await settle(ctx, before.invoiceId, before.state)
    await apply(ctx, Number(payload['resource_id']), state, payload['news'])
  },
})

function lookerOf({ ports }: IoContext, company: Company): Payments['look'] {
  const payments = ports.payments[company]
  if (!payments) throw new PermanentFailure(`${company} has no payment provider any more that could be asked`)
  return async (resource, reference) => {
    try {
      return await payments.look(resource, reference)
    } catch (error) {
      if (error instanceof PaymentRefused)
        throw new PermanentFailure(`the provider shows no ${reference}: ${error.message}`)
      throw error
    }
  }
}

async function apply(ctx: OrganizationContext, id: number, state: PaymentState, news: unknown): Promise<void> {
  if (state.resource === 'invoice') return settle(ctx, id, state, news === 'payment_failed')
  if (state.resource === 'refund') return settleRefund(ctx, id, state)
  return followSubscription(ctx, id, state)
}
