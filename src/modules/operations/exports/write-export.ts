// The job of an export: reads one snapshot of the database and streams it to the file store. Another try after a crash
// begins a new file; what the first one left is removed like an upload without a record.
import { staffStatement } from '#kernel/access/access-check.ts'
import { dropFile, keepVendorsFile, storeForVendor } from '#modules/documents/files/receive-upload.ts'
import type { IoContext, SystemContext } from '#kernel/data/context.ts'
import { type BoundTransactions, PermanentFailure } from '#kernel/jobs/jobs.ts'
import { daysLater } from '#kernel/values/time/calendar.ts'
import { tableWriter } from './table-file.ts'
import { zoneOf } from '#ports/ports.ts'
import { textsIn } from '#texts/catalogue.ts'
import { languageFrom } from '#texts/language.ts'
import { KEPT_DAYS, type WaitingExport } from './export.ts'
import type { ExportSource } from './export-source.ts'
import { exports, type WrittenFile } from './queries.ts'

/** Null when it has ended, or may not be written. */
export async function writeExport(
  io: IoContext,
  { id, sources }: { id: number; sources: readonly ExportSource[] },
  transactions: BoundTransactions,
): Promise<WrittenFile | null> {
  const [item] = await io.read(exports.begin(id, io.now))
  if (item?.status !== 'running') return null
  const source = sources.find(({ name }) => name === item.source)
  if (!source) throw new PermanentFailure(`nothing is exported as ${item.source} any more`)
  return transactions.readingAsSystem('an export reads one snapshot', async (ctx) => {
    await ctx.ask(staffStatement(item.created_by))
    let rows = 0
    const content = contentOf({ io, ctx }, source, item, (count) => (rows += count))
    return { ...(await storeForVendor(io, content)), rows }
  })
}

type Running = { io: IoContext; ctx: SystemContext }

async function* contentOf(
  { io, ctx }: Running,
  source: ExportSource,
  { format, filters, language, created_by }: WaitingExport,
  count: (rows: number) => void,
): AsyncGenerator<Buffer> {
  const timeZone = zoneOf(io.ports, 'entity_br')
  const titles = source.name.startsWith('reports/') ? textsIn(languageFrom(language, 'pt-BR')).reports : {}
  const { head, lines } = tableWriter(format, source.columns, { titles, timeZone })
  const asked = { ...io, org: 0, userId: created_by, sessionId: 0, organizations: null, company: null }
  yield Buffer.from(head)
  for await (const rows of source.rows(filters, asked, ctx.ask)) {
    count(rows.length)
    yield Buffer.from(lines(rows))
  }
}

export async function completeExport(ctx: SystemContext, id: number, written: WrittenFile | null): Promise<void> {
  if (!written) return
  const expiresAt = daysLater(ctx.now, KEPT_DAYS, 'UTC')
  const [done] = await ctx.ask(exports.complete(id, written, { now: ctx.now, expiresAt }))
  if (!done) return
  await keepVendorsFile(ctx, written)
  for (const { storage_key } of await ctx.ask(exports.endOlder(id, ctx.now))) await dropFile(ctx, storage_key)
}
