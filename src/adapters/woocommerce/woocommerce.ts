// A WooCommerce shop (REST v3) as the commerce platform of a legal entity.
import {
  type Commerce,
  CommerceRefused,
  CommerceUnavailable,
  type PlatformOrder,
  type PlatformOrderRequest,
  type PlatformRefund,
} from '#ports/commerce.ts'
import { createShop, type Shop, type ShopOptions } from './api.ts'
import { readShopEvent } from './events.ts'
import { listed, newOrder, orderOf, refundReason } from './orders.ts'

export type WooCommerceOptions = ShopOptions & {
  /** Orders of the sandbox's shop are not those of another one. */
  platform?: 'woocommerce' | 'woocommerce-sandbox'
  /** A webhook is signed with any of them. */
  webhookSecrets: readonly string[]
}

const PAGE = 100
/** How many pages are read at most: of orders that changed, and of orders among which the copy of ours may be. */
const PAGES = 20
/** The clocks of shop and service may differ by so much. */
const CLOCK_SKEW_MS = 10 * 60_000

export function wooCommerce(options: WooCommerceOptions): Commerce & { close(): Promise<void> } {
  const shop = createShop(options)
  return {
    platform: options.platform ?? 'woocommerce',
    putOrder: (request) => putOrder(shop, request),
    look: (reference) => look(shop, reference),
    setStatus: (reference, status) => change(shop, reference, { status }),
    recordRefund: (reference, refund) => recordRefund(shop, reference, refund),
    changedSince: async (since) => {
      const query = { modified_after: gmt(since), dates_are_gmt: 'true', orderby: 'modified', order: 'desc' }
      const changed: { reference: string; modifiedAt: Date }[] = []
      for await (const { reference, modifiedAt } of list(shop, query, PAGES)) changed.push({ reference, modifiedAt })
      return changed
    },
    readEvent: (headers, body) => readShopEvent(options.webhookSecrets, headers, body),
    close: shop.close,
  }
}

/**
 * The shop has no idempotency keys, so the copy is looked for first: an earlier request may have made it though its
 * answer was lost.
 */
async function putOrder(shop: Shop, request: PlatformOrderRequest): Promise<PlatformOrder> {
  const made = (await copyOf(shop, request)) ?? orderOf(await shop.call('POST', '/orders', newOrder(request)))
  if (made.total !== request.total || made.currency !== request.currency)
    throw new CommerceRefused(
      `The shop made order ${made.number} of ${made.total} ${made.currency} from one of ` +
        `${request.total} ${request.currency}`,
    )
  return made
}

async function copyOf(shop: Shop, { mark, createdAt }: PlatformOrderRequest): Promise<PlatformOrder | null> {
  const after = gmt(new Date(createdAt.getTime() - CLOCK_SKEW_MS))
  for await (const order of list(shop, { after, dates_are_gmt: 'true', orderby: 'date', order: 'asc' }, PAGES))
    if (order.mark?.orderId === mark.orderId && order.mark.organizationId === mark.organizationId)
      return found(await look(shop, order.reference), order.reference)
  return null
}

async function look(shop: Shop, reference: string): Promise<PlatformOrder | null> {
  const answer = await shop.call('GET', `/orders/${pathOf(reference)}`)
  return answer === null ? null : orderOf(answer)
}

async function change(shop: Shop, reference: string, values: object): Promise<PlatformOrder> {
  const answer = await shop.call('PUT', `/orders/${pathOf(reference)}`, values)
  return found(answer === null ? null : orderOf(answer), reference)
}

async function recordRefund(shop: Shop, reference: string, refund: PlatformRefund): Promise<PlatformOrder> {
  const order = found(await look(shop, reference), reference)
  if (order.refunds.some(({ refundId }) => refundId === refund.refundId)) return order
  // `api_refund` would ask the shop's own payment gateway to pay the money back a second time.
  const body = { amount: refund.amount, reason: refundReason(refund), api_refund: false }
  await shop.call('POST', `/orders/${pathOf(reference)}/refunds`, body)
  return found(await look(shop, reference), reference)
}

function found(order: PlatformOrder | null, reference: string): PlatformOrder {
  if (!order) throw new CommerceRefused(`The shop has no order ${reference}`)
  return order
}

type ListedOrder = NonNullable<ReturnType<typeof listed>>

async function* list(shop: Shop, query: Record<string, string>, pages: number): AsyncIterable<ListedOrder> {
  for (let page = 1; page <= pages; page++) {
    const search = new URLSearchParams({ ...query, status: 'any', per_page: String(PAGE), page: String(page) })
    const answer = await shop.call('GET', `/orders?${search.toString()}`)
    if (!Array.isArray(answer)) throw new CommerceUnavailable('The shop’s answer is no list of orders')
    for (const order of answer.map(listed)) if (order) yield order
    if (answer.length < PAGE) return
  }
}

/** The shop's form of a time, which has no zone. */
const gmt = (time: Date): string => time.toISOString().slice(0, 19)

function pathOf(reference: string): string {
  if (!/^\d{1,19}$/.test(reference)) throw new CommerceRefused('Not the id of an order of the shop')
  return reference
}
