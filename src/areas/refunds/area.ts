// Refunds (spec 4.5).
import { sql } from '#kernel/data/sql.ts'
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
  searchable: [{ scope: 'finances', and: 'orders', table: refundsTable, label: sql`t.amount || ' ' || t.currency` }],
  waiting: [
    {
      kind: 'refunds',
      scope: 'finances',
      waits: 'to be approved or rejected',
      rows: sql`select id, organization_id, amount || ' ' || currency as label, created_at as since
        from refunds where status = 'processing' and not is_approved`,
      act: { method: 'POST', path: '/refunds/{id}/approve', inOrganization: true },
    },
  ],
})
