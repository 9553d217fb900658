// GET /admin/imports/{id}/report: the report on each line as a CSV.
import type { IoContext } from '#kernel/data/context.ts'
import type { FileAnswer } from '#http/features/file-bodies.ts'
import { asText, CSV, csvOf, csvRecords } from '#kernel/values/text/csv.ts'
import { cut } from '#kernel/values/text/text.ts'
import type { ImportedRow, ReportFilters } from './import.ts'
import type { Language } from '#texts/language.ts'
import { imports } from './queries.ts'
import { errorsIn } from './row-errors.ts'

const HEAD = ['line', 'external_id', 'outcome', 'organization_id', 'resource_id', 'errors']
const AT_ONCE = 5000
/** So that the report of the longest file fits into memory. */
const MOST_ERRORS = 500

type Report = { id: number; language: Language } & ReportFilters

export async function reportCsv(io: IoContext, { id, outcome, language }: Report): Promise<FileAnswer> {
  const recordOf = recordIn(language)
  const pieces = [Buffer.from(csvOf([HEAD]))]
  for (let line = 0, isLast = false; !isLast;) {
    const rows = await io.read(imports.rowsAfter(id, line, { outcome, limit: AT_ONCE }))
    pieces.push(Buffer.from(csvRecords(rows.map(recordOf))))
    line = rows.at(-1)?.line ?? line
    isLast = rows.length < AT_ONCE
  }
  return { content: Buffer.concat(pieces), contentType: CSV, fileName: `import-${id}.csv` }
}

const recordIn =
  (language: Language) =>
  (row: ImportedRow): string[] => {
    const { line, external_id, outcome, organization_id, resource_id } = row
    const problems = Object.entries(errorsIn(language, row) ?? {}).map(([field, problem]) => `${field}: ${problem}`)
    const ids = [organization_id ?? '', resource_id ?? ''].map(String)
    return [String(line), asText(external_id ?? ''), outcome, ...ids, asText(cut(problems.join('; '), MOST_ERRORS))]
  }
