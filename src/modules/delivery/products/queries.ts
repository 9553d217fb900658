// All SQL of the catalogue, which belongs to no organization.
import { withExternalId } from '#kernel/data/external-ids.ts'
import { page, row } from '#http/route.ts'
import type { Company } from '#kernel/values/schema.ts'
import { contains } from '#kernel/data/lists/search.ts'
import { isOneOf, raw, sql, type Statement, timeInJson, when } from '#kernel/values/sql.ts'
import { storableJson } from '#kernel/values/text/text.ts'
import type { DeclaredProduct, Offer, TaxTerms } from './offers.ts'
import {
  type NewPrice,
  type NewProduct,
  type OfferedProductFilters,
  type Price,
  type PriceFilters,
  type Product,
  type ProductFilters,
  productListing,
} from './product.ts'

const priceColumns =
  raw(`id, product_id, company, currency, unit_price, term_months, interval, tax_percent, ended_at is null as active,
  ended_at, external_id, metadata, created_at, updated_at`)

/**
 * Inside JSON the amounts are cast to text and the times formatted, since the database's parsers do not reach there.
 */
const productColumns =
  raw(`p.id, p.sku, p.name, p.description, p.entitlement_class, p.update_months, p.service_code, p.nbs_code, p.iss_rate,
  p.tax_issue_rule, p.features, p.active, p.external_id, p.metadata, p.created_at, p.updated_at,
  coalesce((select jsonb_agg(jsonb_build_object('id', c.id, 'product_id', c.product_id, 'company', c.company,
      'currency', c.currency, 'unit_price', c.unit_price::text, 'term_months', c.term_months, 'interval', c.interval,
          'tax_percent', c.tax_percent::text,
      'active', true, 'ended_at', null, 'external_id', c.external_id, 'metadata', c.metadata, 'created_at',
          ${timeInJson('c.created_at')}, 'updated_at', ${timeInJson('c.updated_at')}) order by c.company, c.currency)
    from prices c where c.product_id = p.id and c.ended_at is null), '[]') as prices`)

const one = (id: number): Statement<Product> =>
  sql<Product>`select ${productColumns} from products p where p.id = ${id}`

