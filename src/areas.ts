// The table of contents: every area's routes, jobs and event consumers, in the order of the specification.
import { eventConsumers, type Consumer, type EventConsumers } from '#kernel/jobs/events.ts'
import type { Job } from '#kernel/jobs/jobs.ts'
import { area, type Route } from '#kernel/http/route.ts'
import { affiliateJobs } from '#areas/affiliates/jobs.ts'
import { affiliateRoutes } from '#areas/affiliates/routes.ts'
import { authJobs } from '#areas/auth/jobs.ts'
import { authRoutes } from '#areas/auth/routes.ts'
import { adminRoutes } from '#areas/admin/routes.ts'
import { auditLogRoutes } from '#areas/audit-log/routes.ts'
import { collaboratorRoutes } from '#areas/collaborators/routes.ts'
import { contractConsumers, contractJobs } from '#areas/contracts/jobs.ts'
import { contractRoutes } from '#areas/contracts/routes.ts'
import { creditNoteConsumers, creditNoteJobs } from '#areas/credit-notes/archive.ts'
import { creditNoteRoutes } from '#areas/credit-notes/routes.ts'
import { entitlementConsumers, entitlementJobs } from '#areas/entitlements/jobs.ts'
import { entitlementRoutes } from '#areas/entitlements/routes.ts'
import { environmentConsumers, environmentJobs } from '#areas/environments/jobs.ts'
import { environmentRoutes } from '#areas/environments/routes.ts'
import { fileJobs } from '#areas/files/jobs.ts'
import { inviteConsumers, inviteJobs } from '#areas/collaborators/invite-jobs.ts'
import { inviteRoutes } from '#areas/collaborators/invite-routes.ts'
import { invoiceConsumers, invoiceJobs } from '#areas/invoices/jobs.ts'
import { invoiceRoutes } from '#areas/invoices/routes.ts'
import { invoiceStaffRoutes } from '#areas/invoices/staff-routes.ts'
import { licenseConsumers, licenseJobs } from '#areas/licenses/jobs.ts'
import { licenseRoutes } from '#areas/licenses/routes.ts'
import { licenseStaffRoutes } from '#areas/licenses/staff-routes.ts'
import { lineageRoutes } from '#areas/lineage/routes.ts'
import { orderRoutes } from '#areas/orders/routes.ts'
import { organizationRoutes } from '#areas/organizations/routes.ts'
import { productRoutes } from '#areas/products/routes.ts'
import { paymentJobs } from '#areas/payments/jobs.ts'
import { paymentRoutes } from '#areas/payments/routes.ts'
import { quoteConsumers, quoteJobs } from '#areas/quotes/jobs.ts'
import { quoteRoutes } from '#areas/quotes/routes.ts'
import { refundConsumers, refundJobs } from '#areas/refunds/jobs.ts'
import { refundRoutes } from '#areas/refunds/routes.ts'
import { serviceConsumers, serviceJobs } from '#areas/services/jobs.ts'
import { searchRoutes } from '#areas/search/routes.ts'
import { serviceRoutes } from '#areas/services/routes.ts'
import { subscriptionConsumers, subscriptionJobs } from '#areas/subscriptions/jobs.ts'
import { subscriptionRoutes } from '#areas/subscriptions/routes.ts'
import { taxInvoiceConsumers, taxInvoiceJobs } from '#areas/tax-invoices/jobs.ts'
import { taxInvoiceRoutes } from '#areas/tax-invoices/routes.ts'
import { ticketJobs } from '#areas/tickets/jobs.ts'
import { ticketConsumers } from '#areas/tickets/mails.ts'
import { ticketRoutes } from '#areas/tickets/routes.ts'
import { webhookRoutes } from '#areas/webhooks/routes.ts'

type Area = { name: string; routes?: readonly Route[]; jobs?: readonly Job[]; consumers?: readonly Consumer[] }

export const AREAS: readonly Area[] = [
  { name: 'auth', routes: authRoutes, jobs: authJobs },
  { name: 'organizations', routes: organizationRoutes },
  { name: 'collaborators', routes: collaboratorRoutes },
  { name: 'invites', routes: inviteRoutes, jobs: inviteJobs, consumers: inviteConsumers },
  { name: 'entitlements', routes: entitlementRoutes, jobs: entitlementJobs, consumers: entitlementConsumers },
  { name: 'quotes', routes: quoteRoutes, jobs: quoteJobs, consumers: quoteConsumers },
  { name: 'payments', routes: paymentRoutes, jobs: paymentJobs },
  { name: 'products', routes: productRoutes },
  { name: 'orders', routes: orderRoutes },
  {
    name: 'subscriptions',
    routes: subscriptionRoutes,
    jobs: subscriptionJobs,
    consumers: subscriptionConsumers,
  },
  { name: 'refunds', routes: refundRoutes, jobs: refundJobs, consumers: refundConsumers },
  {
    name: 'invoices',
    routes: [...invoiceRoutes, ...invoiceStaffRoutes],
    jobs: invoiceJobs,
    consumers: invoiceConsumers,
  },
  { name: 'credit-notes', routes: creditNoteRoutes, jobs: creditNoteJobs, consumers: creditNoteConsumers },
  { name: 'tax-invoices', routes: taxInvoiceRoutes, jobs: taxInvoiceJobs, consumers: taxInvoiceConsumers },
  {
    name: 'licenses',
    routes: [...licenseRoutes, ...licenseStaffRoutes],
    jobs: licenseJobs,
    consumers: licenseConsumers,
  },
  { name: 'environments', routes: environmentRoutes, jobs: environmentJobs, consumers: environmentConsumers },
  { name: 'services', routes: serviceRoutes, jobs: serviceJobs, consumers: serviceConsumers },
  { name: 'tickets', routes: ticketRoutes, jobs: ticketJobs, consumers: ticketConsumers },
  { name: 'contracts', routes: contractRoutes, jobs: contractJobs, consumers: contractConsumers },
  { name: 'affiliates', routes: affiliateRoutes, jobs: affiliateJobs },
  { name: 'lineage', routes: lineageRoutes },
  { name: 'search', routes: searchRoutes },
  { name: 'webhooks', routes: webhookRoutes },
  { name: 'files', jobs: fileJobs },
  { name: 'audit-log', routes: auditLogRoutes },
  { name: 'admin', routes: adminRoutes },
]

export const routes: Route[] = AREAS.flatMap(({ name, routes: own = [] }) => area(name, own))
export const jobs: Job[] = AREAS.flatMap(({ jobs: own = [] }) => own)
export const consumers: readonly Consumer[] = AREAS.flatMap(({ consumers: own = [] }) => own)
export const consumersWith = (more: readonly Consumer[]): EventConsumers => eventConsumers([...consumers, ...more])
