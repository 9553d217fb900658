// Dunning: reminders of invoices, and what follows when they are not paid (docs/interface/sales.md, Dunning).
import { area } from '#http/manifest/area.ts'
import { dunningAnnouncements } from './announcements.ts'
import { dunningConsumers, dunningJobs } from './jobs.ts'
import { dunningRoutes } from './routes.ts'

export const dunningArea = area({
  name: 'dunning',
  description: 'Reminders of invoices, and what follows when they are not paid.',
  routes: dunningRoutes,
  jobs: dunningJobs,
  consumers: dunningConsumers,
  announcements: dunningAnnouncements,
  tables: ['dunning_schedules', 'dunning_cases'],
})
