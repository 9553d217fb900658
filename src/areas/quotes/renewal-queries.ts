// All SQL of the quotes that the service drafts for a next term (docs/decisions/0069).
import type { Entitlement } from '#areas/entitlements/entitlement.ts'
import type { LineItem } from '#areas/orders/line-item.ts'
import { sql } from '#kernel/data/sql.ts'
import type { Quote } from './quote.ts'

/** A term that ends, with the line that sold it. */
export type SoldTerm = Pick<Entitlement, 'code' | 'class' | 'quantity' | 'company'> & {
  expires_at: string
  currency: string
  line: LineItem
}

export type DraftFacts = Pick<Quote, 'id' | 'number' | 'status' | 'total' | 'currency' | 'company'> & {
  renewed: { name: string; entitlementCode: string }[]
  ends_at: string | null
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
    select q.id, q.number, q.status, q.total, q.currency, q.company, min(e.expires_at) as ends_at,
           coalesce(jsonb_agg(jsonb_build_object('name', e.product_name, 'entitlementCode', e.code) order by e.id)
                      filter (where e.id is not null), '[]') as renewed
      from quotes q
      left join lateral jsonb_array_elements(q.line_items) as l (line) on true
      left join entitlements e on e.organization_id = ${org} and e.code = l.line ->> 'entitlement_code'
     where q.organization_id = ${org} and q.id = ${id} group by q.organization_id, q.id`,
}
