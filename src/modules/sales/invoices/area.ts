// Invoices (spec 4.6).
import { area } from '#http/manifest/area.ts'
import { invoiceActions } from './actions.ts'
import { invoiceAnnouncements } from './announcements.ts'
import { sql } from '#kernel/values/sql.ts'
import { invoicesTable } from './invoice.ts'
import { invoiceConsumers, invoiceJobs } from './jobs.ts'
import { publishedInvoices } from './published.ts'
import { paymentOptionRoutes } from './payment-options/routes.ts'
import { invoiceRoutes } from './routes.ts'
import { invoiceStaffRoutes } from './staff-routes.ts'

export const invoicesArea = area({
  name: 'invoices',
  description: 'Amounts due and paid.',
  routes: [...invoiceRoutes, ...paymentOptionRoutes, ...invoiceStaffRoutes],
  jobs: invoiceJobs,
  consumers: invoiceConsumers,
  announcements: invoiceAnnouncements,
  actions: invoiceActions,
  tables: [invoicesTable.name],
  published: [publishedInvoices],
  searchable: [{ scope: 'finances', table: invoicesTable, label: sql`t.number` }],
  waiting: [
    {
      kind: 'void-invoices',
      scope: 'finances',
      waits: 'void, with a part that was paid and is not refunded',
      rows: sql`
        select id, organization_id, updated_at as since,
               number || ': ' || (amount_paid - refund_reserved) || ' ' || currency as label
          from invoices where status = 'void' and amount_paid > refund_reserved`,
      act: { method: 'POST', path: '/invoices/{id}/refund', inOrganization: true },
    },
  ],
})
