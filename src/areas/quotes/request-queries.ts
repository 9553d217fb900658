// All SQL of requests for quotes.
import type { OrganizationContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/http/errors.ts'
import { page, row } from '#kernel/http/route.ts'
import { raw, sql, when } from '#kernel/data/sql.ts'
import { type AdministratorsQuoteRequestFilters, QuoteRequest, type QuoteRequestFilters } from './quote-request.ts'

const names = Object.keys(QuoteRequest.properties)
const columns = raw(names.join(', '))

export const quoteRequests = {
  page: (org: number, query: QuoteRequestFilters) =>
    page(query, {
      keptFor: org,
      columns: sql`${columns}`,
      from: sql`from quote_requests where organization_id = ${org} ${when(query.status, (status) => sql`and status = ${status}`)}`,
    }),
  pageOfAll: (query: AdministratorsQuoteRequestFilters) =>
    page(query, {
      columns: sql`${raw(names.map((name) => `r.${name}`).join(', '))}, o.name as organization_name`,
      id: 'r.id',
      from: sql`from quote_requests r left join organizations o on o.id = r.organization_id where true
        ${when(query.organization_id, (id) => sql`and r.organization_id = ${id}`)}
        ${when(query.status, (status) => sql`and r.status = ${status}`)}`,
    }),
  byId: (org: number, id: number) =>
    row<QuoteRequest>(sql`select ${columns} from quote_requests where organization_id = ${org} and id = ${id}`),

  /** Locks the row; 404 if there is none. */
  async forChange(ctx: OrganizationContext, id: number): Promise<QuoteRequest> {
    const [found] = await ctx.ask<QuoteRequest>(sql`
      select ${columns} from quote_requests where organization_id = ${ctx.organizationId} and id = ${id} for update`)
    if (!found) throw notFound()
    return found
  },
  open: (org: number) =>
    sql<{ id: number }>`select id from quote_requests where organization_id = ${org} and status = 'open'`,

  mailFacts: (org: number, id: number) => sql<
    Pick<QuoteRequest, 'id' | 'status' | 'requested_by_name' | 'line_items' | 'notes' | 'decline_reason'> & {
      by_staff: boolean
    }
  >`select r.id, r.status, r.requested_by_name, r.line_items, r.notes, r.decline_reason,
           coalesce('administrator' = any(u.roles), false) as by_staff
      from quote_requests r left join users u on u.id = r.requested_by
     where r.organization_id = ${org} and r.id = ${id}`,
}
