// The trail of what is not a tenant row's change: staff entering an organization, and what belongs to none
// (sign-ins, the platform's own acts).
import type { Acting } from './context.ts'
import { type Statement, sql } from './sql.ts'
import { storableJson } from '#kernel/values/text.ts'

type Actor = Pick<Acting, 'now' | 'requestId'> & {
  caller: Pick<Acting['caller'], 'kind' | 'userId' | 'name'>
  ip: string | null
}
type InOrganization = Actor & { organizationId: number }

/** Staff worked in an organization of which they are no collaborator. */
export const staffEntry = (ctx: InOrganization, what: string): Statement =>
  organizationEntry(ctx, 'staff_entry', { request: what })

/** Somebody was refused: one of the organization, or a stranger to it. */
export const refusalEntry = (ctx: InOrganization & { request: string; reason: string }): Statement =>
  organizationEntry(ctx, 'refused', { request: ctx.request, reason: ctx.reason })

/** So many more were refused and not written down one by one. */
export const leftOutEntry = (ctx: InOrganization, details: { count: number; since: string }): Statement =>
  organizationEntry(ctx, 'refusals_left_out', details)

/** About the organization as a whole; nothing where there is none with that id. */
const organizationEntry = (ctx: InOrganization, action: string, details: object): Statement => sql`
  insert into audit_log (organization_id, at, actor_kind, actor_id, actor, action, resource, resource_id, after, request_id, ip)
  select o.id, ${ctx.now}, ${ctx.caller.kind}, ${ctx.caller.userId}::bigint, ${ctx.caller.name}, ${action}, 'organization',
          o.id, ${storableJson(details)}::jsonb, ${ctx.requestId}, ${ctx.ip}
     from organizations o where o.organization_id = ${ctx.organizationId} and o.id = ${ctx.organizationId} and o.deleted_at is null
   returning id`

/** An administrator asked for something under `/admin`; path ids only, never the query. */
export const administration = (ctx: Actor, request: string, params: Record<string, string>): Statement =>
  serviceEntry(ctx, 'administration', { resource: 'route', id: null, details: { request, params } })

/** One entry of the platform's own log. `details` must hold no secret. */
export const serviceEntry = (
  ctx: Actor,
  action: string,
  subject: { resource: string; id: number | null; userId?: number | null; details?: Record<string, unknown> },
): Statement => sql`
  insert into service_audit (at, actor_kind, actor_id, actor, action, resource, resource_id, details, request_id, ip)
  values (${ctx.now}, ${ctx.caller.kind}, ${subject.userId ?? ctx.caller.userId}, ${ctx.caller.name}, ${action}, ${subject.resource},
          ${subject.id}, ${storableJson(subject.details ?? {})}::jsonb, ${ctx.requestId}, ${ctx.ip})`
