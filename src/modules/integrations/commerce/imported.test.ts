// Orders that were made in the shop: whose they are, what they become here, and what follows from the shop's changes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deadLetters } from '#test/scenes/commerce.ts'
import { changeInShop, counterpartOf, deliver, drain, reconcile, shopScene, type ShopScene } from '#test/scenes/shop.ts'
import type { Organization } from '#test/harness/world.ts'

const CNPJ = '12ABC34501DE35'
let scene: ShopScene
let loja: Organization
beforeAll(async () => {
  scene = await shopScene()
  loja = await scene.app.world.organization()
  await setCnpj(loja, 'verified')
  const product = { sku: 'BACKUP-PRO', name: 'Backup Pro', entitlement_class: 'PLG' }
  const { id } = (await scene.administrator.post('/admin/products', product)).data
  const price = { company: 'entity_br', currency: 'BRL', unit_price: '39.90', term_months: 12 }
  await scene.administrator.post(`/admin/products/${id}/prices`, price)
})
afterAll(() => scene.close())

const setCnpj = ({ id }: Organization, verification: string) =>
  scene.app.database.query('update organizations set cnpj = $2, verification_status = $3 where id = $1', [
    id,
    CNPJ,
    verification,
  ])

const LINES = {
  line_items: [
    { name: 'Backup Pro', sku: 'BACKUP-PRO', quantity: 3, subtotal: '100.00', total: '90.00', total_tax: '0.00' },
    { name: 'Caneca “Titular” ☕', sku: '', quantity: 2, subtotal: '50.00', total: '50.00', total_tax: '5.00' },
  ],
}
const byCnpj = (more: object = {}) => ({
  ...LINES,
  billing: { company: 'Loja', cnpj: '12.ABC.345/01DE-35', email: 'x@y.example' },
  ...more,
})

async function imported(given: object): Promise<{ id: number; orders: { id: number; number: string }[] }> {
  const { id } = scene.shop.add({ ...given })
  expect(await deliver(scene, 'order.created', id)).toBe(200)
  await drain(scene)
  return { id, orders: await ordersNumbered(String(id)) }
}
const ordersNumbered = (number: string) =>
  scene.app.database.query<{ id: number; number: string; organization_id: number }>(
    'select id, number, organization_id from orders where number = $1',
    [number],
  )
const orderOf = async (id: number, at = loja) => (await at.owner.get(`/orders/${id}`)).data

describe('an order that is paid in the shop', () => {
  it('becomes the buyer’s, once, with its entitlements, and the shop’s becomes completed', async () => {
    const { id, orders } = await imported(
      byCnpj({ status: 'processing', payment_method: 'pix', payment_method_title: 'Pix' }),
    )
    for (const topic of ['order.updated', 'order.created']) await deliver(scene, topic, id)
    await drain(scene)
    expect(orders).toHaveLength(1)
    expect(await ordersNumbered(String(id))).toHaveLength(1)
    const order = await orderOf(orders[0]?.id ?? 0)
    expect(order).toMatchObject({
      status: 'completed',
      total: '145.00',
      tax_total: '5.00',
      payment_method: 'pix',
      quote_id: null,
    })
    expect(order.items).toMatchObject([
      {
        product_name: 'Backup Pro',
        quantity: 3,
        unit_price: '33.34',
        discount: '10.02',
        total: '90.00',
        entitlement_class: 'PLG',
      },
      {
        product_name: 'Caneca “Titular” ☕',
        quantity: 2,
        unit_price: '25.00',
        tax: '5.00',
        total: '55.00',
        entitlement_class: 'ORD',
      },
    ])
    expect(order.entitlements.map((one: { class: string }) => one.class)).toEqual(['PLG', 'ORD'])
    expect((await loja.owner.get('/licenses')).data).toMatchObject([{ activations_limit: 3 }])
    expect((await loja.owner.get(`/invoices/order/${order.id}`)).data).toEqual([])
    expect(scene.shop.orders.get(id)?.status).toBe('completed')
    expect(await counterpartOf(scene, order.id)).toMatchObject({ is_imported: true, problem: null })
  })
  it('loses its entitlements when the shop refunds it', async () => {
    const { id, orders } = await imported(byCnpj({ status: 'completed' }))
    const orderId = orders[0]?.id ?? 0
    await changeInShop(scene, id, 'refunded')
    const order = await orderOf(orderId)
    expect(order.status).toBe('refunded')
    expect(order.entitlements.map((one: { status: string }) => one.status)).toEqual(['cancelled', 'cancelled'])
  })
  it('loses them too when the shop cancels it', async () => {
    const { id, orders } = await imported(byCnpj({ status: 'processing' }))
    const orderId = orders[0]?.id ?? 0
    expect((await orderOf(orderId)).status).toBe('completed')
    await changeInShop(scene, id, 'cancelled')
    const order = await orderOf(orderId)
    expect(order.status).toBe('cancelled')
    expect(order.entitlements.map((one: { status: string }) => one.status)).toEqual(['cancelled', 'cancelled'])
    expect(await counterpartOf(scene, orderId)).toMatchObject({ platform_status: 'cancelled', problem: null })
  })
  it('later than it was made is provisioned then', async () => {
    const { id, orders } = await imported(byCnpj({ status: 'on-hold' }))
    const orderId = orders[0]?.id ?? 0
    expect(await orderOf(orderId)).toMatchObject({ status: 'on-hold', date_paid: null, entitlements: [] })
    await changeInShop(scene, id, 'processing')
    expect(await orderOf(orderId)).toMatchObject({ status: 'completed', date_paid: expect.any(String) })
    expect((await orderOf(orderId)).entitlements).toHaveLength(2)
  })
})

