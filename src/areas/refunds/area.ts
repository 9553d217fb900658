// Refunds (spec 4.5).
import { area } from '#kernel/area.ts'
import { refundAssumptions } from './assumptions.ts'
import { refundAnnouncements } from './announcements.ts'
import { refundJobs } from './jobs.ts'
import { publishedRefunds } from './published.ts'
import { refundsTable } from './refund.ts'
import { refundRoutes } from './routes.ts'

export const refundsArea = area({
  name: 'refunds',
  description: 'Refunds of paid invoices, whole or in part.',
  routes: refundRoutes,
  jobs: refundJobs,
  announcements: refundAnnouncements,
  assumptions: refundAssumptions,
  tables: [refundsTable.name],
  published: [publishedRefunds],
})
