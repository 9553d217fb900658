// Several creations, changes and removals in one request.
import { area } from '#http/manifest/area.ts'
import { bulkRoutes } from './routes.ts'

export const bulkArea = area({
  name: 'bulk',
  description: 'Several creations, changes and removals in one request.',
  routes: bulkRoutes,
})
