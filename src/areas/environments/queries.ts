// All SQL of environments.
import type { OrganizationContext } from '#kernel/context.ts'
import { page, row } from '#kernel/route.ts'
import { raw, sql, when } from '#kernel/sql.ts'
import { Environment, type EnvironmentFilters } from './environment.ts'

const columns = sql`${raw(Object.keys(Environment.properties).join(', '))}`

export const environments = {
  page: (org: number, query: EnvironmentFilters) =>
    page(query, {
      columns,
      from: sql`from environments where organization_id = ${org}
        ${when(query.status, (status) => sql`and status = ${status}`)}
        ${when(query.platform, (platform) => sql`and platform = ${platform}`)}
        ${when(query.environment_type, (type) => sql`and environment_type = ${type}`)}`,
    }),
  byId: (org: number, id: number) =>
    row<Environment>(sql`select ${columns} from environments where organization_id = ${org} and id = ${id}`),
  /** Of an entitlement, in the given states; with `along`, only those that its suspension brought along. */
  idsOf: (ctx: OrganizationContext, entitlementId: number, states: readonly string[], along: boolean) =>
    ctx.ask<{ id: number }>(sql`
      select id from environments where organization_id = ${ctx.organizationId} and entitlement_id = ${entitlementId}
        and status = any(${states}::text[]) ${along ? sql`and suspended_with_entitlement` : sql``} order by id`),
}
