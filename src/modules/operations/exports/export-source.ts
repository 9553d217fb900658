// What can be exported: each report, each list of staff over all organizations, by the statements that they have, and
// the audit logs with their seals.
import { Type } from 'typebox'
import { sealedEntries } from '#modules/operations/audit-log/sealed-entries.ts'
import { SealedEntry, SealedFilters } from '#modules/operations/audit-log/sealed-entry.ts'
import { propertiesOf as columnsOfReport } from '#modules/operations/reports/read-report.ts'
import {
  type Report,
  reportProblems,
  type ReportQuery,
  reportQuery,
  type ReportScene,
  scopesOf,
  wholeScene,
} from '#modules/operations/reports/report.ts'
import { REPORTS } from '#modules/operations/reports/reports.ts'
import { permissionsFor } from '#kernel/values/staff-needs.ts'
import { permissionFor, type StaffPermission } from '#kernel/values/staff-roles.ts'
import { raw, sql, type Statement } from '#kernel/values/sql.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import type { ReadContext, Route } from '#http/route.ts'
import { propertiesOf } from '#http/features/sparse-fields.ts'
import { compileRead } from '#kernel/values/validation/validation.ts'
import { PermanentFailure } from '#kernel/jobs/jobs.ts'
import { filtersOf, hasWholeList, wholeList } from '#http/features/whole-list.ts'
import { Closed } from '#kernel/values/schema.ts'
import { columnsOf, type TableRow } from './table-file.ts'
import type { ExportFilters } from './export.ts'

type Ask = <Row>(statement: Statement<Row>) => Promise<Row[]>

export type ExportSource = {
  /** The path below `/admin`; of the sealed audit logs the name alone. */
  name: string
  /** What its readers need. */
  permissions: (filters: ExportFilters) => StaffPermission[]
  columns: ReturnType<typeof columnsOf>
  /** The bad filters, by their names; null when all are good. */
  problems: (filters: ExportFilters, scene: ReportScene) => Fields | null
  /** All rows, some at a time, inside one transaction. */
  rows: (filters: ExportFilters, asked: ReadContext, ask: Ask) => AsyncIterable<TableRow[]>
}

const AT_ONCE = 1000

const readSealed = compileRead(SealedFilters, ({ log, organization_id }) =>
  log === 'service' && organization_id !== undefined
    ? { organization_id: 'the service’s own log has no organizations' }
    : {},
)

/** In the order of the chains, so that whoever has the file can verify it. */
const sealedAuditLog: ExportSource = {
  name: 'audit-log/sealed',
  permissions: () => [permissionFor('audit', false)],
  columns: columnsOf(SealedEntry.properties),
  problems: (filters, { now }) => readSealed(filters, now).problems ?? null,
  rows: (filters, { now }, ask) => {
    const { value, problems } = readSealed(filters, now)
    if (problems) throw otherFilters(problems)
    return sealedEntries(ask, value)
  },
}

const otherFilters = (problems: Fields) =>
  new PermanentFailure(`the source takes other filters now: ${Object.keys(problems).join(', ')}`)

/** Those of the lists that staff read over all organizations. */
export const exportSources = (routes: readonly Route[]): ExportSource[] => [
  ...REPORTS.map(ofReport),
  ...routes.filter(isOfAll).map(ofList),
  sealedAuditLog,
]

const isOfAll = (route: Route): boolean =>
  route.access.kind === 'vendor' &&
  route.access.scopes.length > 0 &&
  hasWholeList(route) &&
  !NOT_EXPORTED.test(route.path)

/** About people who asked for their data or their erasure, and where events are sent: no figures. */
const NOT_EXPORTED = /^\/admin\/(?:privacy\/|webhook-endpoints$)/

function ofReport(report: Report): ExportSource {
  const read = compileRead(Type.Unsafe<ReportQuery>(Closed(reportQuery(report, false))), () => ({}))
  return {
    name: `reports/${report.name}`,
    permissions: (filters) => scopesOf(report, filters).map((scope) => permissionFor(scope, false)),
    columns: columnsOf(columnsOfReport(report)),
    problems: (filters, scene) => {
      const { value, problems } = read(filters, scene.now)
      return problems ?? reportProblems(value, scene)
    },
    async *rows(filters, { now, ports }, ask) {
      // A connection prepares a statement once by its text, so the cursors of two reports have two names.
      const cursor = raw(`"${report.name}"`)
      const { value, problems } = read(filters, now)
      if (problems) throw otherFilters(problems)
      const rows = report.rows(value, wholeScene({ now, settings: ports.settings }))
      await ask(sql`declare ${cursor} no scroll cursor for ${rows}`)
      for (let isLast = false; !isLast;) {
        const found = await ask(sql<TableRow>`fetch forward ${raw(String(AT_ONCE))} from ${cursor}`)
        isLast = found.length < AT_ONCE
        yield found
      }
    },
  }
}

function ofList(list: Route): ExportSource {
  const { read, problems } = filtersOf(list)
  return {
    name: list.path.slice('/admin/'.length),
    permissions: () => permissionsFor({ access: list.access, writes: false }),
    columns: columnsOf(propertiesOf(list.page) ?? {}),
    problems,
    rows: (filters, asked, ask) => wholeList(list, { asked, filters: read(filters), size: AT_ONCE }, ask),
  }
}
