// Orders with the sandbox's shops, from the settings to the events that come back.
import { beforeAll, describe, expect, it } from 'vitest'
import { appOfFile, type TestApp } from '#test/harness/app.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'
import { until } from '#test/harness/until.ts'
import { buyerOf, sentQuote } from '#test/scenes/commerce.ts'

let app: TestApp
let acme: Organization
let buyer: Speaker
let administrator: Speaker
beforeAll(async () => {
  app = await appOfFile({
    listens: true,
    drawsNothing: true,
    environment: { ENTITY_BR_COMMERCE: 'sandbox', ENTITY_BR_PAYMENTS: 'offline', ENTITY_BR_TAX_AUTHORITY: 'none' },
  })
  acme = await app.world.organization({ name: 'Acme' })
  buyer = await buyerOf(acme)
  administrator = await app.world.user({ roles: ['customer', 'administrator'] })
})

const asStaff = async (method: string, path: string, body?: object) => {
  const answer = await fetch(`${app.url}/sandbox/shop/entity_br/wp-json/wc/v3/orders${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from('staff:staff').toString('base64')}`,
      'content-type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return JSON.parse(await answer.text())
}
const worked = async (look: () => Promise<boolean>) =>
  until(async () => {
    app.clock.advance(2)
    await app.service.worker.drain()
    return look()
  })
const counterpart = async (orderId: number) => {
  const { data } = await administrator.get('/admin/commerce/orders?per_page=100')
  return data.find((one: { order_id: number }) => one.order_id === orderId)
}
const accepted = async (more: object = {}): Promise<number> =>
  (await buyer.post(`/quotes/${await sentQuote(acme, more)}/accept`)).data.order_id

describe('an order in the sandbox’s shop', () => {
  it('is a copy of ours, and is paid here once it is paid there', async () => {
    const orderId = await accepted()
    await worked(async () => (await counterpart(orderId)) !== undefined)
    const { reference, platform } = await counterpart(orderId)
    expect(platform).toBe('woocommerce-sandbox')
    expect(await asStaff('GET', `/${reference}`)).toMatchObject({ status: 'pending', total: '150.00' })
    await asStaff('PUT', `/${reference}`, { status: 'processing', payment_method: 'pix' })
    await worked(async () => (await buyer.get(`/orders/${orderId}`)).data.status === 'completed')
    await worked(async () => (await asStaff('GET', `/${reference}`)).status === 'completed')
    expect((await counterpart(orderId)).problem).toBeNull()
  })
  it('that was made there becomes the buyer’s', async () => {
    const line_items = [{ name: 'Backup “Pro” 🚀', quantity: 1, subtotal: '90.00', total: '90.00' }]
    const meta_data = [{ key: 'titular_organization_id', value: acme.id }]
    const { number } = await asStaff('POST', '', { status: 'processing', line_items, meta_data })
    const imported = async () =>
      (await buyer.get('/orders')).data.find((one: { number: string }) => one.number === number)
    await worked(async () => (await imported())?.status === 'completed')
    expect(await imported()).toMatchObject({ total: '90.00' })
  })
  it('fails by the wish in the name of a line, and is made once', async () => {
    const line = { product_name: 'sandbox: unclear', quantity: 1, unit_price: '10.00', entitlement_class: 'SVC' }
    const orderId = await accepted({ line_items: [line] })
    await worked(async () => (await counterpart(orderId)) !== undefined)
    const all: { total: string }[] = await asStaff('GET', '?per_page=100')
    expect(all.filter(({ total }) => total === '10.00')).toHaveLength(1)
  })
})
