// The sender's statements, over all organizations: which endpoints have something to get, under a lease; what it is;
// and what became of it.
import type { SystemContext } from '#kernel/data/context.ts'
import { isInForce } from '#kernel/values/time/clock-skew.ts'
import { type Statement, raw, sql } from '#kernel/values/sql.ts'
import { storableJson } from '#kernel/values/text/text.ts'
import type { Clock } from '#kernel/values/time/clock.ts'
import { hiddenScopesIn } from '#ports/settings-in-force.ts'
import { type Attempt, KEPT_ATTEMPTS } from './delivery.ts'
import type { KeyNonces } from './endpoint-keys.ts'
import { disableEndpointKind } from './job-kinds.ts'
import type { Message } from './messages.ts'
import { receivable } from './queries.ts'
import type { DisabledReason } from './webhook-endpoint.ts'

/** An endpoint with events that no deliveries were made of yet. `scopes` null: nobody's any more, or the vendor's. */
export type Lagging = {
  endpoint_id: number
  organization_id: number | null
  cursor: number
  events: string[]
  scopes: string[] | null
}

/** Those that count at this moment: of a collaborator in force, whose account is not disabled. */
const scopesOf = (at: Clock | Date, hidden: Statement) => sql`(
    select ${receivable(sql`visible_scopes(c.granted_scopes, o.hidden_scopes, ${hidden})`)}
      from collaborators c join organizations o on o.organization_id = c.organization_id and o.id = c.organization_id
     where c.organization_id = e.organization_id and c.user_id = e.user_id and c.role <> 'pending'
       and ${isInForce('c', at)} and exists (select 1 from users u where u.id = c.user_id
         and u.disabled_at is null)) as scopes`

/** `hiddenScopes`: in SQL, of organizations without a list of their own. */
export type Moment = { now: Date; hiddenScopes: Statement }

/** A page of them, in the order of their ids. */
export const laggingStatement = (after: number, { now, hiddenScopes }: Moment, limit: number) => sql<Lagging>`
  select q.endpoint_id, e.organization_id, q.cursor, e.events, ${scopesOf(now, hiddenScopes)}
    from webhook_queues q
    join webhook_endpoints e on e.organization_id = q.organization_id and e.id = q.endpoint_id
     and e.status = 'active' and e.deleted_at is null
    join event_sequences s on s.organization_id = e.organization_id and s.last_sequence > q.cursor
    join organizations o on o.organization_id = e.organization_id and o.id = e.organization_id and o.deleted_at is null
   where q.endpoint_id > ${after}
   order by q.endpoint_id limit ${limit}`

/** Those of the vendor, with the position that the events of all organizations have reached. */
export const laggingVendorsStatement = sql<Lagging>`
  select q.endpoint_id, e.organization_id, q.cursor, e.events, null::text[] as scopes
    from webhook_queues q
    join webhook_endpoints e on e.id = q.endpoint_id and e.organization_id is null and e.status = 'active'
      and e.deleted_at is null
    join event_positions p on p.last_position > q.cursor
   where q.organization_id is null
   order by q.endpoint_id`

/** Gives a row while the vendor has endpoints, without which nobody needs the positions. */
export const anyVendorsStatement = sql`
  select 1 from webhook_endpoints where organization_id is null and status = 'active' and deleted_at is null limit 1`

export const subscriberStatement = (endpointId: number, at: Clock & Pick<SystemContext, 'settings'>) => sql<Lagging>`
  select e.id as endpoint_id, e.organization_id, 0 as cursor, e.events, ${scopesOf(at, hiddenScopesIn(at.settings))}
    from webhook_endpoints e
   where e.id = ${endpointId} and e.status = 'active' and e.deleted_at is null`

/**
 * What the sender found still holds: an endpoint that got another address since has no failures, and one that somebody
 * took over has scopes.
 */
export const isStillSo = (
  endpointId: number,
  reason: DisabledReason,
  at: Clock & Pick<SystemContext, 'settings'>,
): Statement => sql`
  select f.id from (select e.id, e.organization_id, q.failures, ${scopesOf(at, hiddenScopesIn(at.settings))}
                      from webhook_endpoints e join webhook_queues q on q.endpoint_id = e.id
                     where e.id = ${endpointId} and e.deleted_at is null) f
   where ${reason === 'not_a_member' ? sql`f.organization_id is not null and f.scopes is null` : sql`f.failures > 0`}`

