// The trail of what is not a tenant row's change: staff entering an organization, and what belongs to none
// (sign-ins, the platform's own acts).
import type { Acting } from './context.ts'
import { type Statement, sql } from './sql.ts'
import { storableJson } from './text.ts'

type Actor = Pick<Acting, 'caller' | 'now' | 'requestId' | 'ip'>

/** Staff worked in an organization of which they are no collaborator. */
export const staffEntry = (ctx: Actor & { organizationId: number }, what: string): Statement => sql`
  insert into audit_log (organization_id, at, actor_kind, actor_id, actor, action, resource, resource_id, after, request_id, ip)
  values (${ctx.organizationId}, ${ctx.now}, ${ctx.caller.kind}, ${ctx.caller.userId}, ${ctx.caller.name}, 'staff_entry', 'organization',
          ${ctx.organizationId}, ${storableJson({ request: what })}::jsonb, ${ctx.requestId}, ${ctx.ip})`

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
