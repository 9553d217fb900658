// Our orders and their copies in the shop: statuses and payments both ways, echoes, outages.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deadLetters, sightOf } from '#test/scenes/commerce.ts'
import {
  acceptedOrder,
  changeInShop,
  copiedOrder,
  copyOf,
  counterpartOf,
  deliver,
  drain,
  shopScene,
  type ShopScene,
} from '#test/scenes/shop.ts'

let scene: ShopScene
beforeAll(async () => void (scene = await shopScene()))
afterAll(() => scene.close())

const orderOf = async (id: number) => (await scene.buyer.get(`/orders/${id}`)).data
const payByHand = async (orderId: number) => {
  const [invoice] = (await scene.buyer.get(`/invoices/order/${orderId}`)).data
  expect((await scene.acme.staff.post(`/invoices/${invoice.id}/pay`, {})).status).toBe(200)
}
const writes = () => scene.shop.requests.filter(({ method }) => method !== 'GET').length

describe('an accepted quote', () => {
  it('has a copy of its order in the shop, with the same total and no personal data but the billing name and address', async () => {
    const { orderId, copy } = await copiedOrder(scene)
    expect(copy).toMatchObject({ total: '150.00', currency: 'BRL', status: 'pending' })
    expect(copy.fee_lines).toMatchObject([{ name: '5 × Backup “Pro” 🚀', total: '150.00' }])
    expect(await counterpartOf(scene, orderId)).toMatchObject({
      organization_id: scene.acme.id,
      platform: 'woocommerce',
      reference: String(copy.id),
      is_imported: false,
      platform_status: 'pending',
      problem: null,
    })
  })
  it('is accepted, paid and delivered while the shop is away, and the copy follows once it is back', async () => {
    for (let failures = 0; failures < 3; failures++) scene.shop.fail('503')
    const { quoteId, orderId } = await acceptedOrder(scene)
    await payByHand(orderId)
    await sightOf(scene.app, scene.buyer).quoteStatus(quoteId, 'fulfilled')
    scene.app.clock.advance(3600)
    await drain(scene)
    expect(copyOf(scene, orderId)).toMatchObject({ status: 'completed' })
  })
  it('has one copy when the answer that made it was lost', async () => {
    scene.shop.fail('lost', 'POST')
    const { orderId } = await acceptedOrder(scene)
    scene.app.clock.advance(3600)
    await drain(scene)
    expect(copyOf(scene, orderId)).toMatchObject({ status: 'pending' })
  })
  it('whose event comes before the answer is stored is not imported as another order', async () => {
    scene.shop.fail('lost', 'POST')
    const { orderId } = await acceptedOrder(scene)
    expect(await deliver(scene, 'order.created', copyOf(scene, orderId).id)).toBe(200)
    await drain(scene)
    expect(await counterpartOf(scene, orderId)).toMatchObject({ is_imported: false })
    expect(await scene.app.database.query('select id from commerce_orders where is_imported')).toEqual([])
  })
})

describe('a payment', () => {
  it('here makes the copy processing and completed, and the echo of that changes nothing', async () => {
    const { quoteId, orderId, copy } = await copiedOrder(scene)
    await payByHand(orderId)
    await sightOf(scene.app, scene.buyer).quoteStatus(quoteId, 'fulfilled')
    await drain(scene)
    expect(copyOf(scene, orderId).status).toBe('completed')
    const before = { order: await orderOf(orderId), writes: writes() }
    for (const topic of ['order.updated', 'order.updated', 'order.created']) await deliver(scene, topic, copy.id)
    await drain(scene)
    expect({ order: await orderOf(orderId), writes: writes() }).toEqual(before)
  })
  it('in the shop counts once, however often the event comes', async () => {
    const { quoteId, orderId, copy } = await copiedOrder(scene)
    copy['payment_method'] = 'bacs'
    await changeInShop(scene, copy.id, 'processing')
    await sightOf(scene.app, scene.buyer).quoteStatus(quoteId, 'fulfilled')
    for (const topic of ['order.updated', 'order.created']) await deliver(scene, topic, copy.id)
    await drain(scene)
    expect(await orderOf(orderId)).toMatchObject({ status: 'completed', payment_method: 'bacs' })
    expect(copyOf(scene, orderId).status).toBe('completed')
    expect(await sightOf(scene.app, scene.buyer).entitlementsOf(quoteId)).toHaveLength(1)
    const [invoice] = (await scene.buyer.get(`/invoices/order/${orderId}`)).data
    expect(invoice).toMatchObject({ status: 'paid', payment_method: 'bacs' })
  })
  it('in the shop after it was cancelled here is shown to staff, and provisions nothing', async () => {
    const { quoteId, orderId, copy } = await copiedOrder(scene)
    expect((await scene.buyer.post(`/orders/${orderId}/cancel`)).status).toBe(200)
    scene.shop.setStatus(copy.id, 'processing')
    await drain(scene)
    expect(await orderOf(orderId)).toMatchObject({ status: 'cancelled', date_paid: null })
    expect((await counterpartOf(scene, orderId)).problem).toMatch(/paid, but the order is cancelled here/)
    expect(await sightOf(scene.app, scene.buyer).entitlementsOf(quoteId)).toEqual([])
  })
  it('of another amount is shown to staff', async () => {
    const { orderId, copy } = await copiedOrder(scene)
    copy.total = '140.00'
    await changeInShop(scene, copy.id, 'processing')
    expect(await orderOf(orderId)).toMatchObject({ status: 'pending', date_paid: null })
    expect((await counterpartOf(scene, orderId)).problem).toMatch(/140.00 BRL were paid.*asks for 150.00 BRL/)
  })
  it('that staff only set as a status here is not taken for one of the shop when it comes back', async () => {
    const { orderId, copy } = await copiedOrder(scene)
    for (const status of ['processing', 'on-hold', 'processing']) {
      expect((await scene.acme.staff.post(`/orders/${orderId}/status`, { status })).status).toBe(200)
      await drain(scene)
      await deliver(scene, 'order.updated', copy.id)
      await drain(scene)
      expect(copyOf(scene, orderId).status).toBe(status)
    }
    expect(await orderOf(orderId)).toMatchObject({ status: 'processing', date_paid: null })
  })
})

