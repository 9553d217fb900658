// From a provider's event to a job of the organization that it concerns. A reference that nobody knows yet is tried
// again: the event may have overtaken the answer that named it; in the end it is parked where staff see it.
import type { Settlement } from '#areas/quotes/settle.ts'
import { first } from '#kernel/context.ts'
import { enqueue, Hopeless, systemJob } from '#kernel/jobs.ts'
import type { PaymentEvent } from '#ports/payments.ts'
import { referenceOf, storedEvent } from './queries.ts'

export const webhookJobs = [
  systemJob({
    kind: 'webhooks/payment',
    run: async (ctx, { payload }) => {
      const id = Number(payload['provider_event_id'])
      const stored = await first(ctx, storedEvent(id))
      if (!stored) throw new Hopeless(`provider event ${id} is not there`)
      const { event, company } = stored
      if (event.kind === 'ignored') return
      const found = await first(ctx, referenceOf(company, event.reference))
      if (!found) throw new Error(`${company}: no invoice or refund is known as ${event.reference}`)
      const { organization_id: organizationId, resource, resource_id } = found
      const settlement: Settlement = { provider_event_id: id, resource, resource_id, ...factsOf(event) }
      await enqueue(ctx, 'quotes/settle', settlement, { organizationId, key: `${resource}:${resource_id}` })
    },
  }),
]

function factsOf(
  event: Exclude<PaymentEvent, { kind: 'ignored' }>,
): Omit<Settlement, 'provider_event_id' | 'resource' | 'resource_id'> {
  switch (event.kind) {
    case 'paid': {
      const { kind, amount, currency, customer, method, paidAt } = event
      return { kind, amount, currency, customer, method, paid_at: paidAt }
    }
    case 'refund':
      return { kind: event.kind, status: event.status, amount: event.amount, currency: event.currency }
    case 'payment_failed':
      return { kind: event.kind }
  }
}
