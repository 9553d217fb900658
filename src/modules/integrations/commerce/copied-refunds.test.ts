// Refunds of orders that have a copy in the shop: recorded there once, without moving money twice.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deadLetters, sightOf } from '#test/scenes/commerce.ts'
import {
  changeInShop,
  copiedOrder,
  copyOf,
  counterpartOf,
  drain,
  shopScene,
  type ShopScene,
} from '#test/scenes/shop.ts'

let scene: ShopScene
beforeAll(async () => void (scene = await shopScene()))
afterAll(() => scene.close())

/** An order with a copy, paid by hand and provisioned. */
async function paidOrder() {
  const copied = await copiedOrder(scene)
  const [invoice] = (await scene.buyer.get(`/invoices/order/${copied.orderId}`)).data
  expect((await scene.acme.staff.post(`/invoices/${invoice.id}/pay`, {})).status).toBe(200)
  await sightOf(scene.app, scene.buyer).quoteStatus(copied.quoteId, 'fulfilled')
  return copied
}
const settled = async (refundId: number) =>
  expect((await scene.acme.staff.post(`/refunds/${refundId}/settle`, {})).status).toBe(200)

it('is recorded in the shop once, without its gateway, and the last one makes both refunded', async () => {
  const { orderId } = await paidOrder()
  for (const amount of ['40.00', '110.00']) {
    const { refund_id } = (await scene.buyer.post(`/orders/${orderId}/refund`, { amount, reason: 'Less “needed”' }))
      .data
    scene.shop.fail('lost', 'POST')
    await settled(refund_id)
    await drain(scene)
    scene.app.clock.advance(3600)
    await drain(scene)
  }
  const copy = copyOf(scene, orderId)
  expect(copy.refunds.map(({ total }) => total)).toEqual(['-40.00', '-110.00'])
  expect(copy.status).toBe('refunded')
  expect((await scene.buyer.get(`/orders/${orderId}`)).data.status).toBe('refunded')
  const sent = scene.shop.requests.filter(({ path }) => path.includes('/refunds'))
  expect(sent.every(({ body }) => body?.['api_refund'] === false)).toBe(true)
})
it('that follows one of the shop’s staff is not recorded there a second time', async () => {
  const { orderId, copy } = await paidOrder()
  await drain(scene)
  await changeInShop(scene, copy.id, 'refunded')
  const { refund_id } = (await scene.buyer.post(`/orders/${orderId}/refund`, { reason: 'As in the shop' })).data
  await settled(refund_id)
  await drain(scene)
  expect(copyOf(scene, orderId).refunds.map(({ total }) => total)).toEqual(['-150.00'])
  expect(await counterpartOf(scene, orderId)).toMatchObject({ status: 'refunded', problem: null })
})
it('of another invoice than the one that the copy is about stays here', async () => {
  const { orderId } = await paidOrder()
  const extra = { currency: 'BRL', company: 'entity_br', total: 200_00, status: 'open', order_id: orderId }
  const { id } = (await scene.acme.staff.post('/invoices', extra)).data
  expect((await scene.acme.staff.post(`/invoices/${id}/pay`, {})).status).toBe(200)
  const { refund_id } = (await scene.acme.staff.post(`/orders/${orderId}/refund`, { amount: '200.00' })).data
  await settled(refund_id)
  await drain(scene)
  expect(copyOf(scene, orderId)).toMatchObject({ status: 'completed', refunds: [] })
})
it('leaves no dead letter behind', async () => {
  expect(await deadLetters(scene.app)).toEqual([])
})
