// WooCommerce's REST API v3 (woocommerce.github.io/woocommerce-rest-api-docs), as far as orders and their refunds go,
// and the webhooks about orders.
import { createHash, createHmac } from 'node:crypto'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { InvalidMoney } from '#kernel/values/money.ts'
import { NewOrder, type ShopOrder, type ShopStore, STATUSES } from './orders.ts'

export type Call = { method: string; path: string; query: URLSearchParams; body: unknown }
export type Topic = 'order.created' | 'order.updated' | 'order.deleted' | 'order.restored'
export type Change = { topic: Topic; order: ShopOrder }
/** `change`: what has to be stored and announced. */
export type ShopAnswer = { status: number; body: unknown; change?: Change }

const StatusChange = Type.Object({ status: Type.Optional(Type.Enum(STATUSES)) })
const NewRefund = Type.Object({
  amount: Type.String({ pattern: '^\\d{1,12}(\\.\\d{1,4})?$' }),
  reason: Type.Optional(Type.String()),
  api_refund: Type.Optional(Type.Boolean()),
})

export const refusal = (status: number, code: string, message: string): ShopAnswer => ({
  status,
  body: { code, message, data: { status } },
})
const invalid = (what: string): ShopAnswer => refusal(400, 'rest_invalid_param', `Invalid parameter(s): ${what}`)
const noRefund = (message: string): ShopAnswer => refusal(500, 'woocommerce_rest_cannot_create_order_refund', message)

export function answerShop(store: ShopStore, call: Call): ShopAnswer {
  try {
    return answered(store, call)
  } catch (error) {
    if (error instanceof InvalidMoney) return invalid('total')
    throw error
  }
}

function answered(store: ShopStore, call: Call): ShopAnswer {
  const [path, id, refunds] = /^\/wp-json\/wc\/v3\/orders(?:\/(\d{1,15})(\/refunds)?)?$/.exec(call.path) ?? []
  if (path === undefined) return refusal(404, 'rest_no_route', 'No route was found.')
  if (id === undefined) return ofShop(store, call)
  const order = store.orders.get(Number(id))
  if (!order) return refusal(404, 'woocommerce_rest_shop_order_invalid_id', 'Invalid ID.')
  if (refunds) return ofRefunds(store, order, call)
  switch (call.method) {
    case 'GET':
      return { status: 200, body: order }
    case 'PUT':
    case 'POST':
      return changeOrder(store, order, call.body)
    case 'DELETE':
      store.setStatus(order, 'trash')
      return { status: 200, body: order, change: { topic: 'order.deleted', order } }
    default:
      return refusal(404, 'rest_no_route', 'No route was found.')
  }
}

function ofShop(store: ShopStore, { method, query, body }: Call): ShopAnswer {
  if (method !== 'POST') return { status: 200, body: pageOf(store, query) }
  if (!Value.Check(NewOrder, body)) return invalid(Value.Errors(NewOrder, body)[0]?.instancePath ?? 'body')
  const order = store.add(body)
  return { status: 201, body: order, change: { topic: 'order.created', order } }
}

function changeOrder(store: ShopStore, order: ShopOrder, body: unknown): ShopAnswer {
  if (!Value.Check(StatusChange, body)) return invalid('status')
  if (body.status === undefined) return { status: 200, body: order }
  const topic = order.status === 'trash' ? 'order.restored' : 'order.updated'
  store.setStatus(order, body.status)
  return { status: 200, body: order, change: { topic, order } }
}

function ofRefunds(store: ShopStore, order: ShopOrder, { method, body }: Call): ShopAnswer {
  if (method === 'GET') return { status: 200, body: order.refunds }
  if (!Value.Check(NewRefund, body)) return invalid('amount')
  const { amount, reason = '', api_refund: isAtGateway = true } = body
  if (isAtGateway) return noRefund('The payment gateway for this order does not exist.')
  const made = store.refund(order, amount, reason)
  if (!made) return noRefund('Invalid refund amount.')
  const answer = { id: made.id, amount, reason, refunded_payment: false }
  return { status: 201, body: answer, change: { topic: 'order.updated', order } }
}

function pageOf(store: ShopStore, query: URLSearchParams): ShopOrder[] {
  const page = Number(query.get('page') ?? 1)
  const size = Math.min(100, Number(query.get('per_page') ?? 10))
  const changedSince = query.get('modified_after')
  const since = changedSince ?? query.get('after')
  const sinceKey = changedSince === null ? 'date_created_gmt' : 'date_modified_gmt'
  const key = query.get('orderby') === 'modified' ? 'date_modified_gmt' : 'date_created_gmt'
  const direction = query.get('order') === 'asc' ? 1 : -1
  return [...store.orders.values()]
    .filter((order) => order.status !== 'trash' && (since === null || order[sinceKey] > since))
    .toSorted((one, other) => direction * (one[key].localeCompare(other[key]) || one.id - other.id))
    .slice((page - 1) * size, page * size)
}

/** The shop makes the delivery's id of the webhook and the current second. A deleted order is its id alone. */
export function shopEvent(
  topic: string,
  body: string,
  { secret, now }: { secret: string; now: Date },
): { headers: Record<string, string>; body: string } {
  const headers = {
    'content-type': 'application/json',
    'x-wc-webhook-source': 'https://shop.example/',
    'x-wc-webhook-topic': topic,
    'x-wc-webhook-resource': 'order',
    'x-wc-webhook-event': topic.split('.')[1] ?? '',
    'x-wc-webhook-id': '1',
    'x-wc-webhook-delivery-id': createHash('md5')
      .update(`1${Math.floor(now.getTime() / 1000)}`)
      .digest('hex'),
    'x-wc-webhook-signature': createHmac('sha256', secret).update(body).digest('base64'),
  }
  return { headers, body }
}

export const eventBody = (topic: string, order: { id: number }): string =>
  JSON.stringify(topic === 'order.deleted' ? { id: order.id } : order)
