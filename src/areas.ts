// The table of contents: every area's routes, jobs, event consumers and announcements, in the order of the specification.
import { eventConsumers, type Consumer, type EventConsumers } from '#kernel/jobs/events.ts'
import type { Job } from '#kernel/jobs/jobs.ts'
import { area, type Route } from '#kernel/http/route.ts'
import { affiliateJobs } from '#areas/affiliates/jobs.ts'
import { affiliateRoutes } from '#areas/affiliates/routes.ts'
import { authJobs } from '#areas/auth/jobs.ts'
import { authRoutes } from '#areas/auth/routes.ts'
import { adminRoutes } from '#areas/admin/routes.ts'
import { auditLogRoutes } from '#areas/audit-log/routes.ts'
import { inviteAnnouncements } from '#areas/collaborators/announcements.ts'
import { collaboratorRoutes } from '#areas/collaborators/routes.ts'
import { contractAnnouncements } from '#areas/contracts/announcements.ts'
import { contractConsumers, contractJobs } from '#areas/contracts/jobs.ts'
import { contractRoutes } from '#areas/contracts/routes.ts'
import { creditNoteConsumers, creditNoteJobs } from '#areas/credit-notes/archive.ts'
import { creditNoteRoutes } from '#areas/credit-notes/routes.ts'
import { entitlementAnnouncements } from '#areas/entitlements/announcements.ts'
import { entitlementJobs } from '#areas/entitlements/jobs.ts'
import { entitlementRoutes } from '#areas/entitlements/routes.ts'
import { environmentAnnouncements } from '#areas/environments/announcements.ts'
import { environmentJobs } from '#areas/environments/jobs.ts'
import { environmentRoutes } from '#areas/environments/routes.ts'
import { fileJobs } from '#areas/files/jobs.ts'
import { inviteJobs } from '#areas/collaborators/invite-jobs.ts'
import { inviteRoutes } from '#areas/collaborators/invite-routes.ts'
import { invoiceAnnouncements } from '#areas/invoices/announcements.ts'
import { invoiceConsumers, invoiceJobs } from '#areas/invoices/jobs.ts'
import { invoiceRoutes } from '#areas/invoices/routes.ts'
import { invoiceStaffRoutes } from '#areas/invoices/staff-routes.ts'
import { licenseAnnouncements } from '#areas/licenses/announcements.ts'
import { licenseJobs } from '#areas/licenses/jobs.ts'
import { licenseRoutes } from '#areas/licenses/routes.ts'
import { licenseStaffRoutes } from '#areas/licenses/staff-routes.ts'
import { lineageRoutes } from '#areas/lineage/routes.ts'
import { announcementConsumers, announcementJobs } from '#areas/notifications/announce.ts'
import type { Announcement } from '#areas/notifications/announcement.ts'
import { orderRoutes } from '#areas/orders/routes.ts'
import { organizationRoutes } from '#areas/organizations/routes.ts'
import { productRoutes } from '#areas/products/routes.ts'
import { quoteAnnouncements } from '#areas/quotes/announcements.ts'
import { quoteConsumers, quoteJobs } from '#areas/quotes/jobs.ts'
import { paymentRoutes } from '#areas/quotes/payment-routes.ts'
import { quoteRoutes } from '#areas/quotes/routes.ts'
import { refundAnnouncements } from '#areas/refunds/announcements.ts'
import { refundJobs } from '#areas/refunds/jobs.ts'
import { refundRoutes } from '#areas/refunds/routes.ts'
import { serviceAnnouncements } from '#areas/services/announcements.ts'
import { searchRoutes } from '#areas/search/routes.ts'
import { serviceRoutes } from '#areas/services/routes.ts'
import { subscriptionConsumers, subscriptionJobs } from '#areas/subscriptions/jobs.ts'
import { subscriptionRoutes } from '#areas/subscriptions/routes.ts'
import { taxInvoiceAnnouncements } from '#areas/tax-invoices/announcements.ts'
import { taxInvoiceConsumers, taxInvoiceJobs } from '#areas/tax-invoices/jobs.ts'
import { taxInvoiceRoutes } from '#areas/tax-invoices/routes.ts'
import { ticketAnnouncements } from '#areas/tickets/announcements.ts'
import { ticketJobs } from '#areas/tickets/jobs.ts'
import { ticketRoutes } from '#areas/tickets/routes.ts'
import { webhookJobs } from '#areas/webhooks/jobs.ts'
import { provisioningReportJobs, provisioningReportRoutes } from '#areas/webhooks/provisioning.ts'
import { webhookRoutes } from '#areas/webhooks/routes.ts'

