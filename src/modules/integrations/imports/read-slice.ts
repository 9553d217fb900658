// The job of an import: some lines, each in its own transaction, then the place up to which the file was read, then the
// next job. A job that is cut short reads its lines again, and finds those that it had written.
import type { IoContext, SystemContext } from '#kernel/data/context.ts'
import { first } from '#kernel/data/context.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { type BoundTransactions, enqueue } from '#kernel/jobs/jobs.ts'
import { Id } from '#kernel/values/schema.ts'
import { actingStaff } from '#modules/identity/staff/acting-staff.ts'
import { dropFile } from '#modules/documents/files/receive-upload.ts'
import { BrokenFile, type Entry, type Place } from './file-reading.ts'
import { IMPORT_KINDS } from './import-kinds.ts'
import { importRow } from './import-row.ts'
import type { ImportRow } from './import.ts'
import { knownFor } from './known-records.ts'
import { imports } from './queries.ts'
import { csvEntries } from './read-csv.ts'
import { ndjsonEntries } from './read-ndjson.ts'
import { type Line, refused, resolveRow } from './resolve-row.ts'

export const readImport = jobKind('imports/read', { import_id: Id })

export const enqueueReading = (ctx: SystemContext, id: number): Promise<void> =>
  enqueue(ctx, readImport, { import_id: id }, { key: `${readImport.name}:${id}` })

const SLICE_LINES = 200
const SLICE_BYTES = 4_194_304
const MOST_LINES = 250_000

/** Null when the import has ended. */
export type Progress = { from: Place; to: Place; end: { problem: string | null } | null } | null

export async function readSlice(io: IoContext, id: number, transactions: BoundTransactions): Promise<Progress> {
  const [item] = await io.read(imports.one(id))
  if (!item || item.ended_at !== null) return null
  const from = { position: item.position, line: item.line }
  // Whoever asked for the import stands in the audit log. A role that was taken away ends it.
  const caller = await actingStaff(io, item.created_by, IMPORT_KINDS[item.kind].scopes)
  if (!caller) return { from, to: from, end: { problem: `${item.created_by_name} may not import any more` } }
  const { entries, broken, isLast } = await takeSlice(io, item)
  const known = await knownFor(io, item, entries)
  const lines = entries
    .filter(({ line }) => !known.done.has(line))
    .map((entry) => resolveRow(item, known, { entry, at: io }))
  const scene = { io, transactions: transactions.as(caller), item, holders: await holdersFor(io, lines) }
  const reports = await inLanes(lines, (line) => importRow(scene, line))
  const reported = reports.filter((report) => report !== null)
  if (broken && broken.line !== null) reported.push(refused({ line: broken.line, values: {} }, { row: broken.problem }))
  if (reported.length > 0) await io.read(imports.addRows(id, reported))
  const last = entries.at(-1)
  const read = last ? { position: last.end, line: last.lastLine } : from
  const to = broken ? { ...read, line: Math.max(read.line, broken.line ?? 0) } : read
  return { from, to, end: broken ? { problem: broken.message } : isLast ? { problem: null } : null }
}

/** The earlier lines of the file that have what these are to take. */
async function holdersFor({ read }: IoContext, lines: readonly Line[]): Promise<Map<string, number>> {
  const keys = lines.flatMap(({ resolved }) => resolved?.keys.map(({ key }) => key) ?? [])
  const found = keys.length > 0 ? await read(imports.holdersOf(keys)) : []
  return new Map(found.map(({ key, line }) => [key, line]))
}

const LANES = 4

/** Some at once, but those of one organization, or that take the same, one after the other as in the file. */
async function inLanes<Result>(lines: readonly Line[], work: (line: Line) => Promise<Result>): Promise<Result[]> {
  const lanes = Array.from({ length: LANES }, () => ({ length: 0, end: Promise.resolve<unknown>(null) }))
  const laneOf = new Map<string, (typeof lanes)[number]>()
  const latest = new Map<string, Promise<unknown>>()
  const results = lines.map((line) => {
    const { target, keys } = line.resolved ?? { keys: [] }
    const common = [...(target?.organizationId ? [`${target.organizationId}`] : []), ...keys.map(({ key }) => key)]
    const shortest = lanes.reduce((one, other) => (other.length < one.length ? other : one))
    const lane = common.map((one) => laneOf.get(one)).find((one) => one !== undefined) ?? shortest
    const result = Promise.all([lane.end, ...common.map((one) => latest.get(one))]).then(() => work(line))
    lane.length += 1
    lane.end = result
    for (const one of common) {
      laneOf.set(one, lane)
      latest.set(one, result)
    }
    return result
  })
  const ended = await Promise.allSettled(results)
  return ended.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}

type Slice = { entries: Entry[]; broken: BrokenFile | null; isLast: boolean }

async function takeSlice({ ports }: IoContext, item: ImportRow): Promise<Slice> {
  const { size, position, storage_key, line } = item
  const entries: Entry[] = []
  if (position >= size) return { entries, broken: null, isLast: true }
  if (line >= MOST_LINES)
    return { entries, broken: new BrokenFile(null, `a file may have ${MOST_LINES} lines; split it`), isLast: true }
  const stored = await ports.files.get(storage_key ?? '', { start: position, end: size - 1 })
  if (!stored) return { entries, broken: new BrokenFile(null, 'the file is gone'), isLast: true }
  try {
    for await (const entry of entriesOf(stored.content, item)) {
      entries.push(entry)
      if (entries.length >= SLICE_LINES || entry.end - position >= SLICE_BYTES)
        return { entries, broken: null, isLast: false }
    }
    return { entries, broken: null, isLast: true }
  } catch (error) {
    if (error instanceof BrokenFile) return { entries, broken: error, isLast: true }
    throw error
  } finally {
    stored.content.destroy()
  }
}

function entriesOf(content: AsyncIterable<Buffer>, item: ImportRow): AsyncGenerator<Entry> {
  const { layout, mapping, kind } = item
  return layout
    ? csvEntries(content, { layout, mapping, fields: IMPORT_KINDS[kind].fields }, item)
    : ndjsonEntries(content, mapping, item)
}

/** In the transaction that ends the job. */
export async function advance(ctx: SystemContext, id: number, progress: Progress): Promise<void> {
  if (!progress) return
  const { from, to, end } = progress
  const item = await first(ctx, imports.advance(id, from, to, ctx.now))
  if (!item || item.ended_at !== null) return
  if (!end) return enqueueReading(ctx, id)
  await ctx.ask(
    imports.end(id, { status: end.problem === null ? 'completed' : 'failed', problem: end.problem, now: ctx.now }),
  )
  if (item.storage_key !== null) await dropFile(ctx, item.storage_key)
}
