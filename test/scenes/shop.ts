// The service with a WooCommerce shop for the Brazilian entity: a stand-in over real HTTP.
import { expect } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'
import { type Shop, startShop, type StoredOrder } from '#test/stand-ins/woocommerce.ts'
import { buyerOf, eventually, sentQuote } from './commerce.ts'

export type ShopScene = {
  app: TestApp
  shop: Shop
  acme: Organization
  buyer: Speaker
  administrator: Speaker
  close: () => Promise<void>
}

export async function shopScene(): Promise<ShopScene> {
  let app: TestApp | undefined
  const shop = await startShop(() => app?.clock.now ?? new Date())
  app = await startApp({
    environment: {
      ...shop.environment,
      ENTITY_BR_PAYMENTS: 'offline',
      ENTITY_GLOBAL_PAYMENTS: 'offline',
      REFUNDS: 'automatic',
    },
    drawsNothing: true,
  })
  const { world, close } = app
  const acme = await world.organization()
  return {
    app,
    shop,
    acme,
    buyer: await buyerOf(acme),
    administrator: await world.user({ roles: ['customer', 'administrator'] }),
    close: async () => {
      await close()
      await shop.close()
    },
  }
}

/** An accepted quote and its order; the jobs have run once, whether the shop answered or not. */
export async function acceptedOrder({ acme, app, buyer }: ShopScene): Promise<{ quoteId: number; orderId: number }> {
  const quoteId = await sentQuote(acme)
  const { order_id: orderId } = (await buyer.post(`/quotes/${quoteId}/accept`)).data
  await app.service.worker.drain()
  return { quoteId, orderId }
}

/** With the copy in the shop. */
export async function copiedOrder(scene: ShopScene): Promise<{ quoteId: number; orderId: number; copy: StoredOrder }> {
  const accepted = await acceptedOrder(scene)
  await drain(scene)
  return { ...accepted, copy: copyOf(scene, accepted.orderId) }
}

export function copyOf({ shop }: ShopScene, orderId: number): StoredOrder {
  const copies = [...shop.orders.values()].filter(({ meta_data }) =>
    meta_data.some(({ key, value }) => key === 'titular_order_id' && value === String(orderId)),
  )
  expect(copies).toHaveLength(1)
  const [copy] = copies
  if (!copy) throw new Error('no copy')
  return copy
}

/** Delivers an event of the shop; returns the status of the answer. */
export async function deliver({ app, shop }: ShopScene, topic: string, id: number): Promise<number> {
  const { body, headers } = shop.delivery(topic, id)
  return (await app.world.anonymous.post('/webhooks/commerce/entity_br', body, headers)).status
}

/** Runs the jobs until none is due, those that others enqueue included. */
export const drain = ({ app }: ShopScene) =>
  eventually(
    app,
    async () => {
      const [left] = await app.database.query<{ due: string }>(
        `select count(*) as due from jobs where dead_at is null and every_seconds is null and run_at <= $1 and kind like 'commerce/%'`,
        [app.clock.now],
      )
      return Number(left?.due)
    },
    (due) => due === 0,
  )

/** The periodic job, now. */
export async function reconcile(scene: ShopScene): Promise<void> {
  const { database, clock, service } = scene.app
  await database.query(
    `insert into jobs (kind, every_seconds, run_at) values ('commerce/reconcile', 3600, $1)
    on conflict (kind) where every_seconds is not null do update set run_at = excluded.run_at`,
    [clock.now],
  )
  await service.worker.drain()
  await drain(scene)
}

/** Staff changed it in the shop, and its event arrives. */
export async function changeInShop(scene: ShopScene, id: number, status: string): Promise<void> {
  scene.app.clock.advance(2)
  scene.shop.setStatus(id, status)
  expect(await deliver(scene, 'order.updated', id)).toBe(200)
  await drain(scene)
}

export const counterpartOf = async ({ administrator }: ShopScene, orderId: number) => {
  const { data } = await administrator.get('/admin/commerce/orders?per_page=100')
  return data.find((one: { order_id: number }) => one.order_id === orderId)
}
