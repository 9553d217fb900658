// One line of an import: found again, refused, or written. The record, its external id and its line in the report are one
// transaction.
import { createHash } from 'node:crypto'
import type { IoContext, OrganizationContext } from '#kernel/data/context.ts'
import { AppError, sqlState } from '#kernel/http/errors.ts'
import type { Fields } from '#kernel/http/problems.ts'
import type { BoundTransactions } from '#kernel/jobs/jobs.ts'
import { cut, storable } from '#kernel/values/text.ts'
import type { Entry } from './file-reading.ts'
import type { ImportRow } from './import.ts'
import { IMPORT_KINDS } from './import-kinds.ts'
import type { Known } from './known-records.ts'
import { type Imported, imports, type Reported } from './queries.ts'
import type { ReadRow, References } from './row-kind.ts'

export type Scene = { io: IoContext; transactions: BoundTransactions; item: ImportRow; known: Known }

/** What is to be reported of the line; null when that was written with its record. */
export async function importRow(scene: Scene, entry: Entry): Promise<Reported | null> {
  const { item, known, io } = scene
  const { values, line } = entry
  if (entry.problems['row'] !== undefined) return refused(entry, entry.problems)
  const { value: row, problems } = IMPORT_KINDS[item.kind].read(values, io.now)
  const unread = { ...problems, ...entry.problems }
  if (!row || Object.keys(unread).length > 0) return refused(entry, unread)
  const { external_id } = row.references
  const earlier = known.lineOf(external_id) ?? line
  if (earlier < line) return refused(entry, { external_id: `is that of line ${earlier}` })
  const digest = digestOf(values)
  const before = known.imported(item.kind, external_id)
  if (before) return again(line, before, digest)
  const target = targetOf(row.references, known)
  if (target.problems) return refused(entry, target.problems)
  try {
    return await write(scene, { row, target, line, digest })
  } catch (error) {
    return refused(entry, fieldsOf(error))
  }
}

export function refused({ line, values }: Pick<Entry, 'line' | 'values'>, errors: Fields): Reported {
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

function again(line: number, { digest: was, ...record }: Omit<Imported, 'kind'>, digest: string): Reported {
  const { external_id, organization_id, record_id } = record
  const differs = digest !== was
  const errors = differs ? { external_id: 'was imported with other values, and was left as it is' } : null
  return { line, external_id, outcome: differs ? 'differs' : 'unchanged', errors, organization_id, record_id }
}

type Target = { organizationId: number; entitlementId: number; problems?: never } | { problems: Fields }

function targetOf(named: References, known: Known): Target {
  const organization = known.imported('organizations', named.organization_external_id)
  const organizationId = named.organization_id ?? organization?.organization_id ?? 0
  const entitlement = known.imported('entitlements', named.entitlement_external_id)
  const isOfOrganization = entitlement?.organization_id === organizationId
  const problems: Fields = {
    ...(named.organization_external_id !== undefined && !organization && { organization_external_id: UNKNOWN }),
    ...(named.organization_id !== undefined &&
      !known.isLiving(organizationId) && { organization_id: 'names no organization' }),
    ...(organization && !known.isLiving(organizationId) && { organization_external_id: 'is deleted here' }),
    ...(named.entitlement_external_id !== undefined && !isOfOrganization && { entitlement_external_id: UNKNOWN }),
  }
  if (Object.keys(problems).length > 0) return { problems }
  return { organizationId, entitlementId: named.entitlement_id ?? entitlement?.record_id ?? 0 }
}

const UNKNOWN = 'names nothing that was imported from this source'

type Writing = {
  row: ReadRow
  target: { organizationId: number; entitlementId: number }
  line: number
  digest: string
}

/** Thrown so that the transaction is rolled back. */
class DryRun extends Error {}
/** Another import made the record meanwhile. */
class Overtaken extends Error {}

async function write(scene: Scene, writing: Writing): Promise<Reported | null> {
  const { io, item } = scene
  const { row, line, digest } = writing
  const { external_id } = row.references
  try {
    await inTransaction(scene, writing)
    return null
  } catch (error) {
    if (error instanceof DryRun)
      return {
        line,
        external_id,
        outcome: 'created',
        errors: null,
        organization_id: writing.target.organizationId || null,
        record_id: null,
      }
    const [before] =
      error instanceof Overtaken ? await io.read(imports.found(item.source, [{ kind: item.kind, external_id }])) : []
    if (before) return again(line, before, digest)
    throw error
  }
}

async function inTransaction({ io, transactions, item }: Scene, { row, target, line, digest }: Writing): Promise<void> {
  const { organizationId, entitlementId } = target
  const { external_id } = row.references
  const keep = async (ctx: OrganizationContext, record_id: number) => {
    const { id: importId, kind, source, dry_run } = item
    const record = { source, kind, external_id, record_id, digest }
    const [claimed] = await ctx.ask(imports.claim(ctx.organizationId, record, { importId, now: io.now }))
    if (!claimed) throw new Overtaken()
    if (dry_run) throw new DryRun()
    const organization_id = ctx.organizationId
    ctx.write(
      imports.addRows(importId, [{ line, external_id, outcome: 'created', errors: null, organization_id, record_id }]),
    )
  }
  if (row.open)
    return transactions.asSystem('an organization is made', async (ctx) => {
      const inside = await row.open(ctx)
      await keep(inside, inside.organizationId)
    })
  const create = await row.prepare({ io, inside: io.within(organizationId), dryRun: item.dry_run })
  return transactions.inOrganization(organizationId, async (ctx) => keep(ctx, await create(ctx, entitlementId)))
}

/** Throws what is no fault of the line: the job tries again. */
function fieldsOf(error: unknown): Fields {
  if (error instanceof AppError && !TROUBLES.includes(error.code)) return error.details.fields ?? { row: error.message }
  // The database refuses the values: out of range, or against a constraint.
  if (/^2[23]/.test(sqlState(error) ?? '')) return { row: 'cannot be stored' }
  throw error
}

const TROUBLES: readonly string[] = ['SERVICE_UNAVAILABLE', 'INTERNAL_ERROR', 'RATE_LIMIT']

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
