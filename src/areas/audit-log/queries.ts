// The SQL that reads the audit log.
import { page } from '#kernel/http/route.ts'
import { sql, when } from '#kernel/data/sql.ts'
import type { AdministratorsFilters, AuditFilters } from './audit-entry.ts'

const filtered = (query: AuditFilters) => sql`
  ${when(query.actor_id, (actor) => sql`and actor_id = ${actor}`)}
  ${when(query.resource, (resource) => sql`and resource = ${resource}`)}
  ${when(query.action, (action) => sql`and action = ${action}`)}
  ${when(query.date_from, (day) => sql`and at >= ${day}::date::timestamp at time zone 'UTC'`)}
  ${when(query.date_to, (day) => sql`and at < (${day}::date + 1)::timestamp at time zone 'UTC'`)}`

const about = sql`id, at, actor_kind, actor_id, actor, action, resource, resource_id`
const rest = sql`reason, request_id, ip`
const columns = sql`${about}, jsonb_build_object('before', before, 'after', after) as changes, ${rest}`

/**
 * An invoice's draft is visible to staff only, so the organization does not see the values before `finalized` either.
 */
const ofOrganization = sql`${about}, jsonb_build_object('before', case
  when resource = 'invoice' and action = 'finalized' and current_setting('app.staff', true) is distinct from 'on' then null
  else before end, 'after', after) as changes, ${rest}`

const everywhere = (query: AdministratorsFilters) => sql`
  ${filtered(query)} ${when(query.resource_id, (id) => sql`and resource_id = ${id}`)}`

export const auditLog = {
  page: (org: number, query: AuditFilters) =>
    page(query, {
      columns: ofOrganization,
      from: sql`from audit_log where organization_id = ${org} ${filtered(query)}`,
    }),
  /** The log of all organizations, or the service's own. */
  pageOfAll: (query: AdministratorsFilters) =>
    query.log === 'service'
      ? page(query, {
          columns: sql`id, at, actor_kind, actor_id, actor, action, resource, resource_id,
            jsonb_build_object('before', null, 'after', details) as changes, null::text as reason, request_id, ip, null::bigint as organization_id`,
          from: sql`from service_audit where ${query.organization_id ?? null}::bigint is null ${everywhere(query)}`,
        })
      : page(query, {
          columns: sql`${columns}, organization_id`,
          from: sql`from audit_log where true
            ${when(query.organization_id, (id) => sql`and organization_id = ${id}`)} ${everywhere(query)}`,
        }),
}
