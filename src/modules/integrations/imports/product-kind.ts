// Lines that become products, each with its price, as other systems export them, or with several.
import { addPrice, addProduct } from '#modules/delivery/products/change-product.ts'
import { NewPrice, NewProduct, priceRules } from '#modules/delivery/products/product.ts'
import { featureRules } from '#modules/delivery/entitlements/feature.ts'
import { Closed } from '#kernel/values/schema.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import { type Static, Type } from 'typebox'
import { vendorKind } from './row-kind.ts'

const { external_id: _ofProduct, ...sold } = NewProduct.properties
const PRICE = ['company', 'currency', 'unit_price', 'term_months', 'interval', 'tax_percent'] as const
const price = Type.Pick(NewPrice, PRICE)
const ProductLine = Closed({
  ...sold,
  ...Type.Partial(price).properties,
  prices: Type.Optional(
    Type.Array(Closed(price.properties), { maxItems: 50, description: 'One for each company and currency' }),
  ),
})
type ProductLine = Static<typeof ProductLine>

/** A second price of a company and currency would end the first one. */
function pricesRules({ prices = [] }: Partial<ProductLine>): Fields {
  const seen = new Set<string>()
  const found: Fields = {}
  for (const [index, one] of prices.entries()) {
    const key = `${one.company} ${one.currency}`
    if (seen.has(key)) found[`prices.${index}`] = 'is the second price of this company and currency'
    seen.add(key)
    for (const [field, problem] of Object.entries(priceRules(one))) found[`prices.${index}.${field}`] = problem
  }
  return found
}

export const products = vendorKind({
  scopes: ['catalogue'],
  body: ProductLine,
  rules(body, { isGiven }) {
    const given = PRICE.filter(isGiven)
    const needed = ['company', 'currency', 'unit_price'] as const
    return {
      ...featureRules(body),
      ...pricesRules(body),
      ...priceRules(body),
      ...(given.length > 0 &&
        Object.fromEntries(needed.filter((field) => !isGiven(field)).map((field) => [field, 'is required']))),
      ...(given.length > 0 && isGiven('prices') && { prices: 'must not stand beside unit_price' }),
    }
  },
  unique: ({ sku }) => [{ field: 'sku', value: sku.toLowerCase(), isOfOrganization: false }],
  async add(ctx, { company, currency, unit_price, prices = [], ...line }) {
    const { term_months = null, interval = null, tax_percent = null, ...body } = line
    const { id } = await addProduct(ctx, body)
    const own = { term_months, interval, tax_percent }
    const all = company && currency && unit_price ? [{ ...own, company, currency, unit_price }] : prices
    for (const one of all) await addPrice(ctx, id, one)
    return id
  },
})
