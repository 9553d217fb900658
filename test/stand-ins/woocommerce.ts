// A shop that speaks WooCommerce's REST API v3 over HTTP, as far as orders go, with its own rules: no transition is refused,
// a refund of everything turns the order and the other way round, times are in GMT without saying so, webhooks may share their delivery id.
import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { listen } from '#test/harness/listen.ts'

export const KEY = 'ck_0123456789abcdef0123456789abcdef01234567'
export const SECRET = 'cs_0123456789abcdef0123456789abcdef01234567'
export const WEBHOOK_SECRET = 'the secret of the shop’s webhook'
const STATUSES = ['pending', 'processing', 'on-hold', 'completed', 'cancelled', 'refunded', 'failed', 'checkout-draft']

/** `lost`: done, but the answer never arrives. */
export type ShopTrouble = 'lost' | 'hang' | 'cut' | '503' | '429' | 'html' | 'shape' | 'redirect' | 'huge'

type Body = Record<string, unknown>
export type StoredOrder = Body & {
  id: number
  number: string
  status: string
  total: string
  currency: string
  date_modified_gmt: string
  refunds: { id: number; reason: string; total: string }[]
  fee_lines: Body[]
  meta_data: { key: string; value: unknown }[]
}
type Line = { name: string; sku?: string; quantity: number; subtotal: string; total: string; total_tax: string }

export type Shop = Awaited<ReturnType<typeof startShop>>

export async function startShop(now: () => Date = () => new Date()) {
  const orders = new Map<number, StoredOrder>()
  const requests: { method: string; path: string; body: Body | null }[] = []
  const troubles: { trouble: ShopTrouble; method: string | null }[] = []
  let nextId = 1086
  const gmt = () => now().toISOString().slice(0, 19)

  function add(given: Body): StoredOrder {
    const id = typeof given['id'] === 'number' ? given['id'] : (nextId += 1)
    const lines = [
      ...((given['line_items'] as Line[] | undefined) ?? []),
      ...((given['fee_lines'] as Line[] | undefined) ?? []),
    ]
    const inCents = lines.reduce(
      (sum, line) => sum + Number(line.total.replace('.', '')) + Number((line.total_tax ?? '0.00').replace('.', '')),
      0,
    )
    const order: StoredOrder = {
      id,
      number: String(id),
      status: 'pending',
      currency: 'BRL',
      date_created_gmt: gmt(),
      date_modified_gmt: gmt(),
      date_paid_gmt: null,
      payment_method: '',
      payment_method_title: '',
      customer_note: '',
      billing: {},
      line_items: [],
      shipping_lines: [],
      refunds: [],
      meta_data: [],
      total: (inCents / 100).toFixed(2),
      ...given,
      fee_lines: ((given['fee_lines'] as Body[] | undefined) ?? []).map((fee) => ({ total_tax: '0.00', ...fee })),
    }
    orders.set(id, order)
    setStatus(order, order.status)
    return order
  }

  function setStatus(order: StoredOrder, status: string): void {
    order.status = status
    order.date_modified_gmt = gmt()
    if (['processing', 'completed'].includes(status)) order['date_paid_gmt'] ??= gmt()
    const rest = cents(order.total) - refundedOf(order)
    if (status === 'refunded' && rest > 0)
      order.refunds.push({ id: (nextId += 1), reason: 'Order fully refunded.', total: `-${(rest / 100).toFixed(2)}` })
  }

  const server = await listen(async (incoming, outgoing) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://shop.example')
    const method = incoming.method ?? ''
    const body = method === 'GET' ? null : ((await json(incoming)) as Body)
    requests.push({ method, path: `${pathname}?${searchParams.toString()}`, body })
    const found = troubles.findIndex((one) => one.method === null || one.method === method)
    const trouble = found === -1 ? null : (troubles.splice(found, 1)[0]?.trouble ?? null)
    if (trouble !== null && trouble !== 'lost') return inTrouble(outgoing, trouble)
    const [status, answer] = answerTo({ incoming, pathname, searchParams, method, body })
    if (trouble === 'lost') return inTrouble(outgoing, 'cut')
    outgoing.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(answer))
  })

  type Asked = {
    incoming: IncomingMessage
    pathname: string
    searchParams: URLSearchParams
    method: string
    body: Body | null
  }
  function answerTo({ incoming, pathname, searchParams, method, body }: Asked): [number, unknown] {
    if (incoming.headers.authorization !== `Basic ${Buffer.from(`${KEY}:${SECRET}`).toString('base64')}`)
      return refusal(401, 'woocommerce_rest_cannot_view', 'Sorry, you cannot list resources.')
    const [, id, refunds] = /^\/wp-json\/wc\/v3\/orders(?:\/(\d+)(\/refunds)?)?$/.exec(pathname) ?? []
    if (!pathname.startsWith('/wp-json/wc/v3/orders')) return refusal(404, 'rest_no_route', 'No route was found.')
    if (id === undefined) return method === 'POST' ? create(body ?? {}) : [200, page(searchParams)]
    const order = orders.get(Number(id))
    if (!order) return refusal(404, 'woocommerce_rest_shop_order_invalid_id', 'Invalid ID.')
    if (refunds) return refund(order, body ?? {})
    return method === 'PUT' ? change(order, body ?? {}) : [200, order]
  }

  function create(body: Body): [number, unknown] {
    const { status = 'pending' } = body
    if (typeof status !== 'string' || !STATUSES.includes(status)) return badStatus
    return [201, add(body)]
  }
  function change(order: StoredOrder, { status }: Body): [number, unknown] {
    if (status === undefined) return [200, order]
    if (typeof status !== 'string' || !STATUSES.includes(status)) return badStatus
    setStatus(order, status)
    return [200, order]
  }
  function refund(order: StoredOrder, { amount, reason = '', api_refund: atGateway = true }: Body): [number, unknown] {
    if (atGateway !== false)
      return [
        500,
        {
          code: 'woocommerce_rest_cannot_create_order_refund',
          message: 'The payment gateway for this order does not exist.',
          data: 500,
        },
      ]
    const done = refundedOf(order)
    if (cents(amount) <= 0 || done + cents(amount) > cents(order.total))
      return [
        500,
        { code: 'woocommerce_rest_cannot_create_order_refund', message: 'Invalid refund amount.', data: 500 },
      ]
    const made = { id: (nextId += 1), reason: String(reason), total: `-${String(amount)}` }
    order.refunds.push(made)
    setStatus(order, done + cents(amount) === cents(order.total) ? 'refunded' : order.status)
    return [201, { id: made.id, amount, reason, refunded_payment: false }]
  }
  function page(search: URLSearchParams): StoredOrder[] {
    const number = Number(search.get('page') ?? 1)
    const size = Number(search.get('per_page') ?? 10)
    const [field, since] = search.has('modified_after')
      ? (['date_modified_gmt', search.get('modified_after')] as const)
      : (['date_created_gmt', search.get('after')] as const)
    const key = search.get('orderby') === 'modified' ? 'date_modified_gmt' : 'date_created_gmt'
    const direction = search.get('order') === 'asc' ? 1 : -1
    return [...orders.values()]
      .filter((order) => order.status !== 'trash' && (since === null || String(order[field]) > since))
      .toSorted((one, other) => direction * (String(one[key]).localeCompare(String(other[key])) || one.id - other.id))
      .slice((number - 1) * size, number * size)
  }

  return {
    url: server.url,
    close: server.close,
    orders,
    requests,
    environment: {
      ENTITY_BR_COMMERCE: 'woocommerce',
      WOOCOMMERCE_BR_URL: server.url,
      WOOCOMMERCE_BR_KEY: KEY,
      WOOCOMMERCE_BR_SECRET: SECRET,
      WOOCOMMERCE_BR_WEBHOOK_SECRETS: WEBHOOK_SECRET,
    },
    /** An order that a buyer makes in the shop, perhaps with a number of its own. */
    add,
    /** What the shop's staff do with its form. */
    setStatus: (id: number, status: string) => setStatus(orderIn(orders, id), status),
    /** Fails the next request, of the method if one is given. */
    fail: (trouble: ShopTrouble, method: string | null = null) => void troubles.push({ trouble, method }),
    /** A delivery as the shop sends it; `order.deleted` carries the id alone. */
    delivery: (
      topic: string,
      id: number,
      { secret = WEBHOOK_SECRET, body }: { secret?: string; body?: string } = {},
    ) => {
      const text = body ?? JSON.stringify(topic === 'order.deleted' ? { id } : orderIn(orders, id))
      return { body: text, headers: { ...headersOf(topic, now()), 'x-wc-webhook-signature': signed(secret, text) } }
    },
  }
}

