// A shop over real HTTP, with a stand-in that can refuse, hang, cut off and lose its answers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CommerceRefused, CommerceUnavailable } from '#ports/commerce.ts'
import { commerceContract } from '#ports/commerce.contract.ts'
import { platformOrderRequest } from '#test/scenes/platform-order.ts'
import { KEY, SECRET, type Shop, type ShopTrouble, startShop, WEBHOOK_SECRET } from '#test/stand-ins/woocommerce.ts'
import { readShopEvent } from './events.ts'
import { wooCommerce } from './woocommerce.ts'

const adapterFor = ({ url }: Shop, more: object = {}) =>
  wooCommerce({
    url,
    consumerKey: KEY,
    consumerSecret: SECRET,
    webhookSecrets: ['of the year before, still live', WEBHOOK_SECRET],
    ...more,
  })

let shop: Shop
let adapter: ReturnType<typeof wooCommerce>
beforeAll(async () => {
  shop = await startShop()
  adapter = adapterFor(shop)
})
afterAll(async () => {
  await adapter.close()
  await shop.close()
})

const read = ({ headers, body }: { headers: Record<string, string>; body: string }) =>
  adapter.readEvent(headers, Buffer.from(body))
const keyOf = ({ headers, body }: ReturnType<Shop['delivery']>) => {
  const event = adapter.readEvent(headers, Buffer.from(body))
  return 'dedupeKey' in event ? event.dedupeKey : null
}

commerceContract('WooCommerce', async () => {
  const other = await startShop()
  const commerce = adapterFor(other)
  const close = async () => {
    await commerce.close()
    await other.close()
  }
  return { commerce, close }
})

describe('putOrder', () => {
  it('makes no second copy when the answer to the first request was lost', async () => {
    shop.fail('lost', 'POST')
    await expect(adapter.putOrder(platformOrderRequest(21))).rejects.toThrow(CommerceUnavailable)
    const order = await adapter.putOrder(platformOrderRequest(21))
    const copies = [...shop.orders.values()].filter(({ meta_data }) =>
      meta_data.some(({ key, value }) => key === 'titular_order_id' && value === '21'),
    )
    expect(copies.map(({ id }) => String(id))).toEqual([order.reference])
  })
  it('finds the copy behind a page of other orders, one of which nobody can read', async () => {
    shop.fail('lost', 'POST')
    await expect(adapter.putOrder(platformOrderRequest(22))).rejects.toThrow(CommerceUnavailable)
    for (let number = 0; number < 150; number++) shop.add({ number: '', total: 'free', id_of_a_plugin: number })
    const before = shop.requests.filter(({ method }) => method === 'POST').length
    expect((await adapter.putOrder(platformOrderRequest(22))).mark?.orderId).toBe(22)
    expect(shop.requests.filter(({ method }) => method === 'POST')).toHaveLength(before)
  })
  it('takes no copy for ours that the shop made of another total, now or later', async () => {
    shop.fail('lost', 'POST')
    await expect(adapter.putOrder(platformOrderRequest(24))).rejects.toThrow(CommerceUnavailable)
    const copy = [...shop.orders.values()].findLast(() => true)
    if (copy) copy.total = '164.78'
    await expect(adapter.putOrder(platformOrderRequest(24))).rejects.toThrow(CommerceRefused)
  })
  it('sends fees that sum up to the total, with Basic and nothing secret in the address', async () => {
    await adapter.putOrder(platformOrderRequest(23))
    const sent = shop.requests.findLast(({ method }) => method === 'POST')
    expect(sent?.body).toMatchObject({
      status: 'pending',
      fee_lines: [
        { total: '119.70', tax_status: 'none' },
        { total: '30.10', tax_status: 'none' },
      ],
    })
    expect(shop.requests.map(({ path }) => path).join()).not.toMatch(/ck_|cs_/)
  })
})

describe('an answer', () => {
  it.each(['cut', '503', '429', 'html', 'shape', 'huge'] satisfies ShopTrouble[])(
    'that is %s may be another one later',
    async (trouble) => {
      const { id } = shop.add({ fee_lines: [{ name: 'x', total: '1.00' }] })
      shop.fail(trouble)
      await expect(adapter.look(String(id))).rejects.toThrow(CommerceUnavailable)
      expect(await adapter.look(String(id))).toMatchObject({ total: '1.00' })
    },
  )
  it('that never comes is given up', async () => {
    const impatient = adapterFor(shop, { timeoutMs: 200 })
    shop.fail('hang')
    await expect(impatient.look('1')).rejects.toThrow(CommerceUnavailable)
    await impatient.close()
  })
  it('that is a redirect is not followed', async () => {
    const before = shop.requests.length
    shop.fail('redirect')
    await expect(adapter.look('1')).rejects.toThrow(CommerceRefused)
    expect(shop.requests).toHaveLength(before + 1)
  })
  it('to wrong keys says so without the keys', async () => {
    const stranger = adapterFor(shop, { consumerSecret: 'cs_of_somebody_else' })
    await expect(stranger.look('1')).rejects.toThrow(/401, woocommerce_rest_cannot_view/)
    await expect(stranger.look('1')).rejects.not.toThrow(/cs_/)
    await stranger.close()
  })
  it('is an order in the port’s terms', async () => {
    const { id } = shop.add({
      status: 'trash',
      currency: 'JPY',
      total: '1500.00',
      billing: { first_name: ' Zoë ', last_name: 'O’Neil', email: 'Zoe@Neil.Example', company: '' },
      line_items: [{ name: 'A\u0000b', sku: '', quantity: 3, subtotal: '1500.00', total: '1200.0', total_tax: '0' }],
      shipping_lines: [{ method_title: 'Sedex', total: '300', total_tax: '0' }],
      fee_lines: [{ name: 'Nothing', total: '0.00' }],
      meta_data: [{ key: '_billing_cnpj', value: '12.ABC.345/01DE-35' }],
    })
    expect(await adapter.look(String(id))).toMatchObject({
      status: 'trashed',
      total: '1500',
      billingName: 'Zoë O’Neil',
      billingEmail: 'zoe@neil.example',
      billingCnpj: '12.ABC.345/01DE-35',
      mark: null,
      lines: [
        { name: 'A b', sku: null, quantity: 3, subtotal: '1500', total: '1200', tax: '0' },
        { name: 'Sedex', quantity: 1, total: '300' },
      ],
    })
  })
})

