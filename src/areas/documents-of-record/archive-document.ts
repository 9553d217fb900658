// Files a record's document when the record becomes final: both languages, bytes first, then the row that says what they
// are. From then on the document never changes, whatever a later release would draw (docs/decisions/0020).
import { keepOwnBytes, type OwnBytes, storeOwnBytes } from '#areas/files/own-bytes.ts'
import { insert } from '#kernel/data/changes.ts'
import type { IoContext } from '#kernel/data/context.ts'
import { AppError } from '#kernel/http/errors.ts'
import type { Consumer } from '#kernel/jobs/events.ts'
import type { FileMaker } from '#kernel/http/file-bodies.ts'
import { enqueue, type Job, organizationJob } from '#kernel/jobs/jobs.ts'
import type { ReadPlan } from '#kernel/http/route.ts'
import { SYSTEM_CALLER } from '#kernel/data/transactions.ts'
import { type Language, LANGUAGES } from '#texts/language.ts'
import { filedDocumentsTable, type FiledResource } from './archived-document.ts'
import { filedDocuments } from './queries.ts'

/** One kind of record with a document: what `served`, `filingJobs` and `filingConsumers` need to know of it. */
export type Fileable<Facts> = {
  resource: FiledResource
  /** After which events a version may have been reached: `['accepted']` for `titular/quote/accepted`. */
  events: readonly string[]
  /** Made by `parts(…)`. */
  facts: (org: number, id: number) => ReadPlan<Facts>
  make: FileMaker<Facts>['make']
  /** The final version that the record has reached, or null while it still changes. */
  version: (facts: Facts) => string | null
  /** The facts as they belong to that version, where the record has gone on meanwhile. */
  asOf?: (facts: Facts, version: string) => Facts
  /** The reader's: `languageFor(outside, recipient)`; or the only one that there is. */
  language: (outside: IoContext, facts: Facts) => Language
  languages?: readonly Language[]
}

export const factsAsOf = <Facts>({ asOf }: Fileable<Facts>, facts: Facts, version: string | null): Facts =>
  version === null || !asOf ? facts : asOf(facts, version)

const jobOf = (resource: FiledResource): string => `filed-documents/file-${resource}`
const laterOf = (resource: FiledResource): string => `filed-documents/plan-${resource}`
/** What somebody waits for, such as the checkout of a quote, goes first; until then the document is drawn live. */
const DELAY_SECONDS = 5

export const filingConsumers = <Facts>({ resource, events }: Fileable<Facts>): Consumer[] =>
  events.map((event): Consumer => ({ event: `titular/${resource}/${event}`, job: laterOf(resource) }))

type Drawn = { language: Language; fileName: string; bytes: OwnBytes }
type Seen = { version: string; drawn: Drawn[] } | null

export const filingJobs = <Facts>(fileable: Fileable<Facts>): Job[] => [planJob(fileable.resource), fileJob(fileable)]

const planJob = (resource: FiledResource): Job =>
  organizationJob({
    kind: laterOf(resource),
    run: async (ctx, { payload }) => {
      const id = payload['resource_id']
      const key = `${jobOf(resource)}:${String(id)}:${ctx.organizationId}`
      const runAt = new Date(ctx.now.getTime() + DELAY_SECONDS * 1000)
      await enqueue(ctx, jobOf(resource), { resource_id: id }, { key, runAt })
    },
  })

const fileJob = <Facts>(fileable: Fileable<Facts>): Job =>
  organizationJob<Seen>({
    kind: jobOf(fileable.resource),
    before: async (outside, { payload }) => draw(outside, fileable, Number(payload['resource_id'])),
    run: async (ctx, { payload }, seen) => {
      if (!seen) return
      const resource_id = Number(payload['resource_id'])
      const { resource } = fileable
      const there = await ctx.ask(filedDocuments.of(ctx.organizationId, resource, resource_id))
      for (const { language, fileName: file_name, bytes } of seen.drawn) {
        // Filed by another run of this job meanwhile; the claim takes these bytes away.
        if (there.some((one) => one.version === seen.version && one.language === language)) continue
        await keepOwnBytes(ctx, bytes)
        const { size, sha256, storage_key } = bytes
        const about = { resource, resource_id, version: seen.version, language, file_name }
        await insert(ctx, filedDocumentsTable, { ...about, size, sha256, storage_key })
      }
    },
  })

async function draw<Facts>(outside: IoContext, fileable: Fileable<Facts>, id: number): Promise<Seen> {
  const found = await factsOf(outside, fileable, id)
  const version = found ? fileable.version(found.facts) : null
  if (!found || version === null) return null
  const there = await outside.read(filedDocuments.of(outside.organizationId ?? 0, fileable.resource, id))
  const drawn: Drawn[] = []
  for (const language of fileable.languages ?? LANGUAGES) {
    if (there.some((one) => one.version === version && one.language === language)) continue
    const reader = { ...outside, acceptLanguage: language }
    const { content, fileName } = await fileable.make(reader, factsAsOf(fileable, found.facts, version))
    if (!Buffer.isBuffer(content)) throw new Error('only a document that is drawn can be filed')
    drawn.push({ language, fileName, bytes: await storeOwnBytes(outside, content) })
  }
  return { version, drawn }
}

/** As a request would read them; null when there is nothing to draw. */
async function factsOf<Facts>(
  outside: IoContext,
  { facts }: Fileable<Facts>,
  id: number,
): Promise<{ facts: Facts } | null> {
  const { organizationId, now, ports, acceptLanguage } = outside
  const plan = facts(organizationId ?? 0, id)
  if (plan.kind !== 'parts') throw new Error('the facts of a document are made of parts')
  const found: unknown[][] = []
  for (const statement of plan.statements) found.push(await outside.read(statement))
  try {
    const reader = { caller: SYSTEM_CALLER, scopes: ['*'], organizationId, now, role: 'owner', ports, acceptLanguage }
    return { facts: plan.shape(found, reader) }
  } catch (error) {
    // Gone, or not yet what a document could be drawn of.
    if (error instanceof AppError && (error.code === 'NOT_FOUND' || error.code === 'CONFLICT')) return null
    throw error
  }
}
