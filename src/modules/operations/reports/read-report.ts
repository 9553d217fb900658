// GET /admin/reports/{name} and GET /reports/{name}: the rows of a report, as JSON or as a file.
import { sql } from '#kernel/values/sql.ts'
import { preferredForm } from '#http/features/acceptable.ts'
import { invalid } from '#kernel/values/errors.ts'
import type { IoContext } from '#kernel/data/context.ts'
import { parts, type ReadPlan } from '#http/route.ts'
import { Nullable } from '#kernel/values/schema.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import {
  TABLE_CONTENT_TYPES,
  TABLE_TYPES,
  type TableFormat,
  type TableRow,
  tableWriter,
  columnsOf,
} from '#modules/operations/exports/table-file.ts'
import { zoneOf } from '#ports/ports.ts'
import { textsIn } from '#texts/catalogue.ts'
import { languageFrom } from '#texts/language.ts'
import { COLUMNS } from './columns.ts'
import { type Report, reportProblems, type ReportQuery, type ReportScene } from './report.ts'

/** So many rows are read and sent as a whole; an export has no limit. */
export const MOST_ROWS = 5000

const NONE = sql<TableRow>`select where false`

export type ReportAnswer = { report: string; generated_at: string; rows: TableRow[] }

export function readReport(report: Report, query: ReportQuery, scene: ReportScene): ReadPlan<ReportAnswer> {
  const problems = reportProblems(query, scene)
  const rowsAsked = problems ? NONE : sql<TableRow>`${report.rows(query, scene)} limit ${MOST_ROWS + 1}`
  return parts([rowsAsked], ([rows]) => {
    if (problems) throw invalid(problems)
    if (rows.length > MOST_ROWS)
      throw invalid({
        organization_id: `the report has more than ${MOST_ROWS} rows: choose less, or ask for an export`,
      })
    return { report: report.name, generated_at: scene.now.toISOString(), rows }
  })
}

const FORMS = [
  { form: null, produces: 'application/json' },
  ...(['csv', 'ndjson'] as const).map((form) => ({ form, produces: TABLE_TYPES[form].contentType })),
]

/** `format` says it, else `Accept`; null for JSON. 406 when it excludes all. */
const formatOf = (given: TableFormat | undefined, accept: string | string[] | undefined): TableFormat | null =>
  given ?? preferredForm(Array.isArray(accept) ? accept.join() : accept, FORMS)

type FormRequest = { query: { format?: TableFormat }; raw: { headers: Record<string, string | string[] | undefined> } }

export const reportForms = (report: Report) => ({
  produces: TABLE_CONTENT_TYPES,
  make(io: IoContext, { rows }: ReportAnswer, { query, raw }: FormRequest) {
    const format = formatOf(query.format, raw.headers['accept'])
    if (format === null) return null
    const { contentType, extension } = TABLE_TYPES[format]
    const timeZone = zoneOf(io.ports, 'entity_br')
    const titles = textsIn(languageFrom(io.acceptLanguage ?? io.caller?.language, 'pt-BR')).reports
    const { head, lines } = tableWriter(format, columnsOf(propertiesOf(report)), { titles, timeZone })
    const content = Buffer.from(head + lines(rows))
    return { content, contentType, fileName: `${report.name}-${dayIn(io.now, timeZone)}.${extension}` }
  },
})

export const propertiesOf = ({ columns, nullable = [] }: Pick<Report, 'columns' | 'nullable'>) =>
  Object.fromEntries(columns.map((name) => [name, nullable.includes(name) ? Nullable(COLUMNS[name]) : COLUMNS[name]]))