export type Step = {
  endpoint_id: number
  organization_id: number | null
  from: number
  to: number
  messages: Message[]
}

/** Moves the cursors and adds the deliveries; where another process was faster, neither. */
export const fanOutStatement = (steps: readonly Step[], now: Date): Statement => sql`
  with step as (
    select * from jsonb_to_recordset(${storableJson(steps)}::jsonb)
      as s(endpoint_id bigint, organization_id bigint, "from" bigint, "to" bigint, messages jsonb)),
  moved as (
    update webhook_queues q set cursor = s."to" from step s
     where q.endpoint_id = s.endpoint_id and q.cursor = s."from" returning q.endpoint_id)
  insert into webhook_deliveries (organization_id, endpoint_id, event_id, type, body, next_attempt_at, created_at,
    updated_at)
  select s.organization_id, s.endpoint_id, m.event_id, m.type, m.body, ${now}, ${now}, ${now}
    from step s join moved using (endpoint_id),
         jsonb_to_recordset(s.messages) as m(event_id bigint, type text, body text)
   order by s.endpoint_id, m.event_id
  on conflict (organization_id, endpoint_id, event_id) where event_id is not null do nothing`

/** Those that were given up or never made wait for a first attempt again; with `all` those that were delivered too. */
export const redeliverStatement = (
  { endpoint_id, organization_id }: Pick<Lagging, 'endpoint_id' | 'organization_id'>,
  { messages, all, now }: { messages: Message[]; all: boolean; now: Date },
): Statement => sql`
  insert into webhook_deliveries as d (organization_id, endpoint_id, event_id, type, body, next_attempt_at, created_at,
    updated_at)
  select ${organization_id}, ${endpoint_id}, m.event_id, m.type, m.body, ${now}, ${now}, ${now}
    from jsonb_to_recordset(${storableJson(messages)}::jsonb) as m(event_id bigint, type text, body text)
   order by m.event_id
  on conflict (organization_id, endpoint_id, event_id) where event_id is not null do update
     set state = 'pending', step = 0, next_attempt_at = ${now}, delivered_at = null, updated_at = ${now}
   where d.state = 'failed' or (${all} and d.state = 'delivered')`

export type Claim = Moment & { lease: string; leaseSeconds: number; limit: number; failingLimit: number }

export type ClaimedEndpoint = KeyNonces & {
  endpoint_id: number
  organization_id: number | null
  scopes: string[] | null
  url: string
  failures: number
  failing_since: string | null
}

/** Whether deliveries of events go there at this moment. */
const isOpen = (now: Date) => sql`(e.status = 'active' and (q.blocked_until is null or q.blocked_until <= ${now}))`
const waits = (condition: Statement) =>
  sql`exists (select 1 from webhook_deliveries d where d.endpoint_id = q.endpoint_id and d.state = 'pending'
    and ${condition})`
const first = sql`d.step = 0 and d.event_id is not null`
const again = (now: Date) => sql`d.step > 0 and d.next_attempt_at <= ${now}`
const test = sql`d.event_id is null`

/**
 * One endpoint of each organization before the second of any, and those first that have waited longest. Endpoints that
 * fail get only a part of the places, so that the others need not wait for their time-outs.
 */
export function claimStatement(claim: Claim): Statement<ClaimedEndpoint> {
  const { lease, now, leaseSeconds, limit, failingLimit, hiddenScopes } = claim
  // As for jobs: a claim that a crash undoes is made again, so it need not wait for the disk.
  return sql<ClaimedEndpoint>`
  with quick as materialized (select set_config('synchronous_commit', 'off', true)),
  waiting as (
    select q.endpoint_id, q.claimed_at, q.failures > 0 as is_failing,
           row_number() over (partition by coalesce(e.organization_id, -e.id), q.failures > 0
             order by q.claimed_at, e.id) as turn
      from quick, webhook_queues q join webhook_endpoints e on e.id = q.endpoint_id
      left join organizations o on o.organization_id = e.organization_id and o.id = e.organization_id
     where e.deleted_at is null and o.deleted_at is null and (q.leased_until is null or q.leased_until < ${now})
       and (${isOpen(now)} and (${waits(first)} or ${waits(again(now))}) or ${waits(test)})),
  placed as (
    select *, row_number() over (partition by is_failing order by turn, claimed_at, endpoint_id) as place from waiting),
  claimed as materialized (
    select q.endpoint_id from webhook_queues q join placed p using (endpoint_id)
     where (not p.is_failing or p.place <= ${failingLimit}) and (q.leased_until is null or q.leased_until < ${now})
     order by p.turn, p.claimed_at, p.endpoint_id limit ${limit} for update of q skip locked)
  update webhook_queues q set lease = ${lease}::uuid, claimed_at = ${now},
         leased_until = ${now}::timestamptz + make_interval(secs => ${leaseSeconds})
    from webhook_endpoints e
   where q.endpoint_id in (select endpoint_id from claimed) and e.id = q.endpoint_id
  returning q.endpoint_id, e.organization_id, ${scopesOf(now, hiddenScopes)}, e.url, q.failures, q.failing_since,
    e.signature, e.secret_nonce, e.previous_secret_nonce, e.previous_secret_until`
}

