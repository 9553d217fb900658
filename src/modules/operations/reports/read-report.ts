// GET /admin/reports/{name} and GET /reports/{name}: the rows of a report, as JSON or as a file.
import type { IoContext } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'
import { preferredForm } from '#http/features/acceptable.ts'
import { invalid } from '#kernel/values/errors.ts'
import type { FileAnswer } from '#http/features/file-bodies.ts'
import { parts, type ReadPlan } from '#http/route.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { TABLE_TYPES, type TableFormat, type TableRow, tableWriter, columnsOf } from '#kernel/values/text/table-file.ts'
import { zoneOf } from '#ports/ports.ts'
import { textsIn } from '#texts/catalogue.ts'
import { languageFrom } from '#texts/language.ts'
import { COLUMNS } from './columns.ts'
import { type Report, reportProblems, type ReportQuery, type ReportScene } from './report.ts'

/** So many rows are read and sent as a whole; an export has no limit. */
export const MOST_ROWS = 5000

const NONE = sql<TableRow>`select where false`

export type ReportAnswer = { report: string; generated_at: string; rows: TableRow[] }

export function readReport<Data>(
  { report, scene }: { report: Report; scene: ReportScene },
  query: ReportQuery,
  shape: (answer: ReportAnswer) => Data,
): ReadPlan<Data> {
  const problems = reportProblems(query, scene)
  const rowsAsked = problems ? NONE : sql<TableRow>`${report.rows(query, scene)} limit ${MOST_ROWS + 1}`
  return parts([rowsAsked], ([rows]) => {
    if (problems) throw invalid(problems)
    if (rows.length > MOST_ROWS)
      throw invalid({
        organization_id: `the report has more than ${MOST_ROWS} rows: choose less, or ask for an export`,
      })
    return shape({ report: report.name, generated_at: scene.now.toISOString(), rows })
  })
}

type ReportFileFacts = ReportAnswer & { format: TableFormat }

const FORMS = (['csv', 'ndjson'] as const).map((form) => ({ form, produces: TABLE_TYPES[form].contentType }))

/** `format` says it, else `Accept`: 406 when that excludes both types, 422 when it names neither. */
export function formatOf(given: TableFormat | undefined, accept: string | string[] | undefined): TableFormat {
  if (given !== undefined) return given
  const asked = preferredForm(Array.isArray(accept) ? accept.join() : accept, FORMS)
  if (asked === null) throw invalid({ format: 'is required, unless Accept names text/csv or application/x-ndjson' })
  return asked
}

export const reportFile =
  (report: Report) =>
  (io: IoContext, { format, rows }: ReportFileFacts): Promise<FileAnswer> => {
    const { contentType, extension } = TABLE_TYPES[format]
    const timeZone = zoneOf(io.ports, 'entity_br')
    const titles = textsIn(languageFrom(io.acceptLanguage ?? io.caller?.language, 'pt-BR')).reports
    const { head, lines } = tableWriter(format, tableColumnsOf(report), { titles, timeZone })
    const content = Buffer.from(head + lines(rows))
    return Promise.resolve({ content, contentType, fileName: `${report.name}-${dayIn(io.now, timeZone)}.${extension}` })
  }

export const propertiesOf = ({ columns }: Pick<Report, 'columns'>) =>
  Object.fromEntries(columns.map((column) => [column, COLUMNS[column]]))

export const tableColumnsOf = (report: Pick<Report, 'columns'>) => columnsOf(propertiesOf(report))
