// The table of contents: the manifest of every area, in the order of the specification.
import { createCatalogue } from '#modules/messages/events/catalogue.ts'
import type { Area as Manifest } from '#http/manifest/area.ts'
import type { Ports } from '#kernel/data/context.ts'
import type { Assumption } from '#kernel/jobs/preview.ts'
import type { Route } from '#http/route.ts'
import { type Consumer, eventConsumers, type EventConsumers } from '#kernel/data/events.ts'
import type { Job } from '#kernel/jobs/jobs.ts'
import { accountStatementArea } from '#modules/sales/account-statement/area.ts'
import { adminArea } from '#modules/operations/admin/area.ts'
import { affiliatesArea } from '#modules/delivery/affiliates/area.ts'
import { auditLogArea } from '#modules/operations/audit-log/area.ts'
import { authArea } from '#modules/identity/auth/area.ts'
import { bulkArea } from '#modules/operations/bulk/area.ts'
import { businessHoursArea } from '#modules/delivery/business-hours/area.ts'
import { collaboratorsArea, invitesArea, rolesArea } from '#modules/identity/collaborators/area.ts'
import { commerceArea } from '#modules/integrations/commerce/area.ts'
import { contactsArea } from '#modules/messages/contacts/area.ts'
import { contractsArea } from '#modules/delivery/contracts/area.ts'
import { creditBalancesArea } from '#modules/sales/credit-balances/area.ts'
import { creditNotesArea } from '#modules/sales/credit-notes/area.ts'
import { crmArea } from '#modules/integrations/crm/area.ts'
import { disputesArea } from '#modules/sales/disputes/area.ts'
import { documentsArea } from '#modules/documents/documents/area.ts'
import { documentsOfRecordArea } from '#modules/documents/documents-of-record/area.ts'
import { downloadsArea } from '#modules/delivery/downloads/area.ts'
import { dunningArea } from '#modules/sales/dunning/area.ts'
import { entitlementsArea } from '#modules/delivery/entitlements/area.ts'
import { environmentsArea } from '#modules/delivery/environments/area.ts'
import { eventsArea } from '#modules/messages/events/area.ts'
import { exportsArea } from '#modules/operations/exports/area.ts'
import { filesArea } from '#modules/documents/files/area.ts'
import { importsArea } from '#modules/integrations/imports/area.ts'
import { invoicesArea } from '#modules/sales/invoices/area.ts'
import { issueTrackerArea } from '#modules/support/issue-tracker/area.ts'
import { licensesArea } from '#modules/delivery/licenses/area.ts'
import { lineageArea } from '#modules/operations/lineage/area.ts'
import { mailsArea } from '#modules/messages/mails/area.ts'
import { meArea } from '#modules/messages/me/area.ts'
import { municipalParametersArea } from '#modules/sales/municipal-parameters/area.ts'
import {
  announcementConsumers,
  announcementJobs,
  assumedMail,
  noticeKinds,
} from '#modules/messages/notifications/announce.ts'
import type { Announcement } from '#modules/messages/notifications/announcement.ts'
import { ordersArea } from '#modules/sales/orders/area.ts'
import { organizationsArea } from '#modules/identity/organizations/area.ts'
import { paymentsArea } from '#modules/sales/payments/area.ts'
import { priceIndexesArea } from '#modules/delivery/price-indexes/area.ts'
import { privacyArea } from '#modules/operations/privacy/area.ts'
import { productsArea } from '#modules/delivery/products/area.ts'
import { quotesArea } from '#modules/sales/quotes/area.ts'
import { refundsArea } from '#modules/sales/refunds/area.ts'
import { reportsArea } from '#modules/operations/reports/area.ts'
import { queueArea } from '#modules/operations/queue/area.ts'
import { searchArea } from '#modules/operations/search/area.ts'
import { servicesArea } from '#modules/delivery/services/area.ts'
import { sitesArea } from '#modules/delivery/sites/area.ts'
import { ssoArea } from '#modules/identity/sso/area.ts'
import { staffArea } from '#modules/identity/staff/area.ts'
import { subscriptionsArea } from '#modules/sales/subscriptions/area.ts'
import { taxInvoicesArea } from '#modules/sales/tax-invoices/area.ts'
import { ticketsArea } from '#modules/support/tickets/area.ts'
import { vendorKeysArea } from '#modules/identity/vendor-keys/area.ts'
import { webhookEndpointsArea } from '#modules/messages/webhook-endpoints/area.ts'
import { publishedWebhookEndpoints } from '#modules/messages/webhook-endpoints/published.ts'
import { webhooksArea } from '#modules/integrations/webhooks/area.ts'