async function look(given: object) {
  const { id } = shop.add({})
  Object.assign(shop.orders.get(id) ?? {}, given)
  return adapter.look(String(id))
}

describe('an order as extensions leave it', () => {
  it('is read where a field that nothing needs is missing or of another form', async () => {
    const odd = {
      number: 77,
      billing: [],
      customer_note: null,
      payment_method: {},
      date_created_gmt: null,
      date_modified_gmt: false,
      date_paid_gmt: '',
      refunds: undefined,
      shipping_lines: null,
      meta_data: { 2: { id: 9, key: 12 }, 7: [], 9: { key: 'titular_organization_id', value: 4 } },
      line_items: { 1: { name: 7, quantity: '2', total: 12.5, total_tax: '' } },
    }
    expect(await look({ ...odd, total: '12.50' })).toMatchObject({
      number: '77',
      organizationId: 4,
      paidAt: null,
      refunds: [],
      lines: [{ name: 'Item', sku: null, quantity: 2, subtotal: '12.50', total: '12.50', tax: '0.00' }],
    })
  })
  it.each([
    [1.5, '30.00', [{ name: '1.5 × Pro', quantity: 1, total: '30.00' }]],
    [0.25, '0.00', [{ name: '0.25 × Pro', quantity: 1 }]],
    [0, '30.00', [{ name: '0 × Pro', quantity: 1, total: '30.00' }]],
    [0, '0.00', []],
  ])('with a quantity of %f for %s', async (quantity, total, lines) =>
    expect((await look({ line_items: [{ name: 'Pro', sku: 'PRO', quantity, total }] }))?.lines).toMatchObject(lines),
  )
  it('has its parts rounded, since a shop may calculate with more digits', async () => {
    const { lines } = (await look({ total: '1.00', fee_lines: [{ total: '0.995' }, { total: '-0.0049' }] })) ?? {}
    expect(lines).toMatchObject([{ total: '1.00' }])
  })
})

describe('readEvent', () => {
  it('knows the signature of the published vector', () => {
    const headers = {
      'x-wc-webhook-signature': 'dvXbOnOyK7CEfXU59R8lpSIDs+FbUCAvOO6pQ6/fncI=',
      'x-wc-webhook-topic': 'order.updated',
    }
    const body = Buffer.from('{"id":10,"status":"completed"}')
    expect(readShopEvent(['whsecret'], headers, body)).toMatchObject({ kind: 'order', reference: '10' })
  })
  it('takes any live secret, and no other, and no re-serialized body', () => {
    const { id } = shop.add({})
    expect(read(shop.delivery('order.updated', id))).toMatchObject({
      kind: 'order',
      providerType: 'order.updated',
      reference: String(id),
    })
    expect(read(shop.delivery('order.updated', id, { secret: 'of the year before, still live' }))).toMatchObject({
      kind: 'order',
    })
    expect(read(shop.delivery('order.updated', id, { secret: 'of the other legal entity' })).kind).toBe('unsigned')
    const sent = shop.delivery('order.updated', id)
    expect(read({ ...sent, body: JSON.stringify(JSON.parse(sent.body), null, 1) }).kind).toBe('unsigned')
  })
  it('tells two deliveries with one Delivery-ID apart, and a repeat from another', () => {
    const { id } = shop.add({})
    const first = shop.delivery('order.created', id)
    shop.setStatus(id, 'processing')
    expect(keyOf(shop.delivery('order.updated', id))).not.toBe(keyOf(first))
    expect(keyOf(first)).toBe(keyOf(first))
  })
  it.each([
    ['the ping of a new webhook', { 'content-type': 'application/x-www-form-urlencoded' }, 'webhook_id=1', 'ping'],
    [
      'a form that is no ping',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'webhook_id=1&order=2',
      'unsigned',
    ],
    ['a ping that claims to be JSON', { 'content-type': 'application/json' }, 'webhook_id=1', 'unsigned'],
  ])('%s', (_what, headers, body, kind) => {
    expect(adapter.readEvent(headers, Buffer.from(body)).kind).toBe(kind)
  })
  it.each([
    ['customer.created', '{"id":1}', 'ignored'],
    ['order.deleted', '{"id":1}', 'order'],
    ['order.updated', '[]', 'unreadable'],
    ['order.updated', '{"id":"1"}', 'unreadable'],
    ['order.updated', '', 'unreadable'],
    ['', '{"id":1}', 'unreadable'],
  ])('a signed %s with %s is %s', (topic, body, kind) => {
    const { headers } = shop.delivery(topic, 0, { body })
    expect(adapter.readEvent(headers, Buffer.from(body)).kind).toBe(kind)
  })
})
