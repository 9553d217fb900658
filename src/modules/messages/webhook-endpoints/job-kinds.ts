// The kinds of the jobs of endpoints (jobs.ts).
import { Type } from 'typebox'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { Id, Timestamp } from '#kernel/values/schema.ts'
import { DISABLED_REASONS } from './webhook-endpoint.ts'

/** The sender's finding: an answer of 410, no success for days, or nobody there whose scopes count. */
export const disableEndpointKind = jobKind('webhook-endpoints/disable', {
  endpoint_id: Id,
  reason: Type.Enum(DISABLED_REASONS),
})

/** What waits for an endpoint that gets nothing more; in batches, because there may be many. */
export const giveUpDeliveries = jobKind('webhook-endpoints/give-up', { endpoint_id: Id, created_until: Timestamp })

/** The events of a range of time once more; each run goes on where the one before it ended. */
export const redeliverRange = jobKind('webhook-endpoints/redeliver', {
  endpoint_id: Id,
  from: Timestamp,
  to: Timestamp,
  all: Type.Boolean(),
  after: Type.Integer({ minimum: 0 }),
})

export const forgetDeliveries = jobKind('webhook-endpoints/forget', {})
