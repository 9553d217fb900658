// The sandbox's shop over real HTTP: the port's contract by WooCommerce's adapter, what people do in it, its events,
// faults by wish, and what it keeps.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commerceContract } from '#ports/commerce.contract.ts'
import { type Commerce, CommerceRefused, CommerceUnavailable } from '#ports/commerce.ts'
import { until } from '#test/harness/until.ts'
import { platformOrderRequest } from '#test/scenes/platform-order.ts'
import { systemOf } from '#test/scenes/sandbox-system.ts'
import { wooCommerce } from '../../woocommerce/woocommerce.ts'
import { openShop } from './shop.ts'

const ACCOUNT = { consumerKey: 'ck_of_the_service', consumerSecret: 'cs_of_the_service' }
const SECRET = 'secret-of-the-webhook'

async function opened() {
  const system = await systemOf((at) => {
    const webhookUrl = `${at.publicUrl}/api/v1/webhooks/commerce/entity_br`
    return openShop({ ...at, ...ACCOUNT, company: 'entity_br', webhookUrl, webhookSecret: SECRET })
  })
  const url = `${system.url}/sandbox/shop/entity_br`
  const commerce = wooCommerce({ ...ACCOUNT, url, webhookSecrets: ['older', SECRET], platform: 'woocommerce-sandbox' })
  /** As buyers and staff of the shop call its API. */
  const call = async (method: string, path: string, body?: object, user = 'staff:staff') => {
    const answer = await fetch(`${url}/wp-json/wc/v3/orders${path}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(user).toString('base64')}`,
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: JSON.parse(await answer.text()) }
  }
  const close = async () => {
    await commerce.close()
    await system.close()
  }
  return { system, commerce, call, close }
}

function wished(orderId: number, wish: string) {
  const request = platformOrderRequest(orderId)
  return { ...request, lines: request.lines.map((line) => ({ ...line, description: `sandbox: ${wish}` })) }
}

commerceContract('the sandbox’s shop', opened)

describe('the sandbox’s shop', () => {
  let at: Awaited<ReturnType<typeof opened>>
  let commerce: Commerce
  beforeAll(async () => {
    at = await opened()
    ;({ commerce } = at)
  })
  afterAll(() => at.close())

  it('announces each change in signed events: made, changed, deleted and restored', async () => {
    const line = { name: 'Caneca “Ünï” ☕', quantity: 1, total: '50.00', total_tax: '5.00' }
    const made = await at.call('POST', '', { line_items: [line], status: 'processing', payment_method: 'pix' })
    expect(made).toMatchObject({ status: 201, body: { total: '55.00', status: 'processing' } })
    const { id } = made.body
    await at.call('PUT', `/${id}`, { status: 'completed' })
    await at.call('DELETE', `/${id}`)
    expect(await commerce.look(String(id))).toMatchObject({ status: 'trashed' })
    await at.call('PUT', `/${id}`, { status: 'on-hold' })
    await until(() => at.system.received.length === 4)
    const events = at.system.received.map(({ headers, body }) => commerce.readEvent(headers, body))
    expect(new Set(events.map((event) => 'providerType' in event && event.providerType))).toEqual(
      new Set(['order.created', 'order.updated', 'order.deleted', 'order.restored']),
    )
    for (const event of events) expect(event).toMatchObject({ kind: 'order', reference: String(id) })
    expect((await commerce.look(String(id)))?.paidAt).not.toBeNull()
  })
  it('keeps its orders over a restart, and gives no number twice', async () => {
    const order = await commerce.putOrder(platformOrderRequest(31))
    const refund = { refundId: 1, amount: '10.00', reason: null }
    const refunded = await commerce.recordRefund(order.reference, refund)
    await at.system.restart()
    expect(await commerce.look(order.reference)).toEqual(refunded)
    const next = await commerce.putOrder(platformOrderRequest(32))
    expect(Number(next.reference)).toBeGreaterThan(Number(refunded.refunds[0]?.reference))
  })
  it('adds up in the currency of the order, and refuses what it cannot', async () => {
    const lines = {
      fee_lines: [
        { name: 'x', total: '1500' },
        { name: 'less', total: '-300' },
      ],
    }
    expect((await at.call('POST', '', { ...lines, currency: 'JPY' })).body.total).toBe('1200')
    for (const wrong of [
      { fee_lines: [{ name: 'x', total: '10.005' }] },
      { currency: 'XXY', fee_lines: [{ name: 'x', total: '1' }] },
      { fee_lines: [{ name: 'x', total: 'ten' }] },
      { status: 'sold' },
      [],
    ])
      expect((await at.call('POST', '', wrong)).body).toMatchObject({ code: 'rest_invalid_param' })
    const { id } = (await at.call('POST', '', lines)).body
    expect((await at.call('POST', `/${id}/refunds`, { amount: '1.00' })).status).toBe(500)
    expect((await at.call('POST', `/${id}/refunds`, { amount: '0.001', api_refund: false })).status).toBe(400)
    expect((await at.call('GET', '/abc')).status).toBe(404)
    expect((await at.call('GET', '', undefined, 'somebody:else')).status).toBe(401)
  })
  it('fails as it is wished to', async () => {
    await expect(commerce.putOrder(wished(41, 'refuse'))).rejects.toThrow(CommerceRefused)
    for (const [orderId, wish] of [
      [42, 'unavailable'],
      [43, 'unclear'],
    ] as const) {
      await expect(commerce.putOrder(wished(orderId, wish))).rejects.toThrow(CommerceUnavailable)
      await commerce.putOrder(wished(orderId, wish))
    }
    const marks = (await at.call('GET', '?per_page=100')).body.flatMap((one: { meta_data: { value: string }[] }) =>
      one.meta_data.slice(0, 1).map(({ value }) => value),
    )
    expect(marks.filter((mark: string) => ['41', '42', '43'].includes(mark)).toSorted()).toEqual(['42', '43'])
    expect(at.system.errors).toEqual([])
  })
})
