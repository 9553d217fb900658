// All SQL of entitlements.
import type { OrganizationContext } from '#kernel/data/context.ts'
import { row } from '#kernel/http/route.ts'
import { searchPage } from '#kernel/data/search-page.ts'
import { raw, sql, when } from '#kernel/data/sql.ts'
import { Entitlement, type EntitlementFilters, entitlementsTable } from './entitlement.ts'

const columns = raw(Object.keys(Entitlement.properties).join(', '))

/** `quote_line` is the index of the order's line that it was created from. */
export type Ending = Pick<Entitlement, 'id' | 'status' | 'expires_at' | 'updates_until' | 'created_at'> & {
  quote_line: number | null
}

export const entitlements = {
  page: (org: number, query: EntitlementFilters) =>
    searchPage(query, {
      org,
      keptFor: org,
      tables: [entitlementsTable],
      columns: sql`${columns}`,
      from: sql`from entitlements where organization_id = ${org}
        ${when(query.class, (one) => sql`and class = ${one}`)}
        ${when(query.status, (status) => sql`and status = ${status}`)}`,
    }),
  byId: (org: number, id: number) =>
    row<Entitlement>(sql`select ${columns} from entitlements where organization_id = ${org} and id = ${id}`),
  byCode: (org: number, code: string) =>
    row<Entitlement>(sql`select ${columns} from entitlements where organization_id = ${org} and code = ${code}`),
  /** Those of an order that are not cancelled. */
  ofOrder: (ctx: OrganizationContext, orderId: number) =>
    ctx.ask<Ending>(sql`
      select id, status, expires_at, updates_until, created_at, quote_line from entitlements
       where organization_id = ${ctx.organizationId} and order_id = ${orderId} and status <> 'cancelled' order by id`),
  /** Of all organizations: entitlements whose end has passed. */
  due: (now: Date, limit: number) => sql<{ organization_id: number; id: number }>`
    select organization_id, id from entitlements
     where expires_at <= ${now} and status in ('active', 'suspended') order by expires_at limit ${limit}`,
}
