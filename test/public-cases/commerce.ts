import { expect } from 'vitest'
import { deadLetters } from '#test/scenes/commerce.ts'
import { deliver, drain, shopScene, type ShopScene } from '#test/scenes/shop.ts'
import type { PublicCase, ReadInput } from './public-case.ts'

/** The shop has the order of the case, which is of acme, and sends its event. */
async function withOrder(
  { json }: ReadInput,
  topic: string,
  check: (scene: ShopScene, id: number) => Promise<void>,
): Promise<void> {
  const scene = await shopScene()
  try {
    const given = json('order.json')
    given.meta_data[0].value = String(scene.acme.id)
    const { id } = scene.shop.add(given)
    expect(await deliver(scene, topic, id)).toBe(200)
    await drain(scene)
    await check(scene, id)
  } finally {
    await scene.close()
  }
}

/** Imported and delivered; gives the order with its lines. */
const isDelivered = (total: string, lines: object[]) => (read: ReadInput) =>
  withOrder(read, 'order.created', async (scene, id) => {
    expect(await deadLetters(scene.app)).toEqual([])
    const [listed] = (await scene.buyer.get('/orders')).data
    const { data } = await scene.buyer.get(`/orders/${listed.id}`)
    expect(data).toMatchObject({ number: String(id), status: 'completed', total, items: lines })
    expect(data.entitlements).toHaveLength(lines.length)
    expect(data.entitlements.every(({ status }: { status: string }) => status === 'active')).toBe(true)
    expect(scene.shop.orders.get(id)?.status).toBe('completed')
  })

export const commerceCases: PublicCase[] = [
  {
    name: 'woo-negative-fee',
    expected: 'a fee below zero is a discount, and the paid order is delivered',
    standard: 'WooCommerce REST v3, fee_lines; WC_Cart::add_fee with a negative amount',
    check: isDelivered('95.00', [{ unit_price: '100.00', discount: '5.00', total: '95.00' }]),
  },
  {
    name: 'woo-one-cent',
    expected: 'the order is of what was paid, and a cent of rounding is taken off a line',
    standard: 'WooCommerce, “Round tax at subtotal level” and prices that include tax',
    check: isDelivered('100.00', [
      { unit_price: '37.19', discount: '0.00', tax: '7.81', total: '45.00' },
      { unit_price: '40.50', discount: '0.01', tax: '8.50', total: '48.99' },
      { product_name: 'Fixo', unit_price: '4.97', tax: '1.04', total: '6.01' },
    ]),
  },
  {
    name: 'woo-meta-empty',
    expected: 'empty entries of meta_data do not keep an order from being read',
    standard: 'WooCommerce #24148 and #17223: meta_data has no required members',
    check: isDelivered('100.00', [{ product_name: 'Hospedagem', total: '100.00' }]),
  },
  {
    name: 'woo-quantity',
    expected: 'a part of a piece is one, of what was paid for it',
    standard: 'the filter woocommerce_stock_amount, with which extensions sell decimal quantities',
    check: isDelivered('150.00', [{ product_name: '1.5 × Hospedagem', quantity: 1, unit_price: '150.00' }]),
  },
  {
    name: 'woo-own-status',
    expected: 'a paid order in a status of the shop’s own is shown to staff, with the status',
    standard: 'docs/commerce.md: an unknown status is shown',
    check: (read) =>
      withOrder(read, 'order.updated', async ({ administrator, buyer, app }) => {
        expect((await buyer.get('/orders')).data).toEqual([])
        expect(await deadLetters(app)).toHaveLength(1)
        const { data } = await administrator.get('/admin/jobs')
        expect(data).toMatchObject([{ last_error: expect.stringMatching(/order 5001 .*status is shipped/) }])
      }),
  },
]
