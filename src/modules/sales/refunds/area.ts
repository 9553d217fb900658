// Refunds (spec 4.5).
import { sql } from '#kernel/values/sql.ts'
import { area } from '#http/manifest/area.ts'
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
      waits: 'to be approved or rejected, or to be paid by hand',
      rows: sql`
        select r.id, r.organization_id, r.is_approved, r.amount || ' ' || r.currency as label, r.created_at as since
          from refunds r left join payments p on p.organization_id = r.organization_id and p.id = r.payment_id
       where r.status = 'processing' and (not r.is_approved or coalesce(p.source, 'by_hand') in ('by_hand', 'import'))`,
      act: {
        method: 'POST',
        path: sql`case when w.is_approved then '/refunds/{id}/settle' else '/refunds/{id}/approve' end`,
        inOrganization: true,
      },
    },
  ],
})
