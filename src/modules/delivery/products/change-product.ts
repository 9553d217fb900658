// Changes of the catalogue, by staff only; each has an entry in the service's own audit log. Nothing is
// deleted, since quotes refer to their products.
import { isDeepStrictEqual } from 'node:util'
import { amountField } from '#kernel/values/validation/amount-field.ts'
import { first, one, type SystemContext } from '#kernel/data/context.ts'
import { conflict, notFound, uniqueViolation } from '#kernel/values/errors.ts'
import { formatMoney } from '#kernel/values/money.ts'
import { assertPayable } from '#ports/payable-amounts.ts'
import { serviceChange } from '#kernel/data/audit/audit.ts'
import type { NewPrice, NewProduct, Price, PriceChange, Product, ProductChange } from './product.ts'
import { products } from './queries.ts'

type Side = Record<string, unknown>

const note = (ctx: SystemContext, action: string, resource: string, id: number, before: Side | null, after: Side) =>
  ctx.ask(serviceChange(ctx, action, { resource, id, before, after }))

/** The fields of a body that differ from those of the record. */
const changesOf = (was: Side, body: object): [string, unknown][] =>
  Object.entries(body).filter(([field, value]) => value !== undefined && !isDeepStrictEqual(value, was[field]))

const sideOf = (of: Side, changed: [string, unknown][]): Side =>
  Object.fromEntries(changed.map(([field]) => [field, of[field]]))

export async function addProduct(ctx: SystemContext, body: NewProduct): Promise<Product> {
  const { id } = await one(ctx, products.add(body, ctx.now)).catch(failAsTwin)
  await note(ctx, 'created', 'product', id, null, body)
  return one(ctx, products.one(id))
}

export async function changeProduct(ctx: SystemContext, id: number, body: ProductChange): Promise<Product> {
  const product = await first(ctx, products.forChange(id))
  if (!product) throw notFound()
  const changed = changesOf(product, body)
  if (changed.length > 0) {
    await ctx.ask(products.change({ ...product, ...Object.fromEntries(changed) }, ctx.now)).catch(failAsTwin)
    await note(ctx, 'updated', 'product', id, sideOf(product, changed), Object.fromEntries(changed))
  }
  return one(ctx, products.one(id))
}

function failAsTwin(error: unknown): never {
  const constraint = uniqueViolation(error)
  if (constraint === 'products_external_id') throw conflict('external_id_taken', 'Another product has this external_id')
  if (constraint === 'prices_external_id') throw conflict('external_id_taken', 'Another price has this external_id')
  if (constraint !== undefined) throw conflict('sku_taken', 'Another product has this SKU')
  throw error
}

/** Ends the current price of the same company and currency at the same time. */
export async function addPrice(ctx: SystemContext, productId: number, body: NewPrice): Promise<Price> {
  const { company, currency, term_months = null, interval = null, tax_percent = null } = body
  const { external_id = null, metadata = {} } = body
  const unit_price = formatMoney(amountField('unit_price', body.unit_price, currency), currency)
  assertPayable(ctx, { company, currency }, { unit_price })
  if (!(await first(ctx, products.forChange(productId)))) throw notFound()
  const ended = await first(ctx, products.endCurrent(productId, body, ctx.now))
  if (ended) await noteEnd(ctx, ended)
  const price = { company, currency, unit_price, term_months, interval, tax_percent, external_id, metadata }
  const added = await one(ctx, products.addPrice(productId, price, ctx.now)).catch(failAsTwin)
  await note(ctx, 'created', 'price', added.id, null, { product_id: productId, ...price })
  return added
}

/** Ends the price, or changes what other systems keep with it, or both. */
export async function changePrice(
  ctx: SystemContext,
  { productId, id }: { productId: number; id: number },
  { active, ...given }: PriceChange,
): Promise<Price> {
  const price = await first(ctx, products.priceForChange(productId, id))
  if (!price) throw notFound()
  const ended = active === undefined ? price : await endPrice(ctx, productId, id)
  const changed = changesOf(price, given)
  if (changed.length === 0) return ended
  const values = Object.fromEntries(changed)
  await note(ctx, 'updated', 'price', id, sideOf(price, changed), values)
  return one(ctx, products.changePrice({ ...ended, ...values }, ctx.now)).catch(failAsTwin)
}

async function endPrice(ctx: SystemContext, productId: number, id: number): Promise<Price> {
  const ended = await first(ctx, products.endPrice(productId, id, ctx.now))
  if (ended) {
    await noteEnd(ctx, ended)
    return ended
  }
  throw conflict('price_ended', 'The price has ended already')
}

const noteEnd = (ctx: SystemContext, { id, ended_at }: Price) =>
  note(ctx, 'ended', 'price', id, { ended_at: null }, { ended_at })
