// The orders of the sandbox's shop, with WooCommerce's rules: no status is refused after another one, a refund of
// everything turns the order and the other way round, and times are in GMT without saying so.
import { Type, type Static } from 'typebox'
import { formatMoney, parseMoney } from '#kernel/values/money.ts'

export const STATUSES = [
  'pending',
  'processing',
  'on-hold',
  'completed',
  'cancelled',
  'refunded',
  'failed',
  'checkout-draft',
] as const

const Fields = Type.Record(Type.String(), Type.Unknown())
const Amount = Type.String({ pattern: '^-?\\d{1,12}(\\.\\d{1,4})?$' })
const Line = Type.Object({
  name: Type.Optional(Type.String()),
  sku: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  quantity: Type.Optional(Type.Integer({ minimum: 0 })),
  subtotal: Type.Optional(Amount),
  total: Amount,
  total_tax: Type.Optional(Amount),
})
const Meta = Type.Object({ key: Type.String(), value: Type.Unknown() })
const Refund = Type.Object({ id: Type.Integer(), reason: Type.String(), total: Type.String() })

export const NewOrder = Type.Object({
  status: Type.Optional(Type.Enum(STATUSES)),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
  customer_note: Type.Optional(Type.String()),
  payment_method: Type.Optional(Type.String()),
  payment_method_title: Type.Optional(Type.String()),
  billing: Type.Optional(Fields),
  line_items: Type.Optional(Type.Array(Line)),
  fee_lines: Type.Optional(Type.Array(Line)),
  shipping_lines: Type.Optional(Type.Array(Line)),
  meta_data: Type.Optional(Type.Array(Meta)),
})
export type NewOrder = Static<typeof NewOrder>

export const ShopOrder = Type.Object({
  ...Type.Required(NewOrder).properties,
  id: Type.Integer({ minimum: 1 }),
  number: Type.String(),
  /** `trash` besides. */
  status: Type.String(),
  total: Type.String(),
  date_created_gmt: Type.String(),
  date_modified_gmt: Type.String(),
  date_paid_gmt: Type.Union([Type.String(), Type.Null()]),
  refunds: Type.Array(Refund),
})
export type ShopOrder = Static<typeof ShopOrder>

export type ShopStore = {
  orders: Map<number, ShopOrder>
  /** Throws InvalidMoney for an amount that the currency does not have. */
  add(given: NewOrder): ShopOrder
  setStatus(order: ShopOrder, status: string): void
  /** Null when there is less left. */
  refund(order: ShopOrder, amount: string, reason: string): ShopOrder['refunds'][number] | null
}

/** The first number of a shop that has had other posts. */
const FIRST_ID = 1087

export function shopStore(known: readonly ShopOrder[], now: () => Date): ShopStore {
  const orders = new Map(known.map((order) => [order.id, order]))
  const ids = known.flatMap(({ id, refunds }) => [id, ...refunds.map((refund) => refund.id)])
  let next = Math.max(FIRST_ID - 1, ...ids)
  const gmt = () => now().toISOString().slice(0, 19)
  const push = (order: ShopOrder, amount: bigint, reason: string) => {
    const refund = { id: (next += 1), reason, total: `-${formatMoney(amount, order.currency)}` }
    order.refunds.push(refund)
    return refund
  }
  const setStatus = (order: ShopOrder, status: string) => {
    order.status = status
    order.date_modified_gmt = gmt()
    if (status === 'processing' || status === 'completed') order.date_paid_gmt ??= gmt()
    const left = status === 'refunded' ? leftOf(order) : 0n
    if (left > 0n) push(order, left, 'Order fully refunded.')
  }
  return {
    orders,
    setStatus,
    add(given) {
      const order = newOrder(given, next + 1, gmt())
      next += 1
      orders.set(order.id, order)
      setStatus(order, order.status)
      return order
    },
    refund(order, amount, reason) {
      const [given, left] = [minorOf(amount, order.currency), leftOf(order)]
      if (given <= 0n || given > left) return null
      const made = push(order, given, reason)
      setStatus(order, given === left ? 'refunded' : order.status)
      return made
    },
  }
}

function newOrder(given: NewOrder, id: number, at: string): ShopOrder {
  const { currency = 'BRL', line_items = [], fee_lines = [], shipping_lines = [] } = given
  const minor = [...line_items, ...fee_lines, ...shipping_lines].reduce(
    (sum, { total, total_tax = '0' }) => sum + minorOf(total, currency) + minorOf(total_tax, currency),
    0n,
  )
  return {
    number: String(id),
    status: 'pending',
    customer_note: '',
    payment_method: '',
    payment_method_title: '',
    billing: {},
    meta_data: [],
    ...given,
    id,
    currency,
    line_items,
    fee_lines: fee_lines.map((fee) => ({ total_tax: '0.00', ...fee })),
    shipping_lines,
    total: formatMoney(minor, currency),
    date_created_gmt: at,
    date_modified_gmt: at,
    date_paid_gmt: null,
    refunds: [],
  }
}

const minorOf = (amount: string, currency: string): bigint =>
  amount.startsWith('-') ? -parseMoney(amount.slice(1), currency) : parseMoney(amount, currency)

const leftOf = ({ total, currency, refunds }: ShopOrder): bigint =>
  refunds.reduce((left, refund) => left + minorOf(refund.total, currency), minorOf(total, currency))
