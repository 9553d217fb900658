// The catalogue (docs/interface/delivery.md, Catalogue).
import { area } from '#http/manifest/area.ts'
import { productRoutes } from './routes.ts'
import { productsNamed } from './search-products.ts'

export const productsArea = area({
  name: 'products',
  description: 'The catalogue of products and prices that staff make quotes from.',
  routes: productRoutes,
  tables: ['products', 'prices'],
  staffSearchable: [{ scope: 'catalogue', kind: 'product', rows: productsNamed }],
})