describe('a status in the shop', () => {
  it('is followed where our table of moves has it', async () => {
    const { orderId, copy } = await copiedOrder(scene)
    for (const status of ['on-hold', 'pending', 'failed', 'cancelled']) {
      await changeInShop(scene, copy.id, status)
      expect(await orderOf(orderId)).toMatchObject({ status })
      expect(await counterpartOf(scene, orderId)).toMatchObject({ platform_status: status, problem: null })
    }
    const [invoice] = (await scene.buyer.get(`/invoices/order/${orderId}`)).data
    expect(invoice.status).toBe('void')
  })
  it('is shown to staff where it has not, changes nothing, and staff can overwrite it', async () => {
    const { orderId, copy } = await copiedOrder(scene)
    await changeInShop(scene, copy.id, 'cancelled')
    await changeInShop(scene, copy.id, 'pending')
    expect(await orderOf(orderId)).toMatchObject({ status: 'cancelled' })
    const found = await counterpartOf(scene, orderId)
    expect(found).toMatchObject({
      platform_status: 'pending',
      problem: expect.stringMatching(/it is pending.*cancelled cannot become pending/),
    })
    const list = (query: string) => scene.administrator.get(`/admin/commerce/orders?per_page=100&${query}`)
    expect((await list('has_problem=true')).data).toContainEqual(found)
    expect((await list('has_problem=false')).data).not.toContainEqual(found)
    expect((await scene.administrator.post(`/admin/commerce/orders/${found.id}/push`)).status).toBe(202)
    await drain(scene)
    expect(copyOf(scene, orderId).status).toBe('cancelled')
    expect((await scene.administrator.get(`/admin/commerce/orders/${found.id}`)).data).toMatchObject({ problem: null })
  })
  it.each(['refunded', 'cancelled'])('never pays money back: %s', async (status) => {
    const { quoteId, orderId, copy } = await copiedOrder(scene)
    await payByHand(orderId)
    await sightOf(scene.app, scene.buyer).quoteStatus(quoteId, 'fulfilled')
    await drain(scene)
    await changeInShop(scene, copy.id, status)
    expect(await orderOf(orderId)).toMatchObject({ status: 'completed' })
    expect((await counterpartOf(scene, orderId)).problem).toMatch(/money back/)
    expect((await scene.buyer.get(`/refunds?order_id=${orderId}`)).data).toEqual([])
  })
  it('that nobody here knows, and a deletion, are shown to staff', async () => {
    const { orderId, copy } = await copiedOrder(scene)
    await changeInShop(scene, copy.id, 'wc-custom')
    expect((await counterpartOf(scene, orderId)).problem).toMatch(/wc-custom/)
    scene.shop.orders.delete(copy.id)
    expect(await deliver(scene, 'order.deleted', copy.id)).toBe(200)
    await drain(scene)
    expect(await counterpartOf(scene, orderId)).toMatchObject({
      platform_status: null,
      problem: 'The order was deleted in the shop',
    })
    expect(await orderOf(orderId)).toMatchObject({ status: 'pending' })
  })
})

it('leaves no dead letter behind', async () => {
  expect(await deadLetters(scene.app)).toEqual([])
})
