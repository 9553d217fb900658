// What other areas ask the catalogue: products with their current price for one legal entity and currency, for the
// lines of quotes; whether there is a product; what is given with what is sold of it; how it is declared to the tax
// authority.
import { type Acting, first } from '#kernel/data/context.ts'
import { invalid } from '#kernel/values/errors.ts'
import type { Statement } from '#kernel/values/sql.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { Price, Product } from './product.ts'
import { products } from './queries.ts'

export type Offer = Pick<
  Product,
  'id' | 'sku' | 'name' | 'description' | 'entitlement_class' | 'features' | 'active'
> & {
  /** Null when the product has no current price for the company and the currency; so are the next three. */
  unit_price: Price['unit_price'] | null
  term_months: Price['term_months']
  interval: Price['interval']
  tax_percent: Price['tax_percent']
}

export async function offersOf(
  ctx: Pick<Acting, 'ask'>,
  ids: readonly number[],
  { company, currency }: { company: Company; currency: string },
): Promise<Map<number, Offer>> {
  if (ids.length === 0) return new Map()
  const offers = await ctx.ask(products.offers(ids, company, currency))
  return new Map(offers.map((offer) => [offer.id, offer]))
}

/** By SKU; those that the catalogue does not have are left out. */
export async function offersBySku(
  ctx: Pick<Acting, 'ask'>,
  skus: readonly string[],
  sale: { company: Company; currency: string },
): Promise<Map<string, Offer>> {
  const found = await ctx.ask(products.idsBySku(skus))
  const offers = await offersOf(
    ctx,
    found.map(({ id }) => id),
    sale,
  )
  return new Map([...offers.values()].map((offer) => [offer.sku, offer]))
}

/** How what is sold of a product is declared, and when. */
export type TaxTerms = Pick<Product, 'id' | 'service_code' | 'nbs_code' | 'iss_rate' | 'tax_issue_rule'>

export async function taxTermsOf(
  ctx: Pick<Acting, 'ask'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, TaxTerms>> {
  if (ids.length === 0) return new Map()
  return new Map((await ctx.ask(products.taxTerms(ids))).map((terms) => [terms.id, terms]))
}

/** An active product with a service code or a rate of its own. */
export type DeclaredProduct = Pick<Product, 'sku' | 'entitlement_class' | 'service_code' | 'iss_rate'>
export const declaredProducts = (): Statement<DeclaredProduct> => products.declared()

/** 422 when the catalogue has no such product. */
export async function assertProduct(ctx: Pick<Acting, 'ask'>, id: number | null | undefined): Promise<void> {
  if (typeof id === 'number' && !(await first(ctx, products.exists(id))))
    throw invalid({ product_id: 'names no product of the catalogue' })
}

/** How long what is sold of a product gets updates, and the features of each unit. */
export type ProductTerms = Pick<Product, 'update_months' | 'features'>
const NOTHING: ProductTerms = { update_months: null, features: [] }

export async function givenWith(ctx: Pick<Acting, 'ask'>, id: number | null | undefined): Promise<ProductTerms> {
  return typeof id === 'number' ? ((await first(ctx, products.given(id))) ?? NOTHING) : NOTHING
}