export const products = {
  page: (query: ProductFilters) =>
    page(query, {
      columns: sql`${productColumns}`,
      id: 'p.id',
      listing: productListing,
      from: sql`from products p where true
        ${withExternalId(query, 'p.')}
        ${when(query.active, (active) => sql`and p.active = ${active}`)}
        ${isOneOf('p.entitlement_class', query.entitlement_class)}
        ${when(query.search, (text) => sql`and (${contains('p.name', text)} or ${contains('p.sku', text)})`)}`,
    }),
  offered: (query: OfferedProductFilters) =>
    page(query, {
      columns: sql`p.id, p.sku, p.name, p.description, p.entitlement_class`,
      id: 'p.id',
      from: sql`from products p where p.active
        ${isOneOf('p.entitlement_class', query.entitlement_class)}
        ${when(query.search, (text) => sql`and (${contains('p.name', text)} or ${contains('p.sku', text)})`)}`,
    }),
  byId: (id: number) => row<Product>(one(id)),
  one,
  idsBySku: (skus: readonly string[]) => sql<{ id: number }>`select id from products where sku = any(${skus}::text[])`,
  /** Locks the product, so that two new prices of it are added one after the other. */
  forChange: (id: number) => sql<Omit<Product, 'prices'>>`
    select id, sku, name, description, entitlement_class, update_months, service_code, nbs_code, iss_rate,
      tax_issue_rule,
           features, active, external_id, metadata, created_at, updated_at
      from products where id = ${id} for update`,
  add: (
    { description = null, update_months = null, features = [], active = true, ...product }: NewProduct,
    now: Date,
  ) => sql<{ id: number }>`
    insert into products (sku, name, entitlement_class, description, update_months, service_code, nbs_code, iss_rate,
                          tax_issue_rule, features, active, external_id, metadata, created_at, updated_at)
    values (${product.sku}, ${product.name}, ${product.entitlement_class}, ${description}, ${update_months},
            ${product.service_code ?? null}, ${product.nbs_code ?? null}, ${product.iss_rate ?? null},
            ${product.tax_issue_rule ?? null}, ${storableJson(features)}::jsonb, ${active},
            ${product.external_id ?? null}, ${storableJson(product.metadata ?? {})}::jsonb, ${now}, ${now})
              returning id`,
  change: (product: Omit<Product, 'prices'>, now: Date) => sql`
    update products set sku = ${product.sku}, name = ${product.name}, entitlement_class = ${product.entitlement_class},
           description = ${product.description}, update_months = ${product.update_months},
           service_code = ${product.service_code}, nbs_code = ${product.nbs_code}, iss_rate = ${product.iss_rate},
           tax_issue_rule = ${product.tax_issue_rule}, features = ${storableJson(product.features)}::jsonb,
           active = ${product.active}, external_id = ${product.external_id},
           metadata = ${storableJson(product.metadata)}::jsonb, updated_at = ${now}
     where id = ${product.id} returning id`,

  pricesOf: (id: number, query: PriceFilters) =>
    page(query, {
      columns: sql`${priceColumns}`,
      from: sql`from prices where product_id = ${id}
        ${withExternalId(query)}
        ${when(query.active, (active) => sql`and (ended_at is null) = ${active}`)}
        ${when(query.company, (company) => sql`and company = ${company}`)}
        ${when(query.currency, (currency) => sql`and currency = ${currency}`)}`,
      parent: sql`select id from products where id = ${id}`,
    }),
  addPrice: (productId: number, price: Required<NewPrice>, now: Date) => sql<Price>`
    insert into prices (product_id, company, currency, unit_price, term_months, interval, tax_percent, external_id,
      metadata, created_at,
                        updated_at)
    values (${productId}, ${price.company}, ${price.currency}, ${price.unit_price}, ${price.term_months},
      ${price.interval}, ${price.tax_percent},
            ${price.external_id}, ${storableJson(price.metadata)}::jsonb, ${now}, ${now})
    returning ${priceColumns}`,
  endCurrent: (productId: number, { company, currency }: NewPrice, now: Date) => sql<Price>`
    update prices set ended_at = ${now}, updated_at = ${now}
     where product_id = ${productId} and company = ${company} and currency = ${currency} and ended_at is null
    returning ${priceColumns}`,
  endPrice: (productId: number, id: number, now: Date) => sql<Price>`
    update prices set ended_at = ${now}, updated_at = ${now}
     where product_id = ${productId} and id = ${id} and ended_at is null returning ${priceColumns}`,
  price: (productId: number, id: number) =>
    row<Price>(sql`select ${priceColumns} from prices where product_id = ${productId} and id = ${id}`),
  priceForChange: (productId: number, id: number) => sql<Price>`
    select ${priceColumns} from prices where product_id = ${productId} and id = ${id} for update`,
  changePrice: ({ id, external_id, metadata }: Price, now: Date) => sql<Price>`
    update prices set external_id = ${external_id}, metadata = ${storableJson(metadata)}::jsonb, updated_at = ${now}
     where id = ${id} returning ${priceColumns}`,

  given: (id: number) =>
    sql<Pick<Product, 'update_months' | 'features'>>`select update_months, features from products where id = ${id}`,
  taxTerms: (ids: readonly number[]) => sql<TaxTerms>`
    select id, service_code, nbs_code, iss_rate, tax_issue_rule from products where id = any(${ids}::bigint[])`,
  declared: () => sql<DeclaredProduct>`
    select sku, entitlement_class, service_code, iss_rate from products
     where active and (service_code is not null or iss_rate is not null) order by sku`,
  exists: (id: number) => sql`select id from products where id = ${id}`,
  offers: (ids: readonly number[], company: Company, currency: string) => sql<Offer>`
    select p.id, p.sku, p.name, p.description, p.entitlement_class, p.features, p.active, c.unit_price, c.term_months,
           c.interval, c.tax_percent
      from products p
      left join prices c on c.product_id = p.id and c.company = ${company} and c.currency = ${currency}
        and c.ended_at is null
     where p.id = any(${ids}::bigint[])`,
}
