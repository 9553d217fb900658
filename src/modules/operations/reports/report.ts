// A report as data: its parameters, its columns, who may read it, and the statement whose rows it is.
import { type TSchema, Type } from 'typebox'
import { EntitlementClass } from '#modules/delivery/entitlements/entitlement.ts'
import type { Scope } from '#kernel/values/permissions.ts'
import type { Settings } from '#kernel/data/context.ts'
import { inOrganizations, type Only } from '#kernel/data/lists/across.ts'
import { nothing, raw, sql, type Statement } from '#kernel/values/sql.ts'
import { dayIn, monthsBetween, monthsLater } from '#kernel/values/time/calendar.ts'
import { Company, Currency, Id, Month } from '#kernel/values/schema.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import { zoneOf } from '#ports/ports.ts'
import type { ReportColumn } from '#texts/reports.ts'

export const MOST_MONTHS = 120
const USUAL_MONTHS = 12
const USUAL_DAYS = 90

const MONTHS = {
  month_from: Type.Optional({
    ...Month,
    description: `The first month; by default ${USUAL_MONTHS - 1} before the last`,
  }),
  month_to: Type.Optional({ ...Month, description: 'The last month, which is included; by default the current one' }),
}
export const EXPIRING_KINDS = ['entitlements', 'licenses', 'contracts', 'quotes'] as const
export type ExpiringKind = (typeof EXPIRING_KINDS)[number]

export const PARAMETERS = {
  ...MONTHS,
  kind: Type.Optional(Type.Enum(EXPIRING_KINDS, { description: 'Only records of this kind', examples: ['licenses'] })),
  days: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1830,
      default: USUAL_DAYS,
      description: 'What ends today or within so many days',
    }),
  ),
  company: Type.Optional(Company),
  currency: Type.Optional(Currency),
  class: Type.Optional(EntitlementClass),
  organization_id: Type.Optional({ ...Id, description: 'Only of this organization' }),
}
export type ParameterName = keyof typeof PARAMETERS

/** The values of the parameters that a report has. */
export type ReportQuery = {
  kind?: ExpiringKind
  month_from?: string
  month_to?: string
  days?: number
  company?: string
  currency?: string
  class?: string
  organization_id?: number
}

/** The schema's parameters; members ask about their own organization only. */
export const reportQuery = ({ parameters }: Pick<Report, 'parameters'>, isOwn: boolean): Record<string, TSchema> =>
  Object.fromEntries(
    parameters.filter((name) => !isOwn || name !== 'organization_id').map((name) => [name, PARAMETERS[name]]),
  )

/** `org`: for the members of this organization; null: for staff, over all, or over `only`. */
export type ReportScene = {
  org: number | null
  only: Only
  now: Date
  settings: Settings
  /** Whether the reader has the scope, in a report of several kinds of records. */
  mayRead: (scope: Scope) => Statement
}

/** For who may read all that the report is asked. */
export const wholeScene = ({ now, settings }: Pick<ReportScene, 'now' | 'settings'>): ReportScene => ({
  org: null,
  only: null,
  now,
  settings,
  mayRead: () => sql`true`,
})

export type Report = {
  name: string
  /** For the summary of its endpoints: `Get the report: …`. */
  purpose: string
  description: string
  /** What members need in their organization, and staff over all. A function: each row needs that of its kind. */
  scope: Scope | ((query: ReportQuery) => readonly Scope[])
  /** Organizations have it too, of themselves. */
  isOwn: boolean
  parameters: readonly ParameterName[]
  columns: readonly ReportColumn[]
  /** Those that some rows lack. */
  nullable?: readonly ReportColumn[]
  /** In order; the columns as declared. */
  rows: (query: ReportQuery, scene: ReportScene) => Statement
}

/** What a reader needs who gets all that is asked. */
export const scopesOf = ({ scope }: Pick<Report, 'scope'>, query: ReportQuery): readonly Scope[] =>
  typeof scope === 'function' ? scope(query) : [scope]

/** What the schema of the parameters cannot say. */
export function reportProblems(query: ReportQuery, scene: ReportScene): Fields | null {
  if (query.month_from === undefined && query.month_to === undefined) return null
  const { first, last } = monthsOf(query, scene)
  if (first > last) return { month_from: 'must not be after month_to' }
  if (monthsBetween(first, last) >= MOST_MONTHS) return { month_from: `choose at most ${MOST_MONTHS} months` }
  return null
}

/** The months of the report, by the calendar of the legal entity in Brazil where none is named. */
export function monthsOf({ month_from, month_to }: ReportQuery, { now, settings }: ReportScene) {
  const current = dayIn(now, zoneOf({ settings }, 'entity_br')).slice(0, 7)
  const last = month_to ?? (month_from !== undefined && month_from > current ? month_from : current)
  return { first: month_from ?? monthsLater(last, 1 - USUAL_MONTHS), last }
}

/** The first day of the months and the first day after them. */
export function daysOf(query: ReportQuery, scene: ReportScene) {
  const { first, last } = monthsOf(query, scene)
  return { from: `${first}-01`, until: `${monthsLater(last, 1)}-01` }
}

export const daysAhead = ({ days = USUAL_DAYS }: ReportQuery): number => days

/** The rows of the table that the reader may see and has asked for: the one place that decides over organizations. */
export function within(alias: string, { org, only }: ReportScene, query: ReportQuery): Statement {
  const column = `${alias}.organization_id`
  return org === null ? sql`true ${inOrganizations(column, query, only)}` : sql`${raw(column)} = ${org}`
}

/**
 * The organizations of those rows, to be joined: of one only where it is known, which it is with the rights of a
 * member.
 */
export const organizationsOf = ({ org }: ReportScene): Statement =>
  org === null ? sql`organizations` : sql`(select * from organizations where organization_id = ${org} and id = ${org})`

/** The same for the table's legal entity and currency, where they are asked for. */
export function ofCompany(alias: string, { company, currency }: Pick<ReportQuery, 'company' | 'currency'>): Statement {
  const one = company === undefined ? nothing : sql`and ${raw(alias)}.company = ${company}`
  return currency === undefined ? one : sql`${one} and ${raw(alias)}.currency = ${currency}`
}

/** The time zone of the legal entity in a column. */
export const zoneBy = (column: string, { settings }: ReportScene): Statement => sql`
  (case ${raw(column)} when 'entity_br' then ${zoneOf({ settings }, 'entity_br')}
                       else ${zoneOf({ settings }, 'entity_global')} end)`

/** The calendar day of now there. */
export const todayBy = (column: string, { now, settings }: ReportScene): Statement => sql`
  (case ${raw(column)} when 'entity_br' then ${dayIn(now, zoneOf({ settings }, 'entity_br'))}::date
                       else ${dayIn(now, zoneOf({ settings }, 'entity_global'))}::date end)`

/** A sum as an amount of the currency: with all its digits, also when nothing was added. */
export const amount = (added: string): string => `round(coalesce(${added}, 0), currency_digits(currency))`
