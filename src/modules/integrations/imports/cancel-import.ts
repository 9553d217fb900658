// POST /admin/imports/{id}/cancel: no further lines are imported; what was imported stays.
import { dropFile } from '#modules/documents/files/receive-upload.ts'
import { serviceChange } from '#kernel/data/audit/audit.ts'
import { first, one, type SystemContext } from '#kernel/data/context.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import type { Import } from './import.ts'
import { assertMayImport } from './import-kinds.ts'
import { imports } from './queries.ts'

export async function cancelImport(ctx: SystemContext, id: number): Promise<Import> {
  const item = await first(ctx, imports.forChange(id))
  if (!item) throw notFound()
  assertMayImport(ctx, item.kind)
  const { status, storage_key } = item
  if (item.ended_at !== null || storage_key === null)
    throw conflict('status_not_allowed', `An import that is ${status} cannot be cancelled`)
  await ctx.ask(imports.end(id, { status: 'cancelled', problem: null, now: ctx.now }))
  await dropFile(ctx, storage_key)
  const change = { resource: 'import', id, before: { status }, after: { status: 'cancelled' } }
  await ctx.ask(serviceChange(ctx, 'cancelled', change))
  return one(ctx, imports.view(id))
}