type Area = {
  name: string
  routes?: readonly Route[]
  jobs?: readonly Job[]
  consumers?: readonly Consumer[]
  announcements?: readonly Announcement[]
}

export const AREAS: readonly Area[] = [
  { name: 'auth', routes: authRoutes, jobs: authJobs },
  { name: 'organizations', routes: organizationRoutes },
  { name: 'collaborators', routes: collaboratorRoutes },
  { name: 'invites', routes: inviteRoutes, jobs: inviteJobs, announcements: inviteAnnouncements },
  { name: 'entitlements', routes: entitlementRoutes, jobs: entitlementJobs, announcements: entitlementAnnouncements },
  {
    name: 'quotes',
    routes: [...quoteRoutes, ...paymentRoutes],
    jobs: quoteJobs,
    consumers: quoteConsumers,
    announcements: quoteAnnouncements,
  },
  { name: 'products', routes: productRoutes },
  { name: 'orders', routes: orderRoutes },
  {
    name: 'subscriptions',
    routes: subscriptionRoutes,
    jobs: subscriptionJobs,
    consumers: subscriptionConsumers,
  },
  { name: 'refunds', routes: refundRoutes, jobs: refundJobs, announcements: refundAnnouncements },
  {
    name: 'invoices',
    routes: [...invoiceRoutes, ...invoiceStaffRoutes],
    jobs: invoiceJobs,
    consumers: invoiceConsumers,
    announcements: invoiceAnnouncements,
  },
  { name: 'credit-notes', routes: creditNoteRoutes, jobs: creditNoteJobs, consumers: creditNoteConsumers },
  {
    name: 'tax-invoices',
    routes: taxInvoiceRoutes,
    jobs: taxInvoiceJobs,
    consumers: taxInvoiceConsumers,
    announcements: taxInvoiceAnnouncements,
  },
  {
    name: 'licenses',
    routes: [...licenseRoutes, ...licenseStaffRoutes],
    jobs: licenseJobs,
    announcements: licenseAnnouncements,
  },
  { name: 'environments', routes: environmentRoutes, jobs: environmentJobs, announcements: environmentAnnouncements },
  { name: 'services', routes: serviceRoutes, announcements: serviceAnnouncements },
  { name: 'tickets', routes: ticketRoutes, jobs: ticketJobs, announcements: ticketAnnouncements },
  {
    name: 'contracts',
    routes: contractRoutes,
    jobs: contractJobs,
    consumers: contractConsumers,
    announcements: contractAnnouncements,
  },
  { name: 'affiliates', routes: affiliateRoutes, jobs: affiliateJobs },
  { name: 'lineage', routes: lineageRoutes },
  { name: 'search', routes: searchRoutes },
  {
    name: 'webhooks',
    routes: [...webhookRoutes, ...provisioningReportRoutes],
    jobs: [...webhookJobs, ...provisioningReportJobs],
  },
  { name: 'files', jobs: fileJobs },
  { name: 'audit-log', routes: auditLogRoutes },
  { name: 'admin', routes: adminRoutes },
]

export const routes: Route[] = AREAS.flatMap(({ name, routes: own = [] }) => area(name, own))
export const announcements: readonly Announcement[] = AREAS.flatMap(({ announcements: own = [] }) => own)
export const jobs: Job[] = [...AREAS.flatMap(({ jobs: own = [] }) => own), ...announcementJobs(announcements)]
export const consumers: readonly Consumer[] = [
  ...AREAS.flatMap(({ consumers: own = [] }) => own),
  ...announcementConsumers(announcements),
]
export const consumersWith = (more: readonly Consumer[]): EventConsumers => eventConsumers([...consumers, ...more])
