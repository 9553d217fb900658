// Changes of the catalogue, by administrators only; each has an entry in the service's own audit log. Nothing is
// deleted, since quotes refer to their products.
import { isDeepStrictEqual } from 'node:util'
import { amountField } from '#kernel/values/amount-field.ts'
import { first, one, type SystemContext } from '#kernel/data/context.ts'
import { conflict, notFound, uniqueViolation } from '#kernel/http/errors.ts'
import { formatMoney } from '#kernel/values/money.ts'
import { serviceChange } from '#kernel/data/audit.ts'
import type { NewPrice, NewProduct, Price, Product, ProductChange } from './product.ts'
import { products } from './queries.ts'

type Side = Record<string, unknown>

const note = (ctx: SystemContext, action: string, resource: string, id: number, before: Side | null, after: Side) =>
  ctx.ask(serviceChange(ctx, action, { resource, id, before, after }))

export async function addProduct(ctx: SystemContext, body: NewProduct): Promise<Product> {
  const { id } = await one(ctx, products.add(body, ctx.now)).catch(failAsTwin)
  await note(ctx, 'created', 'product', id, null, body)
  return one(ctx, products.one(id))
}

export async function changeProduct(ctx: SystemContext, id: number, body: ProductChange): Promise<Product> {
  const product = await first(ctx, products.forChange(id))
  if (!product) throw notFound()
  const was: Side = product
  const changed = Object.entries(body).filter(
    ([field, value]) => value !== undefined && !isDeepStrictEqual(value, was[field]),
  )
  if (changed.length > 0) {
    await ctx.ask(products.change({ ...product, ...Object.fromEntries(changed) }, ctx.now)).catch(failAsTwin)
    const before = Object.fromEntries(changed.map(([field]) => [field, was[field]]))
    await note(ctx, 'updated', 'product', id, before, Object.fromEntries(changed))
  }
  return one(ctx, products.one(id))
}

function failAsTwin(error: unknown): never {
  if (uniqueViolation(error)) throw conflict('Another product has this SKU')
  throw error
}

/** Ends the current price of the same company and currency at the same time. */
export async function addPrice(ctx: SystemContext, productId: number, body: NewPrice): Promise<Price> {
  const { company, currency, term_months = null, interval = null, tax_percent = null } = body
  const unit_price = formatMoney(amountField('unit_price', body.unit_price, currency), currency)
  if (!(await first(ctx, products.forChange(productId)))) throw notFound()
  const ended = await first(ctx, products.endCurrent(productId, body, ctx.now))
  if (ended) await noteEnd(ctx, ended)
  const price = { company, currency, unit_price, term_months, interval, tax_percent }
  const added = await one(ctx, products.addPrice(productId, price, ctx.now))
  await note(ctx, 'created', 'price', added.id, null, { product_id: productId, ...price })
  return added
}

export async function endPrice(ctx: SystemContext, productId: number, id: number): Promise<Price> {
  const ended = await first(ctx, products.endPrice(productId, id, ctx.now))
  if (ended) {
    await noteEnd(ctx, ended)
    return ended
  }
  if (await first(ctx, products.price(productId, id))) throw conflict('The price has ended already')
  throw notFound()
}

const noteEnd = (ctx: SystemContext, { id, ended_at }: Price) =>
  note(ctx, 'ended', 'price', id, { ended_at: null }, { ended_at })
