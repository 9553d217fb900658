// Lists and reports of staff that become files, by their paths: what they are called, and who may read them.
import { REPORT_TITLES } from '../routes/reports/titles.ts'
import type { Viewer, Wording } from './resource.ts'

/** The scopes that a reader needs; test/console/exports.test.ts compares them with the service. */
export const EXPORT_SCOPES: Readonly<Record<string, readonly string[]>> = {
  organizations: ['organization'],
  users: ['users'],
  entitlements: ['entitlements'],
  licenses: ['licenses'],
  environments: ['entitlements'],
  sites: ['entitlements'],
  services: ['entitlements'],
  contracts: ['contracts'],
  tickets: ['tickets'],
  quotes: ['quotes'],
  'quotes/requests': ['quotes'],
  orders: ['orders'],
  subscriptions: ['orders'],
  invoices: ['finances'],
  payments: ['finances'],
  refunds: ['orders', 'finances'],
  disputes: ['finances'],
  'credit-notes': ['finances'],
  'credit-balances': ['finances'],
  'tax-invoices': ['finances'],
  products: ['catalogue'],
  'price-indexes': ['catalogue'],
  documents: ['documents'],
  affiliates: ['finances'],
  'affiliates/payouts': ['finances'],
  'commerce/orders': ['orders'],
  'crm/proposals': ['organization'],
  'crm/deals': ['quotes'],
  teams: ['tickets'],
  'teams/assignees': ['tickets'],
  'canned-replies': ['tickets'],
  'municipal-parameters': ['finances'],
  mails: ['organization', 'users'],
  jobs: ['jobs'],
  'inbound-events': ['jobs'],
  'audit-log': ['audit'],
  staff: ['staff'],
  entries: ['organization'],
  'api-keys': ['staff'],
  'reports/billed': ['finances'],
  'reports/recognized': ['finances'],
  'reports/recurring-revenue': ['finances'],
  'reports/receivables': ['finances'],
  'reports/receivables-by-organization': ['finances'],
  'reports/expiring': ['entitlements', 'licenses', 'contracts', 'quotes'],
  'reports/tax-invoices': ['finances'],
  'reports/withheld-taxes': ['finances'],
  'reports/ticket-service-levels': ['tickets'],
  'reports/ticket-satisfaction': ['tickets'],
}

export const mayExport = (source: string, { may }: Viewer): boolean =>
  EXPORT_SCOPES[source]?.every((scope) => may(`${scope}:read`)) ?? false

/** The screens of sources that have another name. */
const SCREENS = {
  'quotes/requests': 'quote-requests',
  'affiliates/payouts': 'payouts',
  'commerce/orders': 'commerce-orders',
  'crm/proposals': 'crm-proposals',
  'crm/deals': 'crm-deals',
  mails: 'mail-log',
  'audit-log': 'vendor-audit-log',
  'api-keys': 'vendor-keys',
} as const

const OTHERS = {
  en: { 'teams/assignees': 'Agents and their open tickets', 'audit-log/sealed': 'Audit log with its seals' },
  'pt-BR': { 'teams/assignees': 'Atendentes e seus chamados', 'audit-log/sealed': 'Trilha de auditoria com selos' },
}

export function exportName(source: string, { texts, language }: Wording): string {
  const names: Readonly<Record<string, string>> = { ...texts.screens, ...texts.resources, ...OTHERS[language] }
  const titles: Readonly<Record<string, string>> = REPORT_TITLES[language]
  const report = titles[source.replace(/^reports\//, '')]
  if (source.startsWith('reports/') && report) return `${texts.screens.reports}: ${report}`
  const screens: Readonly<Record<string, string>> = SCREENS
  return names[screens[source] ?? source] ?? source
}
