// All SQL of the quotes that the service drafts for a next term (docs/billing.md).
import { TERM_BEGAN } from '#modules/delivery/entitlements/ending-terms.ts'
import type { Entitlement } from '#modules/delivery/entitlements/entitlement.ts'
import type { LineItem } from '#modules/delivery/products/line-item.ts'
import { monthsKnownOf } from '#modules/delivery/price-indexes/accumulate.ts'
import { sql } from '#kernel/values/sql.ts'
import type { Quote } from '../quote.ts'

/** A term that ends, with the line that sold it. */
export type SoldTerm = Pick<Entitlement, 'code' | 'class' | 'quantity' | 'company'> & {
  expires_at: string
  currency: string
  line: LineItem
}

export type DraftFacts = Pick<Quote, 'id' | 'number' | 'status' | 'total' | 'currency' | 'company'> & {
  renewed: { name: string; entitlementCode: string }[]
  ends_at: string | null
  /** Lines with an index that were not adjusted by it; times as JSON has them. */
  unadjusted: { price_index: string; began_at: string; expires_at: string }[]
  /** By index, the months that have a rate. */
  known_months: Record<string, string[]>
}

export const renewalDrafts = {
  /** Without those that a quote in hand extends, and those that a recurring line has sold. */
  sold: (org: number, ids: readonly number[]) => sql<SoldTerm>`
    select e.code, e.class, e.quantity, e.company, e.expires_at, o.currency, l.line
      from entitlements e
      join orders o on o.organization_id = ${org} and o.id = coalesce(
        (select (r.one ->> 'order_id')::bigint from jsonb_array_elements(e.renewals) with ordinality as r (one, nth)
          where not (r.one -> 'is_refunded')::boolean order by r.nth desc limit 1), e.order_id)
      cross join lateral jsonb_array_elements(o.line_items) as l (line)
     where e.organization_id = ${org} and e.id = any(${ids}::bigint[])
       and l.line ->> 'entitlement_code' = e.code and l.line ->> 'term_months' is not null
       and e.code not in (
         select r.line ->> 'entitlement_code' from quotes q, jsonb_array_elements(q.line_items) as r (line)
          where q.organization_id = ${org} and q.status in ('draft', 'sent', 'viewed', 'accepted', 'paid')
            and r.line -> 'is_renewal' is not null)
     order by e.id`,

  mailFacts: (org: number, id: number) => sql<DraftFacts>`
    select f.*, ${monthsKnownOf(sql`jsonb_path_query_array(f.unadjusted, '$[*].price_index')`)} as known_months from (
    select q.id, q.number, q.status, q.total, q.currency, q.company, min(e.expires_at) as ends_at,
           coalesce(jsonb_agg(jsonb_build_object('name', e.product_name, 'entitlementCode', e.code) order by e.id)
                      filter (where e.id is not null), '[]') as renewed,
           coalesce(jsonb_agg(jsonb_build_object('price_index', l.line -> 'price_index', 'began_at', ${TERM_BEGAN},
                                                 'expires_at', e.expires_at))
                      filter (where e.expires_at is not null and l.line -> 'price_index' is not null
                               and l.line -> 'adjustment' is null), '[]') as unadjusted
      from quotes q
      left join lateral jsonb_array_elements(q.line_items) as l (line) on true
      left join entitlements e on e.organization_id = ${org} and e.code = l.line ->> 'entitlement_code'
     where q.organization_id = ${org} and q.id = ${id} group by q.organization_id, q.id) f`,
}
