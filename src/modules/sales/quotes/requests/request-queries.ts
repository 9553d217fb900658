// All SQL of requests for quotes.
import { type Only, pageAcross } from '#kernel/data/lists/across.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { isStaffU } from '#kernel/values/staff-roles.ts'
import { notFound } from '#kernel/values/errors.ts'
import { page, row } from '#http/route.ts'
import { isOneOf, raw, sql } from '#kernel/values/sql.ts'
import {
  type AdministratorsQuoteRequestFilters,
  QuoteRequest,
  type QuoteRequestFilters,
  quoteRequestListing,
} from './quote-request.ts'

const columns = raw(Object.keys(QuoteRequest.properties).join(', '))
const isStaff = isStaffU()

export const quoteRequests = {
  page: (org: number, query: QuoteRequestFilters) =>
    page(query, {
      keptFor: org,
      columns: sql`${columns}`,
      from: sql`from quote_requests where organization_id = ${org} ${isOneOf('status', query.status)}`,
    }),
  pageOfAll: (query: AdministratorsQuoteRequestFilters, only: Only) =>
    pageAcross(query, only, {
      table: 'quote_requests',
      listing: quoteRequestListing,
      columns: sql`${columns}`,
      filtered: isOneOf('status', query.status),
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
           coalesce(${isStaff}, false) as by_staff
      from quote_requests r left join users u on u.id = r.requested_by
     where r.organization_id = ${org} and r.id = ${id}`,
}
