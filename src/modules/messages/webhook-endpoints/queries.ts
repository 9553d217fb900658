// All SQL of endpoints. The owner is an organization, or null for the vendor.
import { page, row } from '#http/route.ts'
import { weightOf } from '#kernel/values/permissions.ts'
import { isOneOf, type Statement, raw, sql } from '#kernel/values/sql.ts'
import { storableJson } from '#kernel/values/text/text.ts'
import type { Clock } from '#kernel/values/time/clock.ts'
import type { KeyNonces } from './endpoint-keys.ts'
import {
  type EndpointFilters,
  Health,
  MAX_ENDPOINTS,
  StoredEndpoint,
  type StoredEndpoint as Endpoint,
  type WebhookEndpoint,
  webhookEndpointsTable,
} from './webhook-endpoint.ts'

export type Owner = number | null

const listedOf = (columns: readonly string[], alias: string) => columns.map((column) => `${alias}.${column}`).join(', ')
const stored = raw(listedOf(Object.keys(StoredEndpoint.properties), 'e'))
const columns = sql`${stored}, ${raw(listedOf(Object.keys(Health.properties), 'q'))}`
const FIXED = ['id', 'organization_id', 'created_at', 'updated_at']
const CHANGED = webhookEndpointsTable.columns.filter((column) => !FIXED.includes(column))

/** `<alias>.organization_id` is the owner's. */
export const ownedBy = (owner: Owner, alias: string): Statement =>
  owner === null ? sql`${raw(alias)}.organization_id is null` : sql`${raw(alias)}.organization_id = ${owner}`

const living = (owner: Owner) => sql`
  from webhook_endpoints e
  join webhook_queues q on q.endpoint_id = e.id and ${ownedBy(owner, 'q')}
 where ${ownedBy(owner, 'e')} and e.deleted_at is null`

/** With the nonces, for changes. */
export type EndpointRow = Endpoint & KeyNonces

export const endpoints = {
  page: (owner: Owner, query: EndpointFilters) =>
    page(query, {
      columns,
      id: 'e.id',
      from: sql`${living(owner)} ${isOneOf('e.status', query.status)}`,
    }),
  byId: (owner: Owner, id: number) => row<WebhookEndpoint>(endpoints.one(owner, id)),
  one: (owner: Owner, id: number) => sql<WebhookEndpoint>`select ${columns} ${living(owner)} and e.id = ${id}`,
  /** Locked against a change at the same time. */
  forChange: (owner: Owner, id: number) => sql<EndpointRow>`
    select ${stored}, e.secret_nonce, e.previous_secret_nonce
      from webhook_endpoints e where ${ownedBy(owner, 'e')} and e.deleted_at is null and e.id = ${id} for update`,
  /** Gives a row while there is room for another one. */
  room: (owner: Owner) => sql`
    select 1 from webhook_endpoints e where ${ownedBy(owner, 'e')} and e.deleted_at is null
      having count(*) < ${MAX_ENDPOINTS}`,
  parent: (owner: Owner, id: number) => sql`
    select e.id from webhook_endpoints e where ${ownedBy(owner, 'e')} and e.deleted_at is null and e.id = ${id}`,
  /** Whose it is, as the system. */
  ownerOf: (id: number) => sql<{ organization_id: Owner }>`
    select organization_id from webhook_endpoints where id = ${id} and deleted_at is null`,
  addVendors: (values: object, now: Date) => sql<Endpoint>`
    insert into webhook_endpoints as e (url, description, events, signature, public_key, secret_nonce, created_at,
      updated_at)
    select r.url, r.description, r.events, r.signature, r.public_key, r.secret_nonce, ${now}, ${now}
      from jsonb_populate_record(null::webhook_endpoints, ${storableJson(values)}::jsonb) r
    returning ${stored}`,
  changeVendors: (id: number, values: object, now: Date) => sql<Endpoint>`
    update webhook_endpoints e set (${raw(CHANGED.join(', '))}) = (
      select ${raw(listedOf(CHANGED, 'r'))} from jsonb_populate_record(e, ${storableJson(values)}::jsonb) r),
        updated_at = ${now}
     where e.organization_id is null and e.id = ${id} returning ${stored}`,
  /** Of the caller's own membership, with what is hidden for now; no row for staff who have none. */
  memberScopes: (org: number, userId: number | null) => sql<{ scopes: string[] }>`
    select ${receivable(sql`c.granted_scopes`)} as scopes from collaborators c
     where c.organization_id = ${org} and c.user_id = ${userId} and c.role <> 'pending'`,
}

/**
 * The scopes for whose events the member `c` may have an endpoint: none of a guest, who reads nothing, and those of
 * tickets only if they see all of them.
 */
export const receivable = (scopes: Statement): Statement => sql`
  case when c.weight < ${weightOf('member')} then '{}'::text[]
       when c.ticket_visibility = 'all' then ${scopes} else array_remove(${scopes}, 'tickets') end`

/** How far the sender has got with an endpoint. */
export const queues = {
  /**
   * What an endpoint begins with: the last event of its organization, or of all of them. Those without a position get
   * one only while somebody reads their common order, and then the next ones.
   */
  latest: (owner: Owner) =>
    owner === null
      ? sql<{ last: number }>`
          select p.last_position + (select count(*) from events where position is null) as last from event_positions p`
      : sql<{ last: number }>`select last_sequence as last from event_sequences where organization_id = ${owner}`,
  /** Begins with what happens from now on. */
  open: (owner: Owner, endpointId: number, cursor: number, { realNow: now }: Clock) => sql`
    insert into webhook_queues (organization_id, endpoint_id, cursor, claimed_at)
    values (${owner}, ${endpointId}, ${cursor}, ${now})`,
  /** Of a disabled endpoint: what it missed is left out, and its failures are, also one that is on its way. */
  restart: (owner: Owner, endpointId: number, cursor: number) => sql`
    update webhook_queues q set cursor = ${cursor}, failures = 0, failing_since = null, blocked_until = null,
           lease = null, leased_until = null
     where ${ownedBy(owner, 'q')} and q.endpoint_id = ${endpointId}`,
  /** At another address, nothing that the old one asked for counts, nor what it is about to answer. */
  unblock: (owner: Owner, endpointId: number) => sql`
    update webhook_queues q set failures = 0, failing_since = null, blocked_until = null, lease = null,
      leased_until = null
     where ${ownedBy(owner, 'q')} and q.endpoint_id = ${endpointId}`,
}
