// Between an order of the shop and the port's.
import { Type, type Static } from 'typebox'
import { Value } from 'typebox/value'
import { formatMoney, InvalidMoney, isCurrency, parseMoney } from '#kernel/values/money.ts'
import { cut, oneLine, storable } from '#kernel/values/text.ts'
import { visibleIn } from '#kernel/values/visible-text.ts'
import {
  CommerceRefused,
  CommerceUnavailable,
  type OrderMark,
  type PlatformLine,
  type PlatformOrder,
  type PlatformOrderRequest,
  type PlatformRefund,
} from '#ports/commerce.ts'

/** As much as an order's notes hold here. */
const MAX_NOTE_LENGTH = 20_000

const Text = Type.String()
const Maybe = Type.Optional(Type.Union([Text, Type.Null()]))
const Amount = Type.String({ pattern: '^-?\\d{1,15}(\\.\\d{1,8})?$' })
/** Of the time zone GMT, without saying so: `2026-11-20T14:42:55`. */
const Gmt = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d$' })

const Line = Type.Object({
  name: Text,
  sku: Maybe,
  quantity: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  subtotal: Amount,
  total: Amount,
  total_tax: Amount,
})
/** Fees and shipping: one amount each. */
const Extra = Type.Object({
  name: Maybe,
  method_title: Maybe,
  total: Amount,
  total_tax: Amount,
})

export const ShopOrder = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  number: Text,
  status: Text,
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  total: Amount,
  date_created_gmt: Gmt,
  date_modified_gmt: Gmt,
  date_paid_gmt: Type.Optional(Type.Union([Gmt, Type.Null()])),
  payment_method: Maybe,
  payment_method_title: Maybe,
  customer_note: Maybe,
  billing: Type.Optional(Type.Record(Text, Type.Unknown())),
  line_items: Type.Array(Line),
  fee_lines: Type.Array(Extra),
  shipping_lines: Type.Array(Extra),
  refunds: Type.Array(Type.Object({ id: Type.Integer(), reason: Maybe, total: Amount })),
  meta_data: Type.Array(Type.Object({ key: Text, value: Type.Unknown() })),
})
export type ShopOrder = Static<typeof ShopOrder>

/** Written with our orders; whoever wants to give an order to an organization sets the second one in the shop. */
export const ORDER_META = 'titular_order_id'
export const ORGANIZATION_META = 'titular_organization_id'

/** States of the shop with another name here. */
const STATUS: ReadonlyMap<string, string> = new Map([
  ['trash', 'trashed'],
  ['auto-draft', 'draft'],
  ['checkout-draft', 'draft'],
])

export function orderOf(answer: unknown): PlatformOrder {
  if (!Value.Check(ShopOrder, answer)) throw new CommerceUnavailable('The shop’s answer is no order as its API has it')
  try {
    return read(answer)
  } catch (error) {
    if (!(error instanceof InvalidMoney)) throw error
    throw new CommerceRefused(`Order ${answer.id} of the shop has an amount that is none in ${answer.currency}`)
  }
}

function read(order: ShopOrder): PlatformOrder {
  const { currency, billing = {} } = order
  if (!isCurrency(currency)) throw new CommerceRefused(`Order ${order.id} of the shop is in ${currency}`)
  const organizationId = idIn(metaOf(order, ORGANIZATION_META))
  const orderId = idIn(metaOf(order, ORDER_META))
  const person = [billing['first_name'], billing['last_name']].map(textOf).filter(Boolean).join(' ')
  return {
    reference: String(order.id),
    number: visibleIn(oneLine(order.number, 100)) || String(order.id),
    status: STATUS.get(order.status) ?? order.status,
    currency,
    total: money(order.total, currency),
    createdAt: new Date(`${order.date_created_gmt}Z`),
    modifiedAt: new Date(`${order.date_modified_gmt}Z`),
    paidAt: order.date_paid_gmt ? new Date(`${order.date_paid_gmt}Z`) : null,
    paymentMethod: textOf(order.payment_method) || null,
    paymentMethodTitle: textOf(order.payment_method_title) || null,
    billingName: textOf(billing['company']) || person || null,
    billingEmail: textOf(billing['email']).toLowerCase() || null,
    // Where the usual extension for Brazil keeps it: in the address, or only among the meta data.
    billingCnpj: textOf(billing['cnpj']) || textOf(metaOf(order, '_billing_cnpj')) || null,
    note: cut(storable(order.customer_note ?? '').trim(), MAX_NOTE_LENGTH) || null,
    lines: [...order.line_items.map((line) => lineOf(line, currency)), ...extrasOf(order)],
    refunds: order.refunds.map(({ id, reason, total }) => ({
      reference: String(id),
      amount: money(total.replace('-', ''), currency),
      refundId: refundIn(reason ?? ''),
    })),
    mark: markOf(organizationId, orderId),
    organizationId,
  }
}

