// The sandbox's shop of a legal entity: replaces WooCommerce, with its own state, over its own HTTP.
import { join } from 'node:path'
import { isEqual } from '#kernel/keys/secrets.ts'
import { parsedJson } from '#kernel/values/text/json.ts'
import { eventSender } from '../event-sender.ts'
import { type Exchange, header } from '../payments/exchange.ts'
import { readRecords, recordWriter } from '../record-files.ts'
import { jsonAnswer, type OpenSystem, type SystemOptions } from '../system.ts'
import { withWishes } from '../wishes.ts'
import { ShopOrder, shopStore } from './orders.ts'
import { answerShop, type Change, eventBody, refusal, type ShopAnswer, shopEvent } from './rest.ts'

export type SandboxShopOptions = SystemOptions & {
  /** The legal entity whose shop it is: answers are given below `/sandbox/shop/<company>`. */
  company: string
  /** The service's key. */
  consumerKey: string
  consumerSecret: string
}

/** User and password of the people who buy in the shop, or work there. */
const PEOPLE = 'staff:staff'

const REFUSED = jsonOf(refusal(400, 'rest_invalid_param', 'Invalid parameter(s): name'))

/** `/wp-json/wc/v3/orders…`, the calls of WooCommerce's API. Events are not repeated, as WooCommerce does not. */
export async function openShop(options: SandboxShopOptions): Promise<OpenSystem> {
  const { company, webhookUrl: url, consumerKey, consumerSecret, now = () => new Date() } = options
  const folder = join(options.dataDir, 'sandbox', 'shop', company)
  const write = recordWriter(folder)
  const store = shopStore(await readRecords(folder, ShopOrder), now)
  const sender = eventSender([], options.onError)
  const settle = async (change: Change) => {
    await write(String(change.order.id), change.order)
    const signing = { secret: options.webhookSecret, now: now() }
    const event = { url, ...shopEvent(change.topic, eventBody(change.topic, change.order), signing) }
    sender.send(() => event)
  }
  const handle = withWishes(REFUSED, async (exchange) => {
    if (![`${consumerKey}:${consumerSecret}`, PEOPLE].some((user) => isBy(user, exchange)))
      return jsonOf(refusal(401, 'woocommerce_rest_cannot_view', 'Sorry, you cannot list resources.'))
    const { pathname, searchParams: query } = new URL(exchange.path, 'http://shop.example')
    const path = pathname.slice(`/sandbox/shop/${company}`.length)
    const body = parsedJson(Buffer.from(exchange.body ?? []))
    const answer = answerShop(store, { method: exchange.method, path, query, body })
    if (answer.change) await settle(answer.change)
    return jsonOf(answer)
  })
  return { handle, stop: () => sender.stop() }
}

function jsonOf({ status, body }: ShopAnswer) {
  return jsonAnswer(status, body)
}

function isBy(user: string, exchange: Exchange): boolean {
  const expected = `Basic ${Buffer.from(user).toString('base64')}`
  return isEqual(header(exchange, 'authorization') ?? '', expected)
}
