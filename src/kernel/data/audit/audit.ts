// Audit entries that do not come with a change of a tenant row: staff access to an organization, refusals, and acts
// that belong to no organization (sign-ins, administration).
import type { Acting } from '#kernel/data/context.ts'
import { type Statement, sql } from '#kernel/values/sql.ts'
import { storableJson } from '#kernel/values/text/text.ts'

type Actor = Pick<Acting, 'now' | 'requestId'> & {
  caller: Pick<Acting['caller'], 'kind' | 'userId' | 'name'>
  ip: string | null
}
type InOrganization = Actor & { organizationId: number }

/** Staff made a request in an organization of which they are no collaborator. */
export const staffEntry = (ctx: InOrganization, what: string, reason: string | null): Statement =>
  organizationEntry(ctx, 'staff_entry', { request: what }, reason)

/** A caller was refused, a member of the organization or not. */
export const refusalEntry = (ctx: InOrganization & { request: string; reason: string }): Statement =>
  organizationEntry(ctx, 'refused', { request: ctx.request, reason: ctx.reason })

/** So many more refusals were counted and not written one by one. */
export const leftOutEntry = (ctx: InOrganization, details: { count: number; since: string }): Statement =>
  organizationEntry(ctx, 'refusals_left_out', details)

/** A caller asked for so many records that the organization does not have. */
export const missingEntry = (
  ctx: InOrganization,
  details: { count: number; since: string; requests: readonly string[] },
): Statement => organizationEntry(ctx, 'records_not_found', details)

/** An entry about the organization as a whole. Inserts no row when there is no organization with that id. */
const organizationEntry = (
  ctx: InOrganization,
  action: string,
  details: object,
  reason: string | null = null,
): Statement => sql`
  insert into audit_log (organization_id, at, actor_kind, actor_id, actor, action, resource, resource_id, after, reason,
    request_id, ip)
  select o.id, ${ctx.now}, ${ctx.caller.kind}, ${ctx.caller.userId}::bigint, ${ctx.caller.name}, ${action},
    'organization',
          o.id, ${storableJson(details)}::jsonb, ${reason}, ${ctx.requestId}, ${ctx.ip}
     from organizations o where o.organization_id = ${ctx.organizationId} and o.id = ${ctx.organizationId}
       and o.deleted_at is null
   returning id`

/** Staff made a request under `/admin`. The entry has the ids of the path, never the query. */
export const administration = (
  ctx: Actor & { reason?: string | null },
  request: string,
  params: Record<string, string>,
): Statement => {
  const details = { request, params, ...(ctx.reason && { reason: ctx.reason }) }
  return serviceEntry(ctx, 'administration', { resource: 'route', id: null, details })
}

type ServiceChange = {
  resource: string
  id: number
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

/** A change of what belongs to the vendor and to no organization: the catalogue, releases. */
export const serviceChange = (ctx: Actor, action: string, { resource, id, before, after }: ServiceChange): Statement =>
  serviceEntry(ctx, action, { resource, id, details: { before, after } })

/** An entry in the service's own audit log. `details` must hold no secret. */
export const serviceEntry = (
  ctx: Actor,
  action: string,
  subject: { resource: string; id: number | null; userId?: number | null; details?: Record<string, unknown> },
): Statement => sql`
  insert into service_audit (at, actor_kind, actor_id, actor, action, resource, resource_id, details, request_id, ip)
  values (${ctx.now}, ${ctx.caller.kind}, ${subject.userId ?? ctx.caller.userId}, ${ctx.caller.name}, ${action},
    ${subject.resource},
          ${subject.id}, ${storableJson(subject.details ?? {})}::jsonb, ${ctx.requestId}, ${ctx.ip})`
