// Products by the beginning of their SKU, name or external id, and of the external ids of their prices, for staff's
// search. They belong to no organization; the catalogue is small, so no index is needed.
import { beginsWith, MOST_OF_A_KIND } from '#kernel/data/lists/search.ts'
import { raw, sql, type Statement } from '#kernel/values/sql.ts'

export const productsNamed = (q: string): Statement => sql`
  select p.id, null::bigint as organization_id, p.sku || ' ' || p.name as label, f.matched,
         f.value = fold(btrim(${q})) as is_exact
    from products p,
         lateral (select * from (values ('sku', fold(p.sku)), ('name', fold(p.name)), ('external_id',
           fold(p.external_id))) own
                  union all
                  select 'price_external_id', fold(prices.external_id) from prices
                   where prices.product_id = p.id and prices.external_id is not null) f (matched, value)
   where ${beginsWith('f.value', sql`fold(btrim(${q}))`)} ${raw(`limit ${MOST_OF_A_KIND}`)}`
