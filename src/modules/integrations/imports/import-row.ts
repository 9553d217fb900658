// One line of an import, written as it was resolved. The record, its external id and its line in the report are one
// transaction.
import type { IoContext, OrganizationContext, SystemContext } from '#kernel/data/context.ts'
import { AppError, sqlState } from '#kernel/values/errors.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import type { BoundTransactions } from '#kernel/jobs/jobs.ts'
import type { ImportRow } from './import.ts'
import { imports, type ReportLine } from './queries.ts'
import { again, isOfLine, type Line, refused, type ResolvedRow } from './resolve-row.ts'

export type Scene = {
  io: IoContext
  transactions: BoundTransactions
  item: ImportRow
  /** The lines of this file that became a record, or in a dry run would become one, by their keys. */
  holders: Map<string, number>
}

/** What is to be reported of the line; null when that was written with its record. */
export async function importRow(scene: Scene, { entry, report, resolved }: Line): Promise<ReportLine | null> {
  if (!resolved) return report
  const { holders } = scene
  const taken: Fields = {}
  for (const { field, key } of resolved.keys) {
    const holder = holders.get(key)
    if (holder !== undefined && holder !== entry.line) taken[field] = isOfLine(holder)
  }
  if (Object.keys(taken).length > 0) return refused(entry, taken)
  try {
    const written = await write(scene, entry.line, resolved)
    if (!written || written.outcome === 'created') for (const { key } of resolved.keys) holders.set(key, entry.line)
    return written
  } catch (error) {
    return refused(entry, fieldsOf(error))
  }
}

/** Thrown so that the transaction is rolled back. */
class DryRun extends Error {}
/** Another import made the record meanwhile. */
class Overtaken extends Error {}

async function write(scene: Scene, line: number, resolved: ResolvedRow): Promise<ReportLine | null> {
  const { io, item } = scene
  const { row, target, digest } = resolved
  const { external_id } = row.references
  try {
    await inTransaction(scene, line, resolved)
    return null
  } catch (error) {
    if (error instanceof DryRun) {
      const record = { organization_id: target.organizationId || null, record_id: null }
      return { line, external_id, outcome: 'created', errors: null, ...record, keys: keysOf(resolved) }
    }
    // Another import may have made the record meanwhile, which then has what this line was to take.
    const [before] = await io.read(imports.found(item.source, [{ kind: item.kind, external_id }]))
    if (before) return again(line, before, digest)
    throw error
  }
}

/** Null without any, as lines without keys are not in their index. */
const keysOf = ({ keys }: ResolvedRow) => (keys.length > 0 ? keys.map(({ key }) => key) : null)

async function inTransaction({ io, transactions, item }: Scene, line: number, resolved: ResolvedRow): Promise<void> {
  const { row, target, digest } = resolved
  const { organizationId, named } = target
  const { external_id } = row.references
  const keep = async (ctx: OrganizationContext | SystemContext, organization_id: number | null, record_id: number) => {
    const { id: importId, kind, source, dry_run } = item
    const record = { source, kind, external_id, record_id, digest }
    const [claimed] = await ctx.ask(imports.claim(organization_id, record, { importId, now: io.now }))
    if (!claimed) throw new Overtaken()
    if (dry_run) throw new DryRun()
    const made = { organization_id, record_id, keys: keysOf(resolved) }
    ctx.write(imports.addRows(importId, [{ line, external_id, outcome: 'created', errors: null, ...made }]))
  }
  if (row.open)
    return transactions.asSystem('an organization is made', async (ctx) => {
      const inside = await row.open(ctx)
      await keep(inside, inside.organizationId, inside.organizationId)
    })
  const { add } = row
  if (add)
    return transactions.asSystem('a product belongs to no organization', async (ctx) => keep(ctx, null, await add(ctx)))
  const create = await row.prepare({ io, inside: io.within(organizationId), dryRun: item.dry_run })
  return transactions.inOrganization(organizationId, async (ctx) => keep(ctx, organizationId, await create(ctx, named)))
}

/** Throws what is no fault of the line: the job tries again. */
function fieldsOf(error: unknown): Fields {
  if (error instanceof AppError && !TROUBLES.includes(error.code)) return error.details.fields ?? { row: error.message }
  // The database refuses the values: out of range, or against a constraint.
  if (/^2[23]/.test(sqlState(error) ?? '')) return { row: 'cannot be stored' }
  throw error
}

const TROUBLES: readonly string[] = ['SERVICE_UNAVAILABLE', 'INTERNAL_ERROR', 'RATE_LIMIT']
