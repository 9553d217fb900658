// The sandbox's shop over HTTP, with each kind of failure. What buyers and staff do in it is done through its
// functions, which also make orders that only extensions of a shop make.
import type { ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { Value } from 'typebox/value'
import { NewOrder, type ShopOrder, shopStore } from '../../src/adapters/sandbox/shop/orders.ts'
import { answerShop, eventBody, refusal, shopEvent } from '../../src/adapters/sandbox/shop/rest.ts'
import { listen } from '#test/harness/listen.ts'

export const KEY = 'ck_0123456789abcdef0123456789abcdef01234567'
export const SECRET = 'cs_0123456789abcdef0123456789abcdef01234567'
export const WEBHOOK_SECRET = 'the secret of the shop’s webhook'

/** `lost`: done, but the answer never arrives. */
export type ShopTrouble = 'lost' | 'hang' | 'cut' | '503' | '429' | 'html' | 'shape' | 'redirect' | 'huge'

type Body = Record<string, unknown>
export type StoredOrder = ShopOrder

export type Shop = Awaited<ReturnType<typeof startShop>>

export async function startShop(now: () => Date = () => new Date()) {
  const store = shopStore([], now)
  const { orders } = store
  const requests: { method: string; path: string; body: Body | null }[] = []
  const troubles: { trouble: ShopTrouble; method: string | null }[] = []
  const server = await listen(async (incoming, outgoing) => {
    const { pathname: path, searchParams: query } = new URL(incoming.url ?? '', 'http://shop.example')
    const method = incoming.method ?? ''
    const body = method === 'GET' ? null : ((await json(incoming)) as Body)
    requests.push({ method, path: `${path}?${query.toString()}`, body })
    const found = troubles.findIndex((one) => one.method === null || one.method === method)
    const trouble = found === -1 ? null : (troubles.splice(found, 1)[0]?.trouble ?? null)
    if (trouble !== null && trouble !== 'lost') return inTrouble(outgoing, trouble)
    const isKnown = incoming.headers.authorization === `Basic ${Buffer.from(`${KEY}:${SECRET}`).toString('base64')}`
    const answer = isKnown
      ? answerShop(store, { method, path, query, body })
      : refusal(401, 'woocommerce_rest_cannot_view', 'Sorry, you cannot list resources.')
    if (trouble === 'lost') return inTrouble(outgoing, 'cut')
    outgoing
      .writeHead(answer.status, { 'content-type': 'application/json; charset=UTF-8' })
      .end(JSON.stringify(answer.body))
  })
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
    /** An order that a buyer makes, perhaps with a number of its own, or with fields as only extensions make them. */
    add(given: Body): StoredOrder {
      const { currency: _currency, ...bought } = given
      const isOrder = Value.Check(NewOrder, bought)
      const order = store.add(isOrder ? bought : {})
      const own = Object.entries(given).filter(([name]) => !isOrder || !/^(line_items|fee_lines|status)$/.test(name))
      Object.assign(order, Object.fromEntries(own))
      // Under the id that it says.
      orders.set(order.id, order)
      return order
    },
    /** What the shop's staff do with its form. */
    setStatus: (id: number, status: string) => store.setStatus(orderIn(orders, id), status),
    /** Fails the next request, of the method if one is given. */
    fail: (trouble: ShopTrouble, method: string | null = null) => void troubles.push({ trouble, method }),
    /** A delivery as the shop sends it; `order.deleted` carries the id alone. */
    delivery: (topic: string, id: number, { secret = WEBHOOK_SECRET, body }: { secret?: string; body?: string } = {}) =>
      shopEvent(topic, body ?? eventBody(topic, topic === 'order.deleted' ? { id } : orderIn(orders, id)), {
        secret,
        now: now(),
      }),
  }
}

function orderIn(orders: Map<number, StoredOrder>, id: number): StoredOrder {
  const order = orders.get(id)
  if (!order) throw new Error(`the shop has no order ${id}`)
  return order
}

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
