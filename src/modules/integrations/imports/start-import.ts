// POST /admin/imports: keeps the file, looks at its beginning, and leaves the rest to a job.
import { keepVendorsFile, receiveFile, type ReceivedFile } from '#modules/documents/files/receive-upload.ts'
import { serviceChange } from '#kernel/data/audit/audit.ts'
import { type IoContext, one, type SystemContext } from '#kernel/data/context.ts'
import { invalid } from '#kernel/values/errors.ts'
import type { IncomingFile } from '#http/features/file-bodies.ts'
import type { Rules } from '#http/route.ts'
import { Readable } from 'node:stream'
import type { Import, Kind, NewImport } from './import.ts'
import { assertMayImport, IMPORT_KINDS } from './import-kinds.ts'
import { beginningOf, HEAD_BYTES, layoutOf } from './layout-of.ts'
import { mappingOf } from './mapping.ts'
import { imports } from './queries.ts'
import { enqueueReading } from './read-slice.ts'

export type ReceivedImport = ReceivedFile & { head: Buffer }

export async function receiveImport(io: IoContext, file: IncomingFile): Promise<ReceivedImport> {
  const beginning: Buffer[] = []
  let length = 0
  async function* watched(): AsyncIterable<Buffer> {
    for await (const chunk of file.stream) {
      const bytes: Buffer = chunk
      if (length < HEAD_BYTES) beginning.push(bytes)
      length += bytes.length
      yield bytes
    }
  }
  const received = await receiveFile(io, { ...file, stream: Readable.from(watched()) }, 'vendor')
  return { ...received, head: Buffer.concat(beginning).subarray(0, HEAD_BYTES) }
}

const OF_CSV = ['delimiter', 'encoding', 'decimal_separator', 'date_format']

export const importRules: Rules<NewImport> = ({ format, kind, mapping }, { isGiven, now }) => ({
  ...(format === 'ndjson' &&
    Object.fromEntries(
      OF_CSV.filter(isGiven).map((field) => [field, 'is for a CSV; NDJSON has the forms of the API']),
    )),
  ...(mapping !== undefined && kind !== undefined && mappingOf(mapping, fieldsOf(kind), now).problems),
})

const fieldsOf = (kind: Kind): string[] => Object.keys(IMPORT_KINDS[kind].fields)

export async function startImport(ctx: SystemContext, body: NewImport, received: ReceivedImport): Promise<Import> {
  const { userId, name: created_by_name } = ctx.caller
  if (userId === null) throw invalid({ file: 'is taken from people only' })
  assertMayImport(ctx, body.kind)
  const { head, name: file_name, size, sha256, storage_key } = received
  const { kind, format, source, dry_run = false } = body
  const known = fieldsOf(kind)
  const { mapping = null } = body.mapping === undefined ? {} : mappingOf(body.mapping, known, ctx.now)
  const { layout, place } =
    format === 'csv' ? await layoutOf(head, body, { known, mapping }) : { layout: null, place: beginningOf(head) }
  await keepVendorsFile(ctx, received)
  const asked = { kind, format, source, dry_run, file_name, size, sha256 }
  const by = {
    created_by: userId,
    created_by_name,
    created_at: ctx.now.toISOString(),
    updated_at: ctx.now.toISOString(),
  }
  const added = await one(ctx, imports.add({ ...asked, layout, mapping, storage_key, ...place, ...by }))
  await ctx.ask(serviceChange(ctx, 'created', { resource: 'import', id: added.id, before: null, after: asked }))
  await enqueueReading(ctx, added.id)
  return one(ctx, imports.view(added.id))
}
