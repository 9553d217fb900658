// The table of contents: the manifest of every area, in the order of the specification.
import { createCatalogue } from '#areas/events/catalogue.ts'
import type { Area as Manifest } from '#http/manifest/area.ts'
import type { Ports } from '#kernel/data/context.ts'
import type { Assumption } from '#kernel/jobs/preview.ts'
import type { Route } from '#http/route.ts'
import { type Consumer, eventConsumers, type EventConsumers } from '#kernel/data/events.ts'
import type { Job } from '#kernel/jobs/jobs.ts'
import { accountStatementArea } from '#areas/account-statement/area.ts'
import { adminArea } from '#areas/admin/area.ts'
import { affiliatesArea } from '#areas/affiliates/area.ts'
import { auditLogArea } from '#areas/audit-log/area.ts'
import { authArea } from '#areas/auth/area.ts'
import { bulkArea } from '#areas/bulk/area.ts'
import { businessHoursArea } from '#areas/business-hours/area.ts'
import { collaboratorsArea, invitesArea, rolesArea } from '#areas/collaborators/area.ts'
import { commerceArea } from '#areas/commerce/area.ts'
import { contactsArea } from '#areas/contacts/area.ts'
import { contractsArea } from '#areas/contracts/area.ts'
import { creditBalancesArea } from '#areas/credit-balances/area.ts'
import { creditNotesArea } from '#areas/credit-notes/area.ts'
import { crmArea } from '#areas/crm/area.ts'
import { disputesArea } from '#areas/disputes/area.ts'
import { documentsArea } from '#areas/documents/area.ts'
import { documentsOfRecordArea } from '#areas/documents-of-record/area.ts'
import { downloadsArea } from '#areas/downloads/area.ts'
import { dunningArea } from '#areas/dunning/area.ts'
import { entitlementsArea } from '#areas/entitlements/area.ts'
import { environmentsArea } from '#areas/environments/area.ts'
import { eventsArea } from '#areas/events/area.ts'
import { exportsArea } from '#areas/exports/area.ts'
import { filesArea } from '#areas/files/area.ts'
import { importsArea } from '#areas/imports/area.ts'
import { invoicesArea } from '#areas/invoices/area.ts'
import { issueTrackerArea } from '#areas/issue-tracker/area.ts'
import { licensesArea } from '#areas/licenses/area.ts'
import { lineageArea } from '#areas/lineage/area.ts'
import { mailsArea } from '#areas/mails/area.ts'
import { meArea } from '#areas/me/area.ts'
import { municipalParametersArea } from '#areas/municipal-parameters/area.ts'
import { announcementConsumers, announcementJobs, assumedMail, noticeKinds } from '#areas/notifications/announce.ts'
import type { Announcement } from '#areas/notifications/announcement.ts'
import { ordersArea } from '#areas/orders/area.ts'
import { organizationsArea } from '#areas/organizations/area.ts'
import { paymentsArea } from '#areas/payments/area.ts'
import { priceIndexesArea } from '#areas/price-indexes/area.ts'
import { privacyArea } from '#areas/privacy/area.ts'
import { productsArea } from '#areas/products/area.ts'
import { quotesArea } from '#areas/quotes/area.ts'
import { refundsArea } from '#areas/refunds/area.ts'
import { reportsArea } from '#areas/reports/area.ts'
import { queueArea } from '#areas/queue/area.ts'
import { searchArea } from '#areas/search/area.ts'
import { servicesArea } from '#areas/services/area.ts'
import { sitesArea } from '#areas/sites/area.ts'
import { ssoArea } from '#areas/sso/area.ts'
import { staffArea } from '#areas/staff/area.ts'
import { subscriptionsArea } from '#areas/subscriptions/area.ts'
import { taxInvoicesArea } from '#areas/tax-invoices/area.ts'
import { ticketsArea } from '#areas/tickets/area.ts'
import { vendorKeysArea } from '#areas/vendor-keys/area.ts'
import { webhookEndpointsArea } from '#areas/webhook-endpoints/area.ts'
import { publishedWebhookEndpoints } from '#areas/webhook-endpoints/published.ts'
import { webhooksArea } from '#areas/webhooks/area.ts'

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