function orderIn(orders: Map<number, StoredOrder>, id: number): StoredOrder {
  const order = orders.get(id)
  if (!order) throw new Error(`the shop has no order ${id}`)
  return order
}

const cents = (text: unknown) => Math.round(Number(text) * 100)
const refundedOf = ({ refunds }: StoredOrder) => refunds.reduce((sum, one) => sum - cents(one.total), 0)

const refusal = (status: number, code: string, message: string): [number, object] => [
  status,
  { code, message, data: { status } },
]
const badStatus = refusal(400, 'rest_invalid_param', 'Invalid parameter(s): status')

const signed = (secret: string, body: string): string => createHmac('sha256', secret).update(body).digest('base64')

/** The shop makes the delivery's id of the webhook and the current second. */
const headersOf = (topic: string, now: Date): Record<string, string> => ({
  'content-type': 'application/json',
  'x-wc-webhook-source': 'https://shop.example/',
  'x-wc-webhook-topic': topic,
  'x-wc-webhook-resource': 'order',
  'x-wc-webhook-event': topic.split('.')[1] ?? '',
  'x-wc-webhook-id': '1',
  'x-wc-webhook-delivery-id': createHash('md5')
    .update(`1${Math.floor(now.getTime() / 1000)}`)
    .digest('hex'),
})

function inTrouble(outgoing: ServerResponse, trouble: ShopTrouble): void {
  const headers = { 'content-type': 'application/json' }
  switch (trouble) {
    case '503':
    case '429':
      return void outgoing.writeHead(Number(trouble), headers).end('{"code":"busy","message":"Try later","data":{}}')
    case 'html':
      return void outgoing.writeHead(200).end('<html>')
    case 'shape':
      return void outgoing.writeHead(200, headers).end('{"id":"x"}')
    case 'redirect':
      return void outgoing.writeHead(302, { location: '/elsewhere' }).end()
    case 'huge':
      return void outgoing.writeHead(200, headers).end(JSON.stringify({ pad: 'x'.repeat(9_000_000) }))
    case 'lost':
    case 'cut':
      return void outgoing
        .writeHead(200, { ...headers, 'content-length': '100' })
        .write('{"id":', () => outgoing.destroy())
    case 'hang':
  }
}
