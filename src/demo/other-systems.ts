// What people do in the sandbox's systems in the demo: a salesperson has a company in the CRM already, which differs,
// and somebody of a customer buys in the shop. Both come here by events, or with the next comparison.
import type { DemoService } from './demo-service.ts'
import { FIRST_SKU } from './catalogue.ts'
import { demoSettings } from './settings.ts'

/** The customer, by the CNPJ and the address of its owner. */
export const PADARIA = { name: 'Padaria São João', cnpj: '12ABC34501DE35' } as const
const OWNER = 'ana@padaria.example'

export async function demoOtherSystems(service: DemoService): Promise<void> {
  const { crm, commerce } = service.ports
  // Found by its CNPJ; the city becomes a proposal.
  const properties = { ...PADARIA, city: 'Campinas', state: 'SP', country: 'BR' }
  if (crm.entity_br?.provider === 'hubspot-sandbox')
    await post(service, '/sandbox/crm/entity_br/crm/objects/2026-09/companies', 'Bearer sales', { properties })
  const basic = `Basic ${Buffer.from('staff:staff').toString('base64')}`
  if (commerce.entity_br?.platform === 'woocommerce-sandbox')
    await post(service, '/sandbox/shop/entity_br/wp-json/wc/v3/orders', basic, ORDER)
  await demoSettings(service)
}

const ORDER = {
  status: 'processing',
  currency: 'BRL',
  payment_method: 'pix',
  payment_method_title: 'Pix',
  billing: { first_name: 'Ana', last_name: 'Souza', email: OWNER },
  line_items: [
    { name: 'Backup Pro', sku: FIRST_SKU, quantity: 2, subtotal: '79.80', total: '79.80', total_tax: '0.00' },
  ],
}

async function post({ sandbox }: DemoService, path: string, authorization: string, body: object): Promise<void> {
  const system = sandbox?.systems.find(({ urls }) => urls.some((url) => path.startsWith(url.replace(/\*$/, ''))))
  await system?.handle({
    method: 'POST',
    path,
    headers: { authorization },
    body: Buffer.from(JSON.stringify(body)),
  })
}
