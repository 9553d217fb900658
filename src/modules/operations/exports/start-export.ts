// POST /admin/exports: notes what is asked for; a job writes the file.
import { createHash } from 'node:crypto'
import { serviceChange } from '#kernel/data/audit/audit.ts'
import { one, type SystemContext } from '#kernel/data/context.ts'
import { conflict, forbidden, invalid } from '#kernel/values/errors.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { wholeScene } from '#modules/operations/reports/report.ts'
import { Id } from '#kernel/values/schema.ts'
import { type Export, MOST_UNFINISHED, type NewExport } from './export.ts'
import type { ExportSource } from './export-source.ts'
import { exports } from './queries.ts'

export const writeExportJob = jobKind('exports/write', { export_id: Id })

/** One export is written at a time, so that they never take more than one connection and one snapshot. */
const ONE_AT_A_TIME = { key: writeExportJob.name }

export async function startExport(
  ctx: SystemContext,
  sources: readonly ExportSource[],
  { source: name, filters = {}, format }: NewExport,
): Promise<Export> {
  const { caller, now, settings } = ctx
  const { userId, permissions: held = [] } = caller
  const source = sources.find((other) => other.name === name)
  if (userId === null || source === undefined) throw invalid({ source: 'is exported to people only' })
  const needed = source.permissions(filters)
  const missing = needed.find((permission) => !held.includes(permission))
  if (missing) throw forbidden('scope_missing', `Scope not authorized: ${missing}`)
  const problems = source.problems(filters, wholeScene({ now, settings }))
  if (problems) throw invalid(inFilters(problems))
  await ctx.ask(exports.lock(userId))
  const { count } = await one(ctx, exports.unfinished(userId))
  if (count >= MOST_UNFINISHED)
    throw conflict('limit_reached', `There are ${MOST_UNFINISHED} exports that are not written yet, the maximum`)
  const asked = { source: name, filters, format }
  const digest = createHash('sha256').update(JSON.stringify(asked)).digest('hex')
  const by = { created_by: userId, created_by_name: caller.name, language: caller.language }
  const row = { ...asked, ...by, permissions: needed, digest }
  const { id, is_new } = await one(ctx, exports.add(row, now))
  if (is_new) {
    await ctx.ask(serviceChange(ctx, 'created', { resource: 'export', id, before: null, after: asked }))
    await enqueue(ctx, writeExportJob, { export_id: id }, ONE_AT_A_TIME)
  }
  return one(ctx, exports.one(userId, id))
}

const inFilters = (problems: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(problems).map(([name, problem]) => [`filters.${name}`, problem]))
