// All kinds of records, in the order of the menu.
import { keys, people, roles, signOn } from './account.ts'
import { auditLog, staff, users, vendorKeys } from './administration.ts'
import { affiliates, payouts } from './affiliates.ts'
import { priceIndexes, products } from './catalogue.ts'
import { mails, ownAuditLog, webhooks } from './connections.ts'
import { environments, services, sites } from './delivery.ts'
import { downloads } from './downloads.ts'
import { entitlements, licenses } from './entitlements.ts'
import {
  auditExports,
  consents,
  invites,
  notices,
  organizationData,
  ownData,
  ownOrganizations,
  sessions,
} from './me.ts'
import { creditBalances, creditNotes, disputes, refunds } from './money.ts'
import { commerceOrders, crmDeals, crmProposals, inboundEvents, jobs, mailLog } from './operations.ts'
import { entries, organizations } from './organizations.ts'
import { contracts, documents } from './papers.ts'
import { erasures, organizationErasures, personExports, purposes } from './privacy.ts'
import { quoteRequests } from './quotes.ts'
import type { Resource } from './resource.ts'
import { invoices, orders, payments, quotes, subscriptions, taxInvoices } from './sales.ts'
import { cannedReplies, teams } from './support.ts'
import { tickets } from './tickets.ts'
import { exports, imports } from './transfers.ts'
import { vendorWebhookEndpoints } from './vendor-webhooks.ts'

export const RESOURCES: readonly Resource[] = [
  quotes,
  quoteRequests,
  orders,
  subscriptions,
  invoices,
  taxInvoices,
  payments,
  refunds,
  creditNotes,
  creditBalances,
  disputes,
  affiliates,
  payouts,
  entitlements,
  licenses,
  environments,
  services,
  sites,
  contracts,
  documents,
  downloads,
  tickets,
  people,
  roles,
  keys,
  signOn,
  webhooks,
  mails,
  ownAuditLog,
  products,
  priceIndexes,
  auditExports,
  organizationData,
  ownOrganizations,
  notices,
  sessions,
  invites,
  consents,
  purposes,
  ownData,
  teams,
  cannedReplies,
  organizations,
  entries,
  jobs,
  inboundEvents,
  mailLog,
  imports,
  exports,
  vendorWebhookEndpoints,
  commerceOrders,
  crmProposals,
  crmDeals,
  staff,
  vendorKeys,
  users,
  auditLog,
  personExports,
  erasures,
  organizationErasures,
]

export const resourceOf = (name: string): Resource | undefined => RESOURCES.find((one) => one.name === name)
