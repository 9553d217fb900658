// The reports, and how each is drawn: what stands along the axis, what is stacked on it, and what needs a chart of its own,
// since amounts of two currencies are never added.
import * as api from '@titular/sdk'
import type { AnyOperation, FileOperation } from '@titular/sdk'
import { type Item, textOf } from '../../resources/resource.ts'

/** A part of a bar: the name of its series and its value. */
export type Part = readonly [series: string, value: number]

export type ReportKind = {
  name: ReportName
  operation: AnyOperation & FileOperation
  /** The same of one organization. */
  own?: { operation: AnyOperation & FileOperation; scope?: string }
  /** Where a row stands along the axis; null where it stands nowhere. */
  along: (row: Item) => string | null
  parts: (row: Item) => readonly Part[]
  /** Of which chart it is. */
  chart: (row: Item) => string
  /** Whether the values are money. */
  isMoney: boolean
}

export type ReportName =
  | 'billed'
  | 'recognized'
  | 'recurring-revenue'
  | 'receivables'
  | 'receivables-by-organization'
  | 'expiring'
  | 'tax-invoices'
  | 'withheld-taxes'
  | 'ticket-service-levels'
  | 'ticket-satisfaction'

const AGES = ['not_due', 'days_1_30', 'days_31_60', 'days_61_90', 'days_over_90'] as const

const numberIn = (row: Item, field: string): number => Number(row[field] ?? 0)
const of =
  (field: string) =>
  (row: Item): string =>
    textOf(row[field])
const counted =
  (...fields: string[]) =>
  (row: Item): readonly Part[] =>
    fields.map((field) => [field, numberIn(row, field)])
/** Each row is one part, named by one of its fields. */
const named =
  (series: string, value: string) =>
  (row: Item): readonly Part[] => [[textOf(row[series]), numberIn(row, value)]]

const byMoney = (row: Item): string => [row['company'], row['currency']].map(textOf).filter(Boolean).join(' ')

export const REPORT_KINDS: readonly ReportKind[] = [
  {
    name: 'billed',
    operation: api.adminGetBilledReport,
    along: of('month'),
    parts: named('class', 'billed'),
    chart: byMoney,
    isMoney: true,
  },
  {
    name: 'recognized',
    operation: api.adminGetRecognizedReport,
    along: of('month'),
    parts: named('class', 'recognized'),
    chart: byMoney,
    isMoney: true,
  },
  {
    name: 'recurring-revenue',
    operation: api.adminGetRecurringRevenueReport,
    along: of('month'),
    parts: counted('closing'),
    chart: byMoney,
    isMoney: true,
  },
  {
    name: 'receivables',
    operation: api.adminGetReceivablesReport,
    own: { operation: api.getReceivablesReport, scope: 'finances' },
    along: byMoney,
    parts: counted(...AGES),
    chart: byMoney,
    isMoney: true,
  },
  {
    name: 'receivables-by-organization',
    operation: api.adminGetReceivablesByOrganizationReport,
    along: of('organization_name'),
    parts: counted(...AGES),
    chart: byMoney,
    isMoney: true,
  },
  {
    name: 'expiring',
    operation: api.adminGetExpiringReport,
    own: { operation: api.getExpiringReport },
    along: ({ expires_on }) => textOf(expires_on).slice(0, 7) || null,
    parts: ({ kind }) => [[textOf(kind), 1]],
    chart: () => '',
    isMoney: false,
  },
  {
    name: 'tax-invoices',
    operation: api.adminGetTaxInvoicesReport,
    along: of('competence'),
    parts: named('status', 'tax_invoices'),
    chart: () => '',
    isMoney: false,
  },
  {
    name: 'withheld-taxes',
    operation: api.adminGetWithheldTaxesReport,
    own: { operation: api.getWithheldTaxesReport, scope: 'finances' },
    along: of('month'),
    parts: named('withheld_tax', 'withheld_net'),
    chart: byMoney,
    isMoney: true,
  },
  {
    name: 'ticket-service-levels',
    operation: api.adminGetTicketServiceLevelsReport,
    own: { operation: api.getTicketServiceLevelsReport, scope: 'tickets' },
    along: of('month'),
    parts: counted('resolution_met', 'resolution_running', 'resolution_in_danger', 'resolution_broken'),
    chart: () => '',
    isMoney: false,
  },
  {
    name: 'ticket-satisfaction',
    operation: api.adminGetTicketSatisfactionReport,
    along: of('month'),
    parts: counted('rated_good', 'rated_bad'),
    chart: () => '',
    isMoney: false,
  },
]
