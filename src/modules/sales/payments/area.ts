// Payments (spec 4.5, 6.1): checkouts at the payment provider, its reports, and payments recorded by hand.
import { area } from '#http/manifest/area.ts'
import { sql } from '#kernel/values/sql.ts'
import { paymentAnnouncements } from './announcements.ts'
import { paymentAssumptions } from './assumptions.ts'
import { balanceConsumers } from './apply-credit-balance.ts'
import { paymentJobs } from './jobs.ts'
import { paymentsTable } from './payment.ts'
import { publishedPayments } from './published.ts'
import { recordRoutes } from './record-routes.ts'
import { paymentRoutes } from './routes.ts'

export const paymentsArea = area({
  name: 'payments',
  description: 'Checkout and settlement of invoices, payments recorded by hand, cancellation of what is to be paid.',
  routes: [...paymentRoutes, ...recordRoutes],
  jobs: paymentJobs,
  consumers: balanceConsumers,
  announcements: paymentAnnouncements,
  assumptions: paymentAssumptions,
  tables: [paymentsTable.name, 'payment_references'],
  published: [publishedPayments],
  searchable: [
    {
      scope: 'finances',
      table: paymentsTable,
      label: sql`t.amount || ' ' || t.currency || ' ' || t.payment_date`,
    },
  ],
})
