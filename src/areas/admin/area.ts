// Work across organizations (docs/interface.md, Administration).
import { area } from '#kernel/area.ts'
import { inboundEventRoutes } from './inbound-event-routes.ts'
import { adminRoutes } from './routes.ts'
import { testClockRoutes } from './test-clock-routes.ts'

export const adminArea = area({
  name: 'admin',
  description: 'For administrators of the platform: work across organizations.',
  routes: [...adminRoutes, ...inboundEventRoutes, ...testClockRoutes],
})
