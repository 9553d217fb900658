// The jobs of endpoints: what the sender decides about them, what waits for those that get nothing more, events of a
// range of time once more, and the end of the log.
import { settingOf } from '#ports/settings-in-force.ts'
import type { SystemContext } from '#kernel/data/context.ts'
import { first } from '#kernel/data/context.ts'
import { enqueue, type Job, type JobInput, systemJob } from '#kernel/jobs/jobs.ts'
import type { Catalogue } from '#modules/messages/events/catalogue.ts'
import { disableEndpoint } from './change-endpoint.ts'
import { deliveries } from './delivery-queries.ts'
import { disableEndpointKind, forgetDeliveries, giveUpDeliveries, redeliverRange } from './job-kinds.ts'
import { eventsFor, messageOf } from './messages.ts'
import { endpoints } from './queries.ts'
import { keyOf } from './redeliver.ts'
import { isStillSo, redeliverStatement, subscriberStatement } from './sender-queries.ts'

const HOUR = 3600
const DAY_MS = 86_400_000
const ROWS_AT_ONCE = 5000
const EVENTS_AT_ONCE = 200

export const webhookEndpointJobs = (catalogue: Catalogue): Job[] => [
  systemJob(disableEndpointKind, {
    run: async (ctx, { payload: { endpoint_id, reason } }) => {
      const endpoint = await first(ctx, endpoints.ownerOf(endpoint_id))
      if (!endpoint) return
      const { organization_id } = endpoint
      const inside = organization_id === null ? ctx : await ctx.enter(organization_id)
      // Under the lock of the organization: whoever looks after the endpoint may have mended it since.
      if (await first(ctx, isStillSo(endpoint_id, reason, ctx))) await disableEndpoint(inside, endpoint_id, reason)
    },
  }),
  systemJob(giveUpDeliveries, {
    run: async (ctx, { payload }) => {
      const given = await ctx.ask(deliveries.giveUp(payload.endpoint_id, payload.created_until, ctx.now, ROWS_AT_ONCE))
      if (given.length === ROWS_AT_ONCE) await enqueue(ctx, giveUpDeliveries, payload)
    },
  }),
  systemJob(redeliverRange, { run: (ctx, job) => redeliverNext(ctx, job, catalogue) }),
  systemJob(forgetDeliveries, {
    everySeconds: HOUR,
    run: async (ctx) => {
      const days = await settingOf(ctx, 'vendor', 'webhook_delivery_days')
      const before = new Date(ctx.now.getTime() - days * DAY_MS)
      for (let forgotten = ROWS_AT_ONCE; forgotten === ROWS_AT_ONCE;)
        forgotten = (await ctx.ask(deliveries.forget(before, ROWS_AT_ONCE))).length
    },
  }),
]

type Payload = typeof redeliverRange extends { read(payload: unknown): infer Read } ? Read : never

/** Nothing when the endpoint was paused, disabled or deleted meanwhile. */
async function redeliverNext(ctx: SystemContext, { payload }: JobInput<Payload>, catalogue: Catalogue): Promise<void> {
  const { endpoint_id, all } = payload
  const subscriber = await first(ctx, subscriberStatement(endpoint_id, ctx))
  if (!subscriber) return
  const events = await ctx.ask(eventsFor(catalogue).between(subscriber.organization_id, payload, EVENTS_AT_ONCE))
  const messages = events.flatMap((event) => messageOf(catalogue, event)(subscriber) ?? [])
  if (messages.length > 0) await ctx.ask(redeliverStatement(subscriber, { messages, all, now: ctx.now }))
  const last = events.at(-1)
  if (last && events.length === EVENTS_AT_ONCE)
    await enqueue(ctx, redeliverRange, { ...payload, after: last.place }, { key: keyOf(endpoint_id) })
}
