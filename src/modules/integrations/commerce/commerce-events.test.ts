// The webhook of the commerce platform, and the list for administrators.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '#test/harness/app.ts'
import { deadLetters } from '#test/scenes/commerce.ts'
import { drain, shopScene, type ShopScene } from '#test/scenes/shop.ts'

let scene: ShopScene
beforeAll(async () => void (scene = await shopScene()))
afterAll(() => scene.close())

const send = (body: string, headers: Record<string, string>, company = 'entity_br') =>
  scene.app.world.anonymous.post(`/webhooks/commerce/${company}`, body, headers)
const deliveryId = (given: Record<string, string>) => given['x-wc-webhook-delivery-id']
const stored = () =>
  scene.app.database.query<{ source: string; type: string; error: string | null }>(
    'select source, type, error from provider_events order by id',
  )

describe('POST /webhooks/commerce/{company}', () => {
  it('200 for the ping of a new webhook, which is unsigned, and nothing is stored', async () => {
    const answer = await send('webhook_id=1', { 'content-type': 'application/x-www-form-urlencoded' })
    expect(answer).toMatchObject({ status: 200, message: 'Ready for events' })
    expect(await stored()).toEqual([])
  })
  it('401 for a wrong signature, and nothing is stored', async () => {
    const { id } = scene.shop.add({})
    const { body, headers } = scene.shop.delivery('order.created', id, { secret: 'of the other legal entity' })
    expect((await send(body, headers)).status).toBe(401)
    expect((await send(body, { ...headers, 'x-wc-webhook-signature': '' })).status).toBe(401)
    expect(await stored()).toEqual([])
  })
  it('401 for a legal entity without a platform', async () => {
    const { id } = scene.shop.add({})
    const { body, headers } = scene.shop.delivery('order.created', id)
    expect((await send(body, headers, 'entity_global')).status).toBe(401)
  })
  it('200 once for each event, also for two with one Delivery-ID', async () => {
    const { id } = scene.shop.add({ status: 'checkout-draft' })
    const first = scene.shop.delivery('order.created', id)
    const both = await Promise.all([send(first.body, first.headers), send(first.body, first.headers)])
    expect(new Set(both.map(({ message }) => message))).toEqual(new Set(['Event known already', 'Event stored']))
    scene.shop.setStatus(id, 'failed')
    const second = scene.shop.delivery('order.updated', id)
    expect(deliveryId(second.headers)).toBe(deliveryId(first.headers))
    expect((await send(second.body, second.headers)).message).toBe('Event stored')
  })
  it('200 for one that is signed and cannot be read, which staff see', async () => {
    const { headers } = scene.shop.delivery('order.updated', 0, { body: 'not json' })
    expect((await send('not json', headers)).status).toBe(200)
    await drain(scene)
    expect((await stored()).at(-1)).toMatchObject({ source: 'woocommerce', error: 'its body has no order id' })
    expect((await deadLetters(scene.app)).at(-1)?.last_error).toMatch(/of woocommerce cannot be read/)
  })
})

describe('GET /admin/commerce/orders', () => {
  it('an empty list; 404 for one that is not there; 422 for a filter that is none', async () => {
    expect(await scene.administrator.get('/admin/commerce/orders')).toMatchObject({
      status: 200,
      data: [],
      meta: { total: 0 },
    })
    expect((await scene.administrator.get('/admin/commerce/orders/1')).status).toBe(404)
    expect((await scene.administrator.post('/admin/commerce/orders/1/push')).status).toBe(404)
    expect((await scene.administrator.get('/admin/commerce/orders?has_problem=perhaps')).errors?.fields).toHaveProperty(
      'has_problem',
    )
  })
})

describe('the settings of a shop', () => {
  it.each([
    ['WOOCOMMERCE_BR_URL', ''],
    ['WOOCOMMERCE_BR_SECRET', ''],
    ['WOOCOMMERCE_BR_URL', 'http://shop.example'],
    ['WOOCOMMERCE_BR_WEBHOOK_SECRETS', 'short'],
  ])('%s=%s stops the start', async (name, value) => {
    await expect(startApp({ environment: { ...scene.shop.environment, [name]: value } })).rejects.toThrow(name)
  })
})
