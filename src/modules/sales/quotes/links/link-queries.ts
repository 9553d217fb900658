// All SQL of the public links of quotes.
import { page, parentIn } from '#http/route.ts'
import type { Page } from '#kernel/values/schema.ts'
import { raw, sql } from '#kernel/values/sql.ts'
import { type QuoteLink, quoteLinksTable } from './quote-link.ts'

const columns = raw(quoteLinksTable.visible.join(', '))

/** Which quote a token opens. */
export type LinkedQuote = { organization_id: number; link_id: number; quote_id: number }

export const quoteLinks = {
  page: (org: number, id: number, query: Page) =>
    page(query, {
      columns: sql`${columns}`,
      from: sql`from quote_links where organization_id = ${org} and quote_id = ${id}`,
      parent: parentIn('quotes', org, id),
    }),
  /** Without those of quotes that the caller does not see. */
  byId: (org: number, id: number, linkId: number) => sql<Pick<QuoteLink, 'id' | 'revoked_at'>>`
    select l.id, l.revoked_at from quote_links l join quotes q on q.organization_id = ${org} and q.id = l.quote_id
     where l.organization_id = ${org} and l.quote_id = ${id} and l.id = ${linkId}`,
  mailed: (org: number, id: number) => sql<{ id: number }>`
    select id from quote_links where organization_id = ${org} and quote_id = ${id} and mailed and revoked_at is null`,
  open: (org: number, id: number, now: Date) => sql<{ id: number }>`
    select id from quote_links
     where organization_id = ${org} and quote_id = ${id} and revoked_at is null and expires_at > ${now}`,

  /** Over all organizations: none for a token that is unknown, expired or revoked, or of a deleted organization. */
  byToken: (tokenDigest: Buffer, now: Date) => sql<LinkedQuote>`
    select l.organization_id, l.id as link_id, l.quote_id
      from quote_links l join organizations o on o.id = l.organization_id and o.deleted_at is null
     where l.token_digest = ${tokenDigest} and l.revoked_at is null and l.expires_at > ${now}`,
  /** Of a link that opened something a moment ago. */
  stillOpen: ({ organization_id: org, link_id }: LinkedQuote, now: Date) => sql<{ id: number }>`
    select id from quote_links
     where organization_id = ${org} and id = ${link_id} and revoked_at is null and expires_at > ${now}`,
  /** Where the open invoice of the accepted quote is paid. */
  checkoutOf: (org: number, id: number) => sql<{ link: string }>`
    select i.link from invoices i join quotes q on q.organization_id = ${org} and q.order_id = i.order_id
     where i.organization_id = ${org} and q.id = ${id} and i.status = 'open' and i.origin = 'order'
       and i.link is not null
     order by i.id desc limit 1`,
  /** Locks only the link's row: whoever views the quote again waits for no change of the organization. */
  addView: ({ organization_id: org, link_id }: LinkedQuote, now: Date) => sql`
    update quote_links set view_count = view_count + 1, first_viewed_at = coalesce(first_viewed_at, ${now}),
      last_viewed_at = ${now}
     where organization_id = ${org} and id = ${link_id}`,
}
