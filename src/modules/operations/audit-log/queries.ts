// The SQL that reads the audit log.
import { inOrganizations, type Only, organizationName } from '#kernel/data/lists/across.ts'
import { page } from '#http/route.ts'
import { nothing, type Statement, sql, when } from '#kernel/values/sql.ts'
import { type AdministratorsFilters, type AuditFilters, auditListing } from './audit-entry.ts'

const filtered = (query: AdministratorsFilters) => sql`
  ${when(query.actor_id, (actor) => sql`and actor_id = ${actor}`)}
  ${when(query.resource, (resource) => sql`and resource = ${resource}`)}
  ${when(query.resource_id, (id) => sql`and resource_id = ${id}`)}
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
  when resource = 'invoice' and action = 'finalized' and current_setting('app.staff', true) is distinct from 'on'
    then null
  else before end, 'after', after) as changes, ${rest}`

export const auditLog = {
  page: (org: number, query: AuditFilters, visible: Statement) =>
    page(query, {
      listing: auditListing,
      columns: ofOrganization,
      from: sql`from audit_log where organization_id = ${org} and ${visible} ${filtered(query)}`,
    }),
  /** The log of all organizations, or the service's own. */
  pageOfAll: (query: AdministratorsFilters, only: Only) =>
    query.log === 'service'
      ? page(query, {
          listing: auditListing,
          columns: sql`id, at, actor_kind, actor_id, actor, action, resource, resource_id,
            jsonb_build_object('before', null, 'after', details) as changes, null::text as reason, request_id, ip,
              null::bigint as organization_id,
            null::text as organization_name`,
          from: sql`from service_audit where ${query.organization_id ?? null}::bigint is null
            ${only ? sql`and false` : nothing} ${filtered(query)}`,
        })
      : page(query, {
          listing: auditListing,
          columns: sql`${columns}, organization_id`,
          foundColumns: organizationName('found'),
          from: sql`from audit_log where true
            ${inOrganizations('organization_id', query, only)} ${filtered(query)}`,
        }),
}
