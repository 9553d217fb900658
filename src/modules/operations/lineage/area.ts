// The lineage of an entitlement (spec 4.3).
import { area } from '#http/manifest/area.ts'
import { lineageRoutes } from './routes.ts'

export const lineageArea = area({
  name: 'lineage',
  description: 'An entitlement with everything that belongs to it, in one answer.',
  routes: lineageRoutes,
})
