// GET /admin/imports/{id}/report: the report on each line as a CSV.
import type { IoContext } from '#kernel/data/context.ts'
import type { FileAnswer } from '#http/features/file-bodies.ts'
import { asText, CSV, csvOf, csvRecords } from '#kernel/values/text/csv.ts'
import { cut } from '#kernel/values/text/text.ts'
import type { ImportedRow, ReportFilters } from './import.ts'
import { imports } from './queries.ts'

const HEAD = ['line', 'external_id', 'outcome', 'organization_id', 'resource_id', 'errors']
const AT_ONCE = 5000
/** So that the report of the longest file fits into memory. */
const MOST_ERRORS = 500

export async function reportCsv(io: IoContext, { id, outcome }: { id: number } & ReportFilters): Promise<FileAnswer> {
  const pieces = [Buffer.from(csvOf([HEAD]))]
  for (let line = 0, isLast = false; !isLast;) {
    const rows = await io.read(imports.rowsAfter(id, line, { outcome, limit: AT_ONCE }))
    pieces.push(Buffer.from(csvRecords(rows.map(recordOf))))
    line = rows.at(-1)?.line ?? line
    isLast = rows.length < AT_ONCE
  }
  return { content: Buffer.concat(pieces), contentType: CSV, fileName: `import-${id}.csv` }
}

function recordOf({ line, external_id, outcome, organization_id, resource_id, errors }: ImportedRow): string[] {
  const problems = Object.entries(errors ?? {}).map(([field, problem]) => `${field}: ${problem}`)
  const ids = [organization_id ?? '', resource_id ?? ''].map(String)
  return [String(line), asText(external_id ?? ''), outcome, ...ids, asText(cut(problems.join('; '), MOST_ERRORS))]
}
