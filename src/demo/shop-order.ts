// The demo's order of the sandbox's shop: somebody of a customer buys there. It comes here by the shop's event, or with
// the next comparison.
import type { DemoService } from './demo-service.ts'
import { FIRST_SKU } from './catalogue.ts'

const SHOP = '/sandbox/shop/entity_br'

const LINE = {
  name: 'Backup Pro',
  sku: FIRST_SKU,
  quantity: 2,
  subtotal: '79.80',
  total: '79.80',
  total_tax: '0.00',
}

export async function demoShopOrder({ sandbox, ports }: DemoService, email: string): Promise<void> {
  const shop = sandbox?.systems.find(({ urls }) => urls.some((url) => url.startsWith(SHOP)))
  if (!shop || ports.commerce.entity_br?.platform !== 'woocommerce-sandbox') return
  const order = {
    status: 'processing',
    currency: 'BRL',
    payment_method: 'pix',
    payment_method_title: 'Pix',
    billing: { first_name: 'Ana', last_name: 'Souza', email },
    line_items: [LINE],
  }
  await shop.handle({
    method: 'POST',
    path: `${SHOP}/wp-json/wc/v3/orders`,
    headers: { authorization: `Basic ${Buffer.from('staff:staff').toString('base64')}` },
    body: Buffer.from(JSON.stringify(order)),
  })
}