export type DueDelivery = {
  id: number
  endpoint_id: number
  event_id: number | null
  type: string
  body: string
  step: number
}

/** The next first attempts in order, the retries that are due, and tests. */
export function dueStatement(endpointIds: readonly number[], now: Date, limit: number): Statement<DueDelivery> {
  const some = (condition: Statement, order: 'event_id' | 'next_attempt_at' | 'id') => sql`
    (select d.* from webhook_deliveries d where d.endpoint_id = q.endpoint_id and d.state = 'pending' and ${condition}
      order by d.${raw(order)} limit ${limit})`
  return sql<DueDelivery>`
    select d.id, d.endpoint_id, d.event_id, d.type, d.body, d.step
      from webhook_queues q join webhook_endpoints e on e.id = q.endpoint_id,
      lateral (
        ${some(sql`${isOpen(now)} and ${first}`, 'event_id')}
        union all ${some(sql`${isOpen(now)} and ${again(now)}`, 'next_attempt_at')}
        union all ${some(test, 'id')}) d
     where q.endpoint_id = any(${endpointIds}::bigint[])
     order by d.next_attempt_at, d.id`
}

export type Record = {
  id: number
  state: 'pending' | 'delivered' | 'failed'
  step: number
  next_attempt_at: string | null
  attempt: Attempt
}

/** What became of attempts; a delivery that was delivered or given up meanwhile stays so. */
export const recordStatement = (records: readonly Record[]): Statement => sql`
  update webhook_deliveries d
     set state = r.state, step = r.step, next_attempt_at = r.next_attempt_at, attempts_count = d.attempts_count + 1,
         last_status = (r.attempt ->> 'status')::integer, updated_at = (r.attempt ->> 'at')::timestamptz,
         delivered_at = case when r.state = 'delivered' then (r.attempt ->> 'at')::timestamptz end,
         attempts = case when jsonb_array_length(d.attempts) < ${KEPT_ATTEMPTS} then d.attempts else d.attempts - 0
           end || r.attempt
    from jsonb_to_recordset(${storableJson(records)}::jsonb)
      as r(id bigint, state text, step integer, next_attempt_at timestamptz, attempt jsonb)
   where d.id = r.id and d.state = 'pending'`

/** Deliveries that the endpoint may not get any more. */
export const giveUpStatement = (deliveryIds: readonly number[], now: Date): Statement => sql`
  update webhook_deliveries set state = 'failed', next_attempt_at = null, updated_at = ${now}
   where id = any(${deliveryIds}::bigint[]) and state = 'pending'`

export type Release = {
  endpoint_id: number
  failures: number
  failing_since: string | null
  last_success_at: string | null
  blocked_until: string | null
}

export const releaseStatement = (lease: string, released: Release): Statement => sql`
  update webhook_queues set lease = null, leased_until = null, failures = ${released.failures},
         failing_since = ${released.failing_since}::timestamptz, blocked_until = ${released.blocked_until}::timestamptz,
         last_success_at = coalesce(${released.last_success_at}::timestamptz, last_success_at)
   where endpoint_id = ${released.endpoint_id} and lease = ${lease}::uuid returning endpoint_id`

/** Enqueues the job once, however often the sender finds the same. */
export function disableStatement(endpointId: number, reason: DisabledReason, now: Date): Statement {
  const key = `${disableEndpointKind.name}:${endpointId}`
  return sql`
    insert into jobs (kind, key, payload, run_at)
    select ${disableEndpointKind.name}, ${key}, ${storableJson({ endpoint_id: endpointId, reason })}::jsonb,
      ${now}::timestamptz
     where not exists (select 1 from jobs where key = ${key})`
}
