// All SQL of licenses.
import type { OrganizationContext } from '#kernel/context.ts'
import { page, parentIn, row } from '#kernel/route.ts'
import { raw, sql, when } from '#kernel/sql.ts'
import { License, type LicenseFilters } from './license.ts'

const columns = sql`${raw(Object.keys(License.properties).join(', '))}`

export const licenses = {
  page: (org: number, query: LicenseFilters) =>
    page(query, {
      columns,
      from: sql`from licenses where organization_id = ${org} ${when(query.status, (status) => sql`and status = ${status}`)}`,
    }),
  ofEntitlement: (org: number, entitlementId: number, query: LicenseFilters) =>
    page(query, {
      columns,
      from: sql`from licenses where organization_id = ${org} and entitlement_id = ${entitlementId}
        ${when(query.status, (status) => sql`and status = ${status}`)}`,
      parent: parentIn('entitlements', org, entitlementId),
    }),
  byId: (org: number, id: number) =>
    row<License>(sql`select ${columns} from licenses where organization_id = ${org} and id = ${id}`),
  /** Of an entitlement, in the given states; with `along`, only those that its suspension brought along. */
  idsOf: (ctx: OrganizationContext, entitlementId: number, states: readonly string[], along: boolean) =>
    ctx.ask<{ id: number }>(sql`
      select id from licenses where organization_id = ${ctx.organizationId} and entitlement_id = ${entitlementId}
        and status = any(${states}::text[]) ${along ? sql`and suspended_with_entitlement` : sql``} order by id`),
}
