// The business hours of the legal entities (docs/interface/delivery.md, Business hours).
import { area } from '#http/manifest/area.ts'
import { businessHoursRoutes } from './routes.ts'

export const businessHoursArea = area({
  name: 'business-hours',
  description: 'When the deadlines of service levels run.',
  routes: businessHoursRoutes,
  tables: ['business_hours'],
})
