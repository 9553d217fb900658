// From a provider's event to a job of the organization that it concerns. A reference that nobody knows yet is tried
// again: the event may have overtaken the answer that named it; in the end it is parked where staff see it.
import { first, type SystemContext } from '#kernel/data/context.ts'
import { subscriptionKey } from '#areas/subscriptions/subscription.ts'
import { enqueue, PermanentFailure, systemJob } from '#kernel/jobs/jobs.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { PaymentEvent } from '#ports/payments.ts'
import { referenceOf, storedEvent } from './queries.ts'
import { reconcileJob } from './reconcile.ts'
import { settleJob, settleLater } from './settle.ts'

export const webhookJobs = [
  systemJob({
    kind: 'webhooks/payment',
    run: async (ctx, { payload }) => {
      const id = Number(payload['provider_event_id'])
      const stored = await first(ctx, storedEvent(id))
      if (!stored) throw new PermanentFailure(`provider event ${id} is not there`)
      const { event, company } = stored
      if (event.kind === 'ignored') return
      if (event.kind === 'dispute') throw new PermanentFailure(dispute(company, event))
      const found = await first(ctx, referenceOf(company, event.reference))
      if (found) return settleLater(ctx, { ...found, company, reference: event.reference, news: event.kind })
      if (await concernsSubscription(ctx, company, event)) return
      throw new Error(`${company}: no invoice, refund or subscription is known as ${event.reference}`)
    },
  }),
  settleJob,
  reconcileJob,
]

/** Only parking brings it before a person: there is nothing here that could answer it. */
const dispute = (company: Company, event: Extract<PaymentEvent, { kind: 'dispute' }>): string =>
  `${company}: dispute ${event.reference} about payment ${event.payment ?? 'unknown'}, ${event.amount} ${event.currency}, ` +
  `${event.reason}: to be answered at the provider`

/** An invoice that the provider made for a subscription of ours. What is not paid comes as the subscription's state. */
async function concernsSubscription(ctx: SystemContext, company: Company, event: PaymentEvent): Promise<boolean> {
  if (!('subscription' in event) || event.subscription === null) return false
  const maker = await first(ctx, referenceOf(company, event.subscription))
  if (maker?.resource !== 'subscription') return false
  const { organization_id: organizationId, resource_id: order_id } = maker
  if (event.kind === 'paid') {
    const payload = { order_id, company, reference: event.reference }
    await enqueue(ctx, 'subscriptions/bill', payload, { organizationId, key: subscriptionKey(order_id) })
  }
  return true
}
