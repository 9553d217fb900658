// Orders of the shop that cannot be imported: each is one dead letter, however often the shop or the periodic job names it.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { deadLetters } from '#test/scenes/commerce.ts'
import { deliver, drain, reconcile, shopScene, type ShopScene } from '#test/scenes/shop.ts'

let scene: ShopScene
beforeAll(async () => void (scene = await shopScene()))
afterAll(() => scene.close())
beforeEach(async () => {
  scene.shop.orders.clear()
  await scene.app.database.query('delete from jobs where dead_at is not null')
})

const ofAcme = (more: Record<string, unknown>) => ({
  line_items: [{ name: 'Backup', sku: null, quantity: 1, subtotal: '10.00', total: '10.00', total_tax: '0.00' }],
  meta_data: [{ key: 'titular_organization_id', value: scene.acme.id }],
  ...more,
})
const errors = async () => (await deadLetters(scene.app)).map(({ last_error }) => last_error)

/** The errors after its first event, two more of them, and two runs of the periodic job. */
async function errorsAfterAll(given: Record<string, unknown>): Promise<unknown[]> {
  const { id } = scene.shop.add(given)
  for (let times = 0; times < 3; times++) {
    scene.app.clock.advance(2)
    scene.shop.setStatus(id, 'on-hold')
    expect(await deliver(scene, 'order.updated', id)).toBe(200)
    await drain(scene)
  }
  for (let times = 0; times < 2; times++) {
    scene.app.clock.advance(3600)
    await reconcile(scene)
  }
  return errors()
}

it('one whose lines are not its total', async () => {
  expect(await errorsAfterAll(ofAcme({ total: '1.00' }))).toEqual([
    expect.stringMatching(/make 10.00 BRL, but its field total is 1.00/),
  ])
})
it('one of nobody', async () => {
  expect(await errorsAfterAll(ofAcme({ meta_data: [], billing: { email: 'a@nobody.example' } }))).toEqual([
    expect.stringMatching(/in no organization/),
  ])
})
it('one in a currency or of an amount that this service does not have, at once', async () => {
  scene.shop.add(ofAcme({ currency: 'BTC' }))
  scene.shop.add(ofAcme({ total: '10.005' }))
  await reconcile(scene)
  expect((await errors()).toSorted()).toEqual([
    expect.stringMatching(/field currency is "BTC"/),
    expect.stringMatching(/field total is "10.005", which is no amount in BRL/),
  ])
})
it.each([
  ['status', { status: null }, 'null'],
  ['line_items[0].quantity', { line_items: [{ quantity: -1, total: '10.00' }] }, '-1'],
  ['fee_lines[0].total', { fee_lines: [{ total: 'ten' }] }, '"ten"'],
  ['shipping_lines[0].total_tax', { shipping_lines: [{ total: '1.00', total_tax: {} }] }, '{}'],
  ['refunds[0].total', { refunds: { 3: { id: 1 } } }, 'missing'],
])('one that cannot be read names %s and what it is, at its first attempt', async (field, given, value) => {
  const { id } = scene.shop.add(ofAcme({}))
  Object.assign(scene.shop.orders.get(id) ?? {}, given)
  await deliver(scene, 'order.deleted', id)
  await drain(scene)
  expect(await errors()).toEqual([
    expect.stringContaining(`Order ${id} of the shop cannot be read: its field ${field} is ${value}, which is`),
  ])
})
it('one that is paid and in a status that only the shop has, until it has one that is known', async () => {
  const { id } = scene.shop.add(ofAcme({ status: 'processing' }))
  scene.shop.setStatus(id, 'awaiting-shipment')
  await reconcile(scene)
  scene.app.clock.advance(3600)
  await reconcile(scene)
  expect(await errors()).toEqual([expect.stringMatching(/is paid, and its field status is awaiting-shipment/)])
  scene.app.clock.advance(2)
  scene.shop.setStatus(id, 'completed')
  await deliver(scene, 'order.updated', id)
  await drain(scene)
  expect(await errors()).toEqual([])
  expect((await scene.buyer.get('/orders')).data[0]).toMatchObject({ number: String(id), status: 'completed' })
})
it('is none for an order in such a status that nobody has paid', async () => {
  scene.shop.add(ofAcme({ status: 'awaiting-shipment' }))
  await reconcile(scene)
  expect(await errors()).toEqual([])
})
it('is gone once the shop has mended the order', async () => {
  const { id } = scene.shop.add(ofAcme({ total: '1.00' }))
  await reconcile(scene)
  expect(await errors()).toHaveLength(1)
  const order = scene.shop.orders.get(id)
  if (order) order.total = '10.00'
  await deliver(scene, 'order.updated', id)
  await drain(scene)
  expect(await errors()).toEqual([])
})
it('is none for notes and names that are too long or hold what no name may', async () => {
  const name = 'Ca\u202eneca\u200b \u{1f469}\u200d\u{1f4bb}'
  const { id } = scene.shop.add(
    ofAcme({
      customer_note: '🚀'.repeat(15_000),
      line_items: [{ name, sku: null, quantity: 1, subtotal: '10.00', total: '10.00', total_tax: '0.00' }],
      status: 'processing',
    }),
  )
  await deliver(scene, 'order.created', id)
  await drain(scene)
  const { data } = await scene.buyer.get('/orders')
  expect(data[0]).toMatchObject({ number: String(id), status: 'completed' })
  expect(data[0].items[0].product_name).toBe('Caneca 👩‍💻')
  expect(data[0].notes).toBe('🚀'.repeat(10_000))
})