type Area = Manifest<Announcement>

/** The search covers the searchable kinds of these areas, in this order. */
const WITH_RECORDS: readonly Area[] = [
  authArea,
  organizationsArea,
  contactsArea,
  collaboratorsArea,
  invitesArea,
  rolesArea,
  entitlementsArea,
  quotesArea,
  paymentsArea,
  productsArea,
  ordersArea,
  subscriptionsArea,
  refundsArea,
  disputesArea,
  invoicesArea,
  creditBalancesArea,
  accountStatementArea,
  creditNotesArea,
  dunningArea,
  taxInvoicesArea,
  municipalParametersArea,
  licensesArea,
  environmentsArea,
  sitesArea,
  ssoArea,
  servicesArea,
  ticketsArea,
  issueTrackerArea,
  contractsArea,
  businessHoursArea,
  priceIndexesArea,
  downloadsArea,
  documentsArea,
  affiliatesArea,
  commerceArea,
  lineageArea,
]

const OTHERS: readonly Area[] = [
  bulkArea,
  webhooksArea,
  crmArea,
  filesArea,
  documentsOfRecordArea,
  importsArea,
  reportsArea,
  mailsArea(() => noticeKinds(announcements)),
  adminArea,
  staffArea,
  vendorKeysArea,
]

/** The events that customers can get. */
export const catalogue = createCatalogue([
  ...[...WITH_RECORDS, ...OTHERS].flatMap(({ published }) => published),
  publishedWebhookEndpoints,
])

const EXPORTED = [...WITH_RECORDS, ...OTHERS].flatMap((one) => one.routes)
const WEBHOOK_ENDPOINTS = webhookEndpointsArea(catalogue)

const FOLLOWING: readonly Area[] = [
  searchArea(
    WITH_RECORDS.flatMap(({ searchable }) => searchable),
    [...WITH_RECORDS, ...OTHERS].flatMap(({ staffSearchable }) => staffSearchable),
  ),
  eventsArea(catalogue.published),
  WEBHOOK_ENDPOINTS,
  queueArea([...WITH_RECORDS, WEBHOOK_ENDPOINTS, ...OTHERS].flatMap(({ waiting }) => waiting)),
  auditLogArea(catalogue),
]

export const announcements: readonly Announcement[] = [...WITH_RECORDS, ...FOLLOWING, ...OTHERS].flatMap(
  (one) => one.announcements,
)

const WITH_DATA: readonly Area[] = [
  ...WITH_RECORDS,
  ...FOLLOWING,
  meArea(
    noticeKinds(announcements),
    WITH_RECORDS.flatMap(({ actions }) => actions),
  ),
  ...OTHERS,
  exportsArea(EXPORTED),
]

export const AREAS: readonly Area[] = [...WITH_DATA, privacyArea(WITH_DATA)]

export const routes: readonly Route[] = AREAS.flatMap((one) => one.routes)
export const jobs: readonly Job[] = [...AREAS.flatMap((one) => one.jobs), ...announcementJobs(announcements)]
export const assumptions: readonly Assumption[] = [...AREAS.flatMap((one) => one.assumptions), assumedMail]
export const consumers: readonly Consumer[] = [
  ...AREAS.flatMap((one) => one.consumers),
  ...announcementConsumers(announcements),
]
/** Those that these ports give something to do. */
export const consumersWith = (ports: Ports, more: readonly Consumer[] = []): EventConsumers =>
  eventConsumers([...consumers, ...more].filter(({ isUsed }) => isUsed?.(ports) ?? true))
