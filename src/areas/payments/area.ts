// Payments (spec 4.5, 6.1): checkouts at the payment provider, its reports, and payments recorded by hand.
import { area } from '#kernel/area.ts'
import { paymentAssumptions } from './assumptions.ts'
import { paymentJobs } from './jobs.ts'
import { paymentRoutes } from './routes.ts'

export const paymentsArea = area({
  name: 'payments',
  description: 'Checkout and settlement of invoices, payments recorded by hand, cancellation of what is to be paid.',
  routes: paymentRoutes,
  jobs: paymentJobs,
  assumptions: paymentAssumptions,
  tables: ['payment_references'],
})