describe('whose order it is', () => {
  it('is the organization of the buyer’s verified address where no CNPJ is given', async () => {
    const { orders } = await imported({ ...LINES, billing: { email: loja.owner.email.toUpperCase() } })
    expect(orders).toMatchObject([{ organization_id: loja.id }])
  })
  it('is the one that the shop’s staff name, before anything else', async () => {
    const meta_data = [{ key: 'titular_organization_id', value: String(scene.acme.id) }]
    const { orders } = await imported(byCnpj({ meta_data }))
    expect(orders).toMatchObject([{ organization_id: scene.acme.id }])
    expect((await loja.owner.get(`/orders/${orders[0]?.id}`)).status).toBe(404)
  })
  it('is not that of an organization that only says it has the CNPJ, unless the buyer is one of its members', async () => {
    await setCnpj(loja, 'pending')
    expect((await imported(byCnpj())).orders).toEqual([])
    const billing = { cnpj: CNPJ, email: loja.owner.email }
    expect((await imported(byCnpj({ billing }))).orders).toMatchObject([{ organization_id: loja.id }])
    await setCnpj(loja, 'verified')
  })
  it('is nobody’s when nobody fits: a dead letter says what to do, and a retry imports it', async () => {
    const { id, orders } = await imported({ ...LINES, billing: { email: 'nobody@shop.example' } })
    expect(orders).toEqual([])
    const [letter] = (await scene.administrator.get('/admin/jobs?kind=commerce/refresh-order')).data
    expect(letter.last_error).toMatch(/is of nobody@shop.example, who is in no organization.*titular_organization_id/)
    scene.shop.orders.get(id)?.meta_data.push({ key: 'titular_organization_id', value: loja.id })
    expect((await scene.administrator.post(`/admin/jobs/${letter.id}/retry`)).status).toBe(200)
    await drain(scene)
    expect(await ordersNumbered(String(id))).toMatchObject([{ organization_id: loja.id }])
  })
  it.each([
    ['an unverified address', 'pending'],
    ['a guest', 'guest'],
  ])('is nobody’s for %s', async (_what, kind) => {
    const other = await scene.app.world.organization()
    const person = await other.member({ role: kind === 'guest' ? 'guest' : 'member' })
    if (kind === 'pending')
      await scene.app.database.query(`update users set status = 'PENDING' where id = $1`, [person.userId])
    expect((await imported({ ...LINES, billing: { email: person.email } })).orders).toEqual([])
  })
  it('is not that of a deleted organization', async () => {
    const gone = await scene.app.world.organization()
    const email = gone.owner.email
    expect((await gone.owner.delete(`/organizations/${gone.id}`)).status).toBe(200)
    expect((await imported({ ...LINES, billing: { email } })).orders).toEqual([])
  })
  it('is not what an order claims to be the copy of, if that is another entity’s or nobody’s', async () => {
    const meta_data = [
      { key: 'titular_organization_id', value: String(loja.id) },
      { key: 'titular_order_id', value: '999999' },
    ]
    expect((await imported(byCnpj({ meta_data }))).orders).toEqual([])
  })
})

describe('a line below zero', () => {
  it('is a discount of the lines in proportion, and gives nothing', async () => {
    const below = { fee_lines: [{ name: 'Desconto', total: '-10.00' }], total: '135.00' }
    const { orders } = await imported(byCnpj({ ...below, status: 'processing' }))
    const order = await orderOf(orders[0]?.id ?? 0)
    expect(order).toMatchObject({ status: 'completed', total: '135.00', tax_total: '5.00', discount_total: '20.02' })
    expect(order.items).toMatchObject([
      { quantity: 3, unit_price: '33.34', discount: '16.44', total: '83.58' },
      { quantity: 2, unit_price: '25.00', discount: '3.58', tax: '5.00', total: '51.42' },
    ])
    expect(order.entitlements).toHaveLength(2)
  })
})

describe('an order that is not imported', () => {
  it.each(['checkout-draft', 'auto-draft', 'trash', 'cancelled', 'failed', 'refunded'])('%s', async (status) => {
    expect((await imported(byCnpj({ status }))).orders).toEqual([])
  })
  it('one whose lines are not its total becomes a dead letter', async () => {
    expect((await imported(byCnpj({ total: '1.00' }))).orders).toEqual([])
    const letters = (await deadLetters(scene.app)).map(({ last_error }) => last_error)
    expect(letters.at(-1)).toMatch(/make 145.00 BRL, but its field total is 1.00/)
  })
})

describe('an event that was lost', () => {
  it('is made up for by looking at what has changed', async () => {
    const { id } = scene.shop.add(byCnpj({ status: 'on-hold' }))
    await reconcile(scene)
    const [order] = await ordersNumbered(String(id))
    expect(order).toMatchObject({ organization_id: loja.id })
    scene.app.clock.advance(60)
    scene.shop.setStatus(id, 'cancelled')
    await reconcile(scene)
    expect(await orderOf(order?.id ?? 0)).toMatchObject({ status: 'cancelled' })
  })
})
