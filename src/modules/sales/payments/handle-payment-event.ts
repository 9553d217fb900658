// Enqueues the job of the organization that a provider's stored event concerns. An unknown reference is retried, since
// the event can arrive before the answer that contains the reference is stored; after the last attempt it is a dead
// letter.
import { billSubscription, noteFailedCharge, subscriptionKey } from '#modules/sales/subscriptions/subscription-jobs.ts'
import type { InboundSource } from '#http/manifest/module.ts'
import { readStoredEvent } from '#modules/messages/inbound/provider-events.ts'
import { first, type SystemContext } from '#kernel/data/context.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { enqueue, systemJob } from '#kernel/jobs/jobs.ts'
import { Id } from '#kernel/values/schema.ts'
import { PaymentEvent, type ProviderReference } from '#ports/payments.ts'
import { subjectOf } from './payment-references.ts'
import { enqueueStateRefresh } from './enqueue-state-refresh.ts'
import { findDisputed } from './refresh-jobs.ts'

export const handlePaymentEvent = jobKind('payments/handle-event', { provider_event_id: Id }, { isUrgent: true })

export const paymentSource: InboundSource = {
  names: ['stripe', 'stripe-test', 'sandbox'],
  reads: 'finances',
  handle: handlePaymentEvent,
}

export const handlePaymentEventJob = systemJob(handlePaymentEvent, {
  run: async (ctx, { payload: { provider_event_id: id } }) => {
    const { source: provider, company, event } = await readStoredEvent(ctx, id, PaymentEvent)
    const { reference } = event
    const at = { company, provider, reference }
    const subject = await first(ctx, subjectOf(at))
    if (subject) return enqueueStateRefresh(ctx, subject, at, event.kind === 'payment_failed')
    if (event.kind === 'dispute') return enqueue(ctx, findDisputed, at)
    if (await concernsSubscription(ctx, event, at)) return
    throw new Error(`${company}: no invoice, refund or subscription is known as ${reference}`)
  },
})

/**
 * An invoice that the provider made for a known subscription. Other events of it are covered by the subscription's
 * state.
 */
async function concernsSubscription(ctx: SystemContext, event: PaymentEvent, at: ProviderReference): Promise<boolean> {
  if (!('subscription' in event) || event.subscription === null) return false
  const maker = await first(ctx, subjectOf({ ...at, reference: event.subscription }))
  if (maker?.resource !== 'subscription') return false
  const { organization_id: organizationId, resource_id: order_id } = maker
  const job = { paid: billSubscription, payment_failed: noteFailedCharge, voided: null, uncollectible: null }[
    event.kind
  ]
  if (job) await enqueue(ctx, job, { order_id, ...at }, { organizationId, key: subscriptionKey(order_id) })
  return true
}
