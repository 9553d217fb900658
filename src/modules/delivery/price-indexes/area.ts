// Price indexes, by which agreed prices are adjusted each year (docs/interface/delivery.md, Price indexes).
import { area } from '#http/manifest/area.ts'
import { priceIndexRoutes } from './routes.ts'

export const priceIndexesArea = area({
  name: 'price-indexes',
  description: 'The monthly rates of the indexes by which agreed prices are adjusted each year.',
  routes: priceIndexRoutes,
  tables: ['price_index_rates'],
})
