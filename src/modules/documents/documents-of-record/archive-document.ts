// Archives a record's document when the record becomes final: first the bytes in both languages, then the rows about
// them. From then on the document never changes, whatever a later release would render (docs/decisions/0020).
import { keepOwnBytes, type OwnBytes, storeOwnBytes } from '#modules/documents/files/own-bytes.ts'
import { insert } from '#kernel/data/changes.ts'
import type { IoContext } from '#kernel/data/context.ts'
import { AppError } from '#kernel/values/errors.ts'
import type { Consumer } from '#kernel/data/events.ts'
import { type EventPayload, eventJobKind, type JobKind, jobKind } from '#kernel/data/job-kinds.ts'
import type { FileMaker } from '#http/features/file-bodies.ts'
import { enqueue, type Job, organizationJob } from '#kernel/jobs/jobs.ts'
import type { ReadPlan } from '#http/route.ts'
import type { EventType } from '#kernel/data/table.ts'
import { Id } from '#kernel/values/schema.ts'
import { SYSTEM_CALLER } from '#kernel/access/transactions.ts'
import { type Language, LANGUAGES } from '#texts/language.ts'
import { archivedDocumentsTable, type ArchivedResource } from './archived-document.ts'
import { archivedDocuments } from './queries.ts'

/** A kind of record with a document, for `served` and `archiving`. */
export type Archivable<Facts> = {
  resource: ArchivedResource
  /** The events after which a final version may exist, such as `[quotesTable.events.accepted]`. */
  events: readonly EventType[]
  /** Made by `parts(…)`. */
  facts: (org: number, id: number) => ReadPlan<Facts>
  make: FileMaker<Facts>['make']
  /** The final version that the record has reached, or null while it still changes. */
  version: (facts: Facts) => string | null
  /** The facts as of that version, for records that may have moved on since. */
  asOf?: (facts: Facts, version: string) => Facts
  /** The language of an answer: `languageFor(io, recipient)`, or the document's only one. */
  language: (io: IoContext, facts: Facts) => Language
  languages?: readonly Language[]
}

export const factsAsOf = <Facts>({ asOf }: Archivable<Facts>, facts: Facts, version: string | null): Facts =>
  version === null || !asOf ? facts : asOf(facts, version)

/**
 * Lets jobs that users wait for, such as the checkout of a quote, run first; until then the document is rendered live.
 */
const DELAY_SECONDS = 5

type RenderedFile = { language: Language; fileName: string; bytes: OwnBytes }
type RenderedVersion = { version: string; rendered: RenderedFile[] } | null
type RecordPayload = { resource_id: number }

/** The jobs that archive the documents of one kind of record, and their consumers. */
export function archiving<Facts>(archivable: Archivable<Facts>): { jobs: Job[]; consumers: Consumer[] } {
  const { resource, events } = archivable
  const plan = eventJobKind(`filed-documents/plan-${resource}`)
  const archive = jobKind(`filed-documents/file-${resource}`, { resource_id: Id })
  return {
    jobs: [planJob(plan, archive), archiveJob(archive, archivable)],
    consumers: events.map((event) => ({ event, job: plan })),
  }
}

const planJob = (plan: JobKind<EventPayload>, archive: JobKind<RecordPayload>): Job =>
  organizationJob(plan, {
    run: async (ctx, { payload: { resource_id } }) => {
      const key = `${archive.name}:${resource_id}:${ctx.organizationId}`
      const runAt = new Date(ctx.now.getTime() + DELAY_SECONDS * 1000)
      await enqueue(ctx, archive, { resource_id }, { key, runAt })
    },
  })

const archiveJob = <Facts>(archive: JobKind<RecordPayload>, archivable: Archivable<Facts>): Job =>
  organizationJob(archive, {
    before: async (io, { payload }) => render(io, archivable, payload.resource_id),
    run: async (ctx, { payload: { resource_id } }, prepared) => {
      if (!prepared) return
      const { resource } = archivable
      const { version } = prepared
      const there = await ctx.ask(archivedDocuments.of(ctx.organizationId, resource, resource_id))
      for (const { language, fileName: file_name, bytes } of prepared.rendered) {
        // Another run of this job has archived it meanwhile; the claim removes these bytes.
        if (there.some((one) => one.version === version && one.language === language)) continue
        await keepOwnBytes(ctx, bytes)
        const { size, sha256, storage_key } = bytes
        const about = { resource, resource_id, version, language, file_name }
        await insert(ctx, archivedDocumentsTable, { ...about, size, sha256, storage_key })
      }
    },
  })

async function render<Facts>(io: IoContext, archivable: Archivable<Facts>, id: number): Promise<RenderedVersion> {
  const found = await factsOf(io, archivable, id)
  const version = found ? archivable.version(found.facts) : null
  if (!found || version === null) return null
  const there = await io.read(archivedDocuments.of(io.organizationId ?? 0, archivable.resource, id))
  const rendered: RenderedFile[] = []
  for (const language of archivable.languages ?? LANGUAGES) {
    if (there.some((one) => one.version === version && one.language === language)) continue
    const inLanguage = { ...io, acceptLanguage: language }
    const { content, fileName } = await archivable.make(inLanguage, factsAsOf(archivable, found.facts, version))
    if (!Buffer.isBuffer(content)) throw new Error('only a document that is rendered can be archived')
    rendered.push({ language, fileName, bytes: await storeOwnBytes(io, content) })
  }
  return { version, rendered }
}

/** The facts as a request would read them; null when there is nothing to render. */
export async function factsOf<Facts>(
  io: IoContext,
  { facts }: Pick<Archivable<Facts>, 'facts'>,
  id: number,
): Promise<{ facts: Facts } | null> {
  const plan = facts(io.organizationId ?? 0, id)
  if (plan.kind !== 'parts') throw new Error('the facts of a document are made of parts')
  const found: unknown[][] = []
  for (const statement of plan.statements) found.push(await io.read(statement))
  try {
    return { facts: plan.shape(found, { ...io, caller: SYSTEM_CALLER, scopes: ['*'], role: 'owner' }) }
  } catch (error) {
    // The record is deleted, or not yet complete enough for a document.
    if (error instanceof AppError && (error.code === 'NOT_FOUND' || error.code === 'CONFLICT')) return null
    throw error
  }
}