const lineOf = (line: Static<typeof Line>, currency: string): PlatformLine => ({
  name: textOf(line.name) || 'Item',
  sku: textOf(line.sku) || null,
  quantity: line.quantity,
  subtotal: money(line.subtotal, currency),
  total: money(line.total, currency),
  tax: money(line.total_tax, currency),
})

/** Fees and shipping that cost something, as lines. */
function extrasOf({ fee_lines, shipping_lines, currency }: ShopOrder): PlatformLine[] {
  const extras = [...fee_lines, ...shipping_lines].map(({ name, method_title, total, total_tax }) => ({
    name: textOf(name) || textOf(method_title) || 'Fee',
    sku: null,
    quantity: 1,
    subtotal: money(total, currency),
    total: money(total, currency),
    tax: money(total_tax, currency),
  }))
  return extras.filter(({ total, tax }) => [total, tax].some((amount) => /[1-9]/.test(amount)))
}

/** Of an order in a list: its id, its last change, and whose copy it is. Reads nothing else, since one odd order must not hide the others. */
export function listed(answer: unknown): { reference: string; modifiedAt: Date; mark: OrderMark | null } | null {
  if (!Value.Check(Listed, answer)) return null
  const mark = markOf(idIn(metaOf(answer, ORGANIZATION_META)), idIn(metaOf(answer, ORDER_META)))
  return { reference: String(answer.id), modifiedAt: new Date(`${answer.date_modified_gmt}Z`), mark }
}
const Listed = Type.Pick(ShopOrder, ['id', 'date_modified_gmt', 'meta_data'])

const markOf = (organizationId: number | null, orderId: number | null): OrderMark | null =>
  organizationId !== null && orderId !== null ? { organizationId, orderId } : null

const metaOf = ({ meta_data }: Pick<ShopOrder, 'meta_data'>, key: string): unknown =>
  meta_data.find((one) => one.key === key)?.value

const textOf = (value: unknown): string => (typeof value === 'string' ? visibleIn(oneLine(value, 200)) : '')

/** A refund is recognized by its reason, since the shop keeps nothing else of ours with it. */
export const refundReason = ({ refundId, reason }: PlatformRefund): string =>
  reason === null ? `Titular refund ${refundId}` : `Titular refund ${refundId}: ${reason}`
const refundIn = (reason: string): number | null => idIn(/^Titular refund (\d{1,15})(?::|$)/.exec(reason)?.[1])

/** The shop keeps meta data as text. */
function idIn(value: unknown): number | null {
  const id = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

/** The shop may show more digits than the currency has, as long as they are zeros. */
function money(amount: string, currency: string): string {
  const isNegative = amount.startsWith('-')
  const digits = amount
    .replace('-', '')
    .replace(/(?<=\.\d*)0+$/, '')
    .replace(/\.$/, '')
  const minor = parseMoney(digits, currency)
  return formatMoney(isNegative ? -minor : minor, currency)
}

/** Fees instead of products: they need no entry in the shop's catalogue, and no tax is added to them. */
export function newOrder(request: PlatformOrderRequest): object {
  const { mark, status, currency, lines, billingName, billingEmail, number } = request
  return {
    status,
    currency,
    billing: { company: billingName ?? '', ...(billingEmail === null ? {} : { email: billingEmail }) },
    fee_lines: lines.map(({ description, total }) => ({ name: description, total, tax_status: 'none' })),
    meta_data: [
      { key: ORDER_META, value: String(mark.orderId) },
      { key: ORGANIZATION_META, value: String(mark.organizationId) },
      { key: 'titular_order_number', value: number },
    ],
  }
}
