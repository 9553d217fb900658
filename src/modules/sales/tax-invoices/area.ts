// Tax invoices (spec 4.6).
import { area } from '#http/manifest/area.ts'
import { taxInvoiceAssumptions } from './assumptions.ts'
import { taxInvoiceAnnouncements } from './announcements.ts'
import { sql } from '#kernel/values/sql.ts'
import { taxInvoiceConsumers, taxInvoiceJobs } from './jobs.ts'
import { publishedTaxInvoices } from './published.ts'
import { taxInvoiceRoutes } from './routes.ts'
import { signedDocumentsTable } from './signed-documents.ts'
import { taxInvoicesTable } from './tax-invoice.ts'

export const taxInvoicesArea = area({
  name: 'tax-invoices',
  description: 'Brazilian service invoices (NFS-e).',
  routes: taxInvoiceRoutes,
  jobs: taxInvoiceJobs,
  consumers: taxInvoiceConsumers,
  announcements: taxInvoiceAnnouncements,
  assumptions: taxInvoiceAssumptions,
  tables: [taxInvoicesTable.name, signedDocumentsTable.name],
  published: [publishedTaxInvoices],
  waiting: [
    {
      kind: 'tax-invoices',
      scope: 'finances',
      waits: 'refused by the authority, or not declarable',
      rows: sql`select id, organization_id, coalesce(error_message, error_code, id::text) as label, updated_at as since
        from tax_invoices where status = 'error'`,
      act: { method: 'POST', path: '/tax-invoices/{id}/retry', inOrganization: true },
    },
  ],
  searchable: [
    { scope: 'finances', table: taxInvoicesTable, label: sql`'NFS-e ' || coalesce(t.nfse_number, t.id::text)` },
  ],
})
