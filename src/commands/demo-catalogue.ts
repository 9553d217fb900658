// The demo's products, with a price for each legal entity in its currency.
import { addPrice, addProduct } from '#areas/products/change-product.ts'
import type { NewProduct } from '#areas/products/product.ts'
import type { Service } from './compose.ts'
import { commandOrigin } from './origin.ts'

type DemoProduct = NewProduct & { term_months: number | null; prices: { BRL: string; USD: string } }

const CATALOGUE: readonly DemoProduct[] = [
  {
    sku: 'BACKUP-PRO',
    name: 'Backup Pro',
    entitlement_class: 'PLG',
    features: [
      { key: 'cloud_storage', type: 'boolean', value: true },
      { key: 'storage_gb', type: 'number', value: 50 },
    ],
    term_months: 12,
    prices: { BRL: '39.90', USD: '9.90' },
  },
  {
    sku: 'MOODLE-MANAGED',
    name: 'Managed Moodle',
    entitlement_class: 'ENV',
    term_months: 12,
    prices: { BRL: '490.00', USD: '120.00' },
  },
  {
    sku: 'MIGRATION',
    name: 'Migration',
    entitlement_class: 'SVC',
    term_months: null,
    prices: { BRL: '1800.00', USD: '450.00' },
  },
]

/** Returns the products' ids. */
export function createCatalogue(service: Service): Promise<number[]> {
  return service.transactions.asSystem('the demo', commandOrigin(service), async (ctx) => {
    const ids: number[] = []
    for (const { prices, term_months, ...product } of CATALOGUE) {
      const { id } = await addProduct(ctx, product)
      const price = { term_months, tax_percent: null }
      await addPrice(ctx, id, { company: 'entity_br', currency: 'BRL', unit_price: prices.BRL, ...price })
      await addPrice(ctx, id, { company: 'entity_global', currency: 'USD', unit_price: prices.USD, ...price })
      ids.push(id)
    }
    return ids
  })
}
