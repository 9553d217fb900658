// The lines of a shop's order: what was bought, fees and shipping. A discount may be a fee below zero.
import { cut } from '#kernel/values/text/text.ts'
import type { PlatformLine } from '#ports/commerce.ts'
import { entriesOf, type Fields, partOf, textOf, UnusableField } from './fields.ts'

const MAX_QUANTITY = 1_000_000
const MAX_NAME_LENGTH = 200

export function linesOf(order: Fields, currency: string): PlatformLine[] {
  const items = named(order, 'line_items').flatMap(([field, line]) => itemOf(field, line, currency))
  const extras = ['fee_lines', 'shipping_lines'].flatMap((list) =>
    named(order, list).map(([field, line]) => extraOf(field, line, currency)),
  )
  return [...items, ...extras.filter(isWorthSomething)]
}

const named = (order: Fields, list: string): [string, Fields][] =>
  entriesOf(order[list]).map((line, index) => [`${list}[${index}]`, line])

/**
 * Nothing of it was bought, or a part of one: what was paid for is one, named with the quantity. Without a price, a
 * quantity of 0 is nothing.
 */
function itemOf(field: string, line: Fields, currency: string): PlatformLine[] {
  const quantity = quantityOf(`${field}.quantity`, line['quantity'])
  const name = textOf(line['name']) || 'Item'
  const amounts = amountsOf(field, line, currency)
  const sku = textOf(line['sku']) || null
  if (Number.isInteger(quantity) && quantity > 0) return [{ name, sku, quantity, ...amounts }]
  if (quantity === 0 && !isWorthSomething(amounts)) return []
  return [{ name: cut(`${quantity} × ${name}`, MAX_NAME_LENGTH), sku, quantity: 1, ...amounts }]
}

function quantityOf(field: string, value: unknown): number {
  const quantity = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof quantity === 'number' && quantity >= 0 && quantity <= MAX_QUANTITY) return quantity
  throw new UnusableField(field, value, `which is no quantity up to ${MAX_QUANTITY}`)
}

/** One amount each. */
const extraOf = (field: string, line: Fields, currency: string): PlatformLine => ({
  name: textOf(line['name']) || textOf(line['method_title']) || 'Fee',
  sku: null,
  quantity: 1,
  ...amountsOf(field, { total: line['total'], total_tax: line['total_tax'] }, currency),
})

/** Without a subtotal there was no discount; without a tax there is none. */
function amountsOf(field: string, { subtotal, total, total_tax }: Fields, currency: string) {
  const part = (name: string, value: unknown) => partOf(`${field}.${name}`, value, currency)
  const net = part('total', total)
  return {
    subtotal: isThere(subtotal) ? part('subtotal', subtotal) : net,
    total: net,
    tax: part('total_tax', isThere(total_tax) ? total_tax : '0'),
  }
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

const isWorthSomething = ({ total, tax }: Pick<PlatformLine, 'total' | 'tax'>): boolean =>
  [total, tax].some((amount) => /[1-9]/.test(amount))
