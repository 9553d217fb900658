// The job of an organization's export of its audit log: reads one snapshot, and streams it to the file store. Another
// try begins a new file; what the first one left is removed like an upload without a record.
import { dropFile, keepVendorsFile, storeForVendor } from '#modules/documents/files/receive-upload.ts'
import { update } from '#kernel/data/changes.ts'
import { first, type IoContext, type OrganizationContext, type SystemContext } from '#kernel/data/context.ts'
import type { BoundTransactions } from '#kernel/jobs/jobs.ts'
import { daysLater } from '#kernel/values/time/calendar.ts'
import { columnsOf, tableWriter } from '#modules/operations/exports/table-file.ts'
import { type AuditExport, auditExportsTable, KEPT_DAYS } from './audit-export.ts'
import { auditExports, type EndedExport } from './export-queries.ts'
import { visibleSealedEntries } from './sealed-entries.ts'
import { SealedEntry } from './sealed-entry.ts'

type ExportReference = { organization_id: number; export_id: number }
type RowCount = { rows: number; last_id: number | null }
type WrittenExport = Awaited<ReturnType<typeof storeForVendor>> & RowCount

/** Null when it has ended. */
export async function writeAuditExport(
  io: IoContext,
  { organization_id, export_id }: ExportReference,
  { snapshot }: BoundTransactions,
): Promise<WrittenExport | null> {
  const [asked] = await io.read(auditExports.one(organization_id, export_id))
  if (asked?.status !== 'queued' && asked?.status !== 'failed') return null
  return snapshot(organization_id, async (ask) => {
    const counted: RowCount = { rows: 0, last_id: null }
    const entries = visibleSealedEntries(ask, organization_id, asked.after_id)
    return { ...(await storeForVendor(io, contentOf(entries, asked.format, counted))), ...counted }
  })
}

async function* contentOf(
  entries: AsyncIterable<SealedEntry[]>,
  format: AuditExport['format'],
  counted: RowCount,
): AsyncGenerator<Buffer> {
  const { head, lines } = tableWriter(format, columnsOf(SealedEntry.properties), { titles: {}, timeZone: 'UTC' })
  yield Buffer.from(head)
  for await (const some of entries) {
    counted.rows += some.length
    counted.last_id = some.findLast(({ hash }) => hash !== null)?.id ?? counted.last_id
    yield Buffer.from(lines(some))
  }
}

export async function completeAuditExport(
  ctx: SystemContext,
  { organization_id, export_id }: ExportReference,
  written: WrittenExport | null,
): Promise<void> {
  if (!written) return
  const inside = await ctx.enter(organization_id)
  const asked = await first(inside, auditExports.lock(organization_id, export_id))
  // The claim of another try's file stays, and removes it.
  if (asked?.status !== 'queued' && asked?.status !== 'failed') return
  await keepVendorsFile(inside, written)
  const { claim: _, ...file } = written
  const ended_at = ctx.now.toISOString()
  const expires_at = daysLater(ctx.now, KEPT_DAYS, 'UTC').toISOString()
  await update(inside, auditExportsTable, export_id, { status: 'completed', ...file, ended_at, expires_at })
  for (const older of await inside.ask(auditExports.older(organization_id))) await expireAuditExport(inside, older)
}

export async function expireAuditExport(ctx: OrganizationContext, { id, storage_key }: EndedExport): Promise<void> {
  const expired = { status: 'expired', storage_key: null } as const
  await update(ctx, auditExportsTable, id, expired)
  if (storage_key !== null) await dropFile(ctx, storage_key)
}
