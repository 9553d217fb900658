// One line of an import before it is written: refused, found again, or resolved to the records that it names and to
// what no other line of the file may take.
import { createHash } from 'node:crypto'
import type { IoContext } from '#kernel/data/context.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import { cut, storable } from '#kernel/values/text/text.ts'
import type { Entry } from './file-reading.ts'
import type { ImportRow } from './import.ts'
import { IMPORT_KINDS } from './import-kinds.ts'
import type { KnownRecords } from './known-records.ts'
import type { ImportedRecord, ReportLine } from './queries.ts'
import type { RecordIds, ReadRow, References } from './row-kind.ts'
import { timesOfDays } from './times-of-days.ts'

/** `keys`: digests of what no other line of the file may take, by field. */
export type ResolvedRow = {
  row: ReadRow
  target: { organizationId: number; named: RecordIds }
  digest: string
  keys: readonly { field: string; key: string }[]
}
export type Line = { entry: Entry } & (
  | { report: ReportLine; resolved?: never }
  | { report?: never; resolved: ResolvedRow }
)

type At = Pick<IoContext, 'now' | 'ports'>

export function resolveRow(item: ImportRow, known: KnownRecords, { entry, at }: { entry: Entry; at: At }): Line {
  const { values, line } = entry
  const refuse = (errors: Fields): Line => ({ entry, report: refused(entry, errors) })
  if (entry.problems['row'] !== undefined) return refuse(entry.problems)
  const { value: row, problems } = IMPORT_KINDS[item.kind].read(item.layout ? timed(values, known, at) : values, at.now)
  const unread = { ...problems, ...entry.problems }
  if (!row || Object.keys(unread).length > 0) return refuse(unread)
  const { external_id } = row.references
  const earlier = known.lineOf(external_id) ?? line
  if (earlier < line) return refuse({ external_id: isOfLine(earlier) })
  const digest = digestOf(values)
  const before = known.imported(item.kind, external_id)
  if (before) return { entry, report: again(line, before, digest) }
  const target = targetOf(row.references, known)
  if (target.problems) return refuse(target.problems)
  const keys = row
    .uniqueIn(known.living(target.organizationId), target.named)
    .map(({ field, value, isOfOrganization }) => ({
      field,
      key: keyOf([item.id, isOfOrganization ? target.organizationId : 0, field, value]),
    }))
  return { entry, resolved: { row, target, digest, keys } }
}

/** Days become times; the other forms have times only. */
function timed(values: Record<string, unknown>, known: KnownRecords, { now, ports }: At): Record<string, unknown> {
  const { organization_id: id, organization_external_id } = values
  const organizationId = known.imported('organizations', organization_external_id)?.organization_id ?? id
  return timesOfDays(values, known.living(typeof organizationId === 'number' ? organizationId : 0), {
    now,
    settings: ports.settings,
  })
}

export const isOfLine = (line: number): string => `is that of line ${line}`

/** With the import, so that the keys of all imports have one index. */
const keyOf = (parts: readonly (string | number)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

export function refused({ line, values }: Pick<Entry, 'line' | 'values'>, errors: Fields): ReportLine {
  const { external_id } = values
  const externalId = typeof external_id === 'string' ? cut(storable(external_id), 255) : null
  const nothing = { organization_id: null, record_id: null }
  return { line, external_id: externalId, outcome: 'refused', errors: shortened(errors), ...nothing }
}

const MOST_ERRORS = 20
const LONGEST = 200

/** A line may have a thousand unknown fields with long names. */
const shortened = (errors: Fields): Fields =>
  Object.fromEntries(
    Object.entries(errors)
      .slice(0, MOST_ERRORS)
      .map(([field, problem]) => [cut(storable(field), LONGEST), cut(storable(problem), LONGEST)]),
  )

export function again(
  line: number,
  { digest: was, ...record }: Omit<ImportedRecord, 'kind'>,
  digest: string,
): ReportLine {
  const { external_id, organization_id, record_id } = record
  const differs = digest !== was
  const errors = differs ? { external_id: 'was imported with other values, and was left as it is' } : null
  return { line, external_id, outcome: differs ? 'differs' : 'unchanged', errors, organization_id, record_id }
}

type Target = { organizationId: number; named: RecordIds; problems?: never } | { problems: Fields }

function targetOf(names: References, known: KnownRecords): Target {
  const organization = known.imported('organizations', names.organization_external_id)
  const organizationId = names.organization_id ?? organization?.organization_id ?? 0
  const of = (kind: 'entitlements' | 'invoices', externalId: string | undefined) => {
    const record = known.imported(kind, externalId)
    return record?.organization_id === organizationId ? record : undefined
  }
  const entitlement = of('entitlements', names.entitlement_external_id)
  const invoice = of('invoices', names.invoice_external_id)
  const problems: Fields = {
    ...(names.organization_external_id !== undefined && !organization && { organization_external_id: UNKNOWN }),
    ...(names.organization_id !== undefined &&
      !known.living(organizationId) && { organization_id: 'names no organization' }),
    ...(organization && !known.living(organizationId) && { organization_external_id: 'is deleted here' }),
    ...(names.entitlement_external_id !== undefined && !entitlement && { entitlement_external_id: UNKNOWN }),
    ...(names.invoice_external_id !== undefined && !invoice && { invoice_external_id: UNKNOWN }),
  }
  if (Object.keys(problems).length > 0) return { problems }
  const named = {
    entitlementId: names.entitlement_id ?? entitlement?.record_id ?? null,
    invoiceId: names.invoice_id ?? invoice?.record_id ?? null,
  }
  return { organizationId, named }
}

const UNKNOWN = 'names nothing that was imported from this source'

/** Of the values alone, so that the same record has it in CSV and in NDJSON. */
const digestOf = (values: Record<string, unknown>): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(values)))
    .digest('hex')

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  )
}
