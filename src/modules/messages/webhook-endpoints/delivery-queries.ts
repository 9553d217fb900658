// All SQL of the log of deliveries: what customers read of it, and what they ask for again.
import { page } from '#http/route.ts'
import { isOneOf, sql, when } from '#kernel/values/sql.ts'
import type { Clock } from '#kernel/values/time/clock.ts'
import type { Delivery, DeliveryFilters, DeliveryWithAttempts } from './delivery.ts'
import { endpoints, ownedBy, type Owner } from './queries.ts'

const webhookId = sql`case when d.event_id is null then 'msg_test_' || d.id else 'msg_' || d.event_id end as webhook_id`
const columns = sql`d.id, d.endpoint_id, ${webhookId}, d.event_id, d.type, d.state, d.attempts_count, d.last_status,
  d.next_attempt_at, d.delivered_at, d.created_at, d.updated_at`
const of = (owner: Owner, endpointId: number) => sql`${ownedBy(owner, 'd')} and d.endpoint_id = ${endpointId}`

export const deliveries = {
  page: (owner: Owner, endpointId: number, query: DeliveryFilters) =>
    page(query, {
      columns,
      id: 'd.id',
      from: sql`from webhook_deliveries d where ${of(owner, endpointId)}
        ${isOneOf('d.state', query.state)}
        ${when(query.type, (type) => sql`and d.type = ${type}`)}
        ${when(query.date_from, (from) => sql`and d.created_at >= ${from}`)}
        ${when(query.date_to, (to) => sql`and d.created_at <= ${to}`)}`,
      parent: endpoints.parent(owner, endpointId),
    }),
  one: (owner: Owner, endpointId: number, id: number) => sql<DeliveryWithAttempts>`
    select ${columns}, d.body as request_body, d.attempts
      from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id and ${ownedBy(owner, 'e')}
        and e.deleted_at is null
     where ${of(owner, endpointId)} and d.id = ${id}`,
  /** The attempts begin anew; no row for one that waits for an attempt already. */
  again: (owner: Owner, endpointId: number, id: number, { realNow: now }: Clock) => sql<Delivery>`
    update webhook_deliveries d set state = 'pending', step = 0, next_attempt_at = ${now}, delivered_at = null,
      updated_at = ${now}
     where ${of(owner, endpointId)} and d.id = ${id} and d.state <> 'pending' returning ${columns}`,
  addTest: (
    owner: Owner,
    endpointId: number,
    test: { type: string; body: string },
    { realNow: now }: Clock,
  ) => sql<Delivery>`
    insert into webhook_deliveries as d (organization_id, endpoint_id, type, body, next_attempt_at, created_at,
      updated_at)
    values (${owner}, ${endpointId}, ${test.type}, ${test.body}, ${now}, ${now}, ${now}) returning ${columns}`,
  waitingTest: (owner: Owner, endpointId: number) => sql`
    select d.id from webhook_deliveries d where ${of(owner, endpointId)} and d.state = 'pending' and d.event_id is null
      limit 1`,
  /** Of an endpoint that is disabled or deleted, as the system. */
  giveUp: (endpointId: number, createdUntil: string, now: Date, limit: number) => sql`
    update webhook_deliveries set state = 'failed', next_attempt_at = null, updated_at = ${now}
     where id in (select id from webhook_deliveries
                   where endpoint_id = ${endpointId} and state = 'pending' and created_at <= ${createdUntil}
                     limit ${limit})
    returning id`,
  /** The end of the log, as the system: also of what waits for an endpoint that has been paused for so long. */
  forget: (before: Date, limit: number) => sql`
    delete from webhook_deliveries where id in (
      select id from webhook_deliveries where updated_at < ${before} order by updated_at limit ${limit}) returning id`,
}
