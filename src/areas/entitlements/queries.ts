// All SQL of entitlements.
import { row } from '#kernel/http/route.ts'
import { searchPage } from '#kernel/data/search-page.ts'
import { raw, sql, when } from '#kernel/data/sql.ts'
import { Entitlement, type EntitlementFilters, entitlementsTable } from './entitlement.ts'

const columns = raw(Object.keys(Entitlement.properties).join(', '))

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
  forChange: (org: number, id: number) => sql<Pick<Entitlement, 'status' | 'scheduled'>>`
    select status, scheduled from entitlements where organization_id = ${org} and id = ${id} for update`,
  /** Of all organizations: entitlements for which something is scheduled that is due. */
  toStop: (now: Date, limit: number) => sql<{ organization_id: number; id: number }>`
    select organization_id, id from entitlements
     where scheduled is not null and scheduled ->> 'at' <= ${now.toISOString()} order by scheduled ->> 'at' limit ${limit}`,
  /** Of all organizations: entitlements whose end has passed. */
  due: (now: Date, limit: number) => sql<{ organization_id: number; id: number }>`
    select organization_id, id from entitlements
     where expires_at <= ${now} and status in ('active', 'suspended') order by expires_at limit ${limit}`,
}
