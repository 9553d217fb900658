// The demo's products, with a price for each legal entity in its currency, and its price indexes.
import { addPrice, addProduct } from '#modules/delivery/products/change-product.ts'
import type { NewPrice, NewProduct } from '#modules/delivery/products/product.ts'
import type { DemoService } from './demo-service.ts'
import { demoPriceIndexes } from './price-indexes.ts'

type Recurrence = Pick<NewPrice, 'term_months' | 'interval'>
type DemoProduct = NewProduct & { billed: Recurrence; prices: { BRL: string; USD: string } }

/** Of the product that is made first. */
export const FIRST_SKU = 'BACKUP-PRO'

const CATALOGUE: readonly DemoProduct[] = [
  {
    sku: FIRST_SKU,
    name: 'Backup Pro',
    entitlement_class: 'PLG',
    features: [
      { key: 'cloud_storage', type: 'boolean', value: true },
      { key: 'storage_gb', type: 'number', value: 50 },
    ],
    billed: { term_months: 12 },
    prices: { BRL: '39.90', USD: '9.90' },
  },
  {
    sku: 'MOODLE-MANAGED',
    name: 'Managed Moodle',
    entitlement_class: 'ENV',
    billed: { term_months: 12 },
    prices: { BRL: '490.00', USD: '120.00' },
  },
  {
    sku: 'MIGRATION',
    name: 'Migration',
    entitlement_class: 'SVC',
    billed: {},
    prices: { BRL: '1800.00', USD: '450.00' },
  },
  {
    sku: 'MONITORING',
    name: 'Monitoring',
    entitlement_class: 'PLG',
    billed: { interval: 'month' },
    prices: { BRL: '29.90', USD: '6.90' },
  },
]

/** Returns the products' ids. */
export function createCatalogue(service: DemoService): Promise<number[]> {
  return service.transactions.asSystem('the demo', service.origin(), async (ctx) => {
    const ids: number[] = []
    for (const { prices, billed, ...product } of CATALOGUE) {
      const { id } = await addProduct(ctx, product)
      const price = { tax_percent: null, ...billed }
      await addPrice(ctx, id, { company: 'entity_br', currency: 'BRL', unit_price: prices.BRL, ...price })
      await addPrice(ctx, id, { company: 'entity_global', currency: 'USD', unit_price: prices.USD, ...price })
      ids.push(id)
    }
    await demoPriceIndexes(ctx)
    return ids
  })
}
