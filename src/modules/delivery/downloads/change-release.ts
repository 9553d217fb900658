// Changes of releases by staff: drafts, publication, withdrawal. Each has an entry in the service's own audit log.
import { assertProduct } from '#modules/delivery/products/offers.ts'
import { dropFile } from '#modules/documents/files/receive-upload.ts'
import { serviceChange } from '#kernel/data/audit/audit.ts'
import { first, one, type OrganizationContext } from '#kernel/data/context.ts'
import { allows, type Move } from '#kernel/data/moves.ts'
import { conflict, notFound, uniqueViolation } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import { notInFuture } from '#kernel/values/time/time-rules.ts'
import { type ReleaseRow, releases } from './queries.ts'
import { type NewRelease, type Release, type ReleaseChange, releaseMoves } from './release.ts'
import { versionKey } from './version.ts'

export async function createRelease(ctx: OrganizationContext, body: NewRelease): Promise<Release> {
  const { product_id, version, channel = 'stable', released_at = null, ...rest } = ownBody(ctx, body)
  await assertProduct(ctx, product_id)
  const { release_notes = null, release_notes_pt_br = null } = notesOf(rest)
  const release = { product_id, version, channel, released_at, release_notes, release_notes_pt_br }
  const { id } = await one(ctx, releases.add({ ...release, version_key: versionKey(version) }, ctx.now)).catch(
    failAsTwin,
  )
  await ctx.ask(serviceChange(ctx, 'created', { resource: 'release', id, before: null, after: release }))
  return releaseOf(ctx, id)
}

/** Once it is published, a release keeps its version; the time of its release may be corrected, not removed. */
export async function changeRelease(ctx: OrganizationContext, id: number, body: ReleaseChange): Promise<Release> {
  const { release_notes, release_notes_by_language, ...values } = ownBody(ctx, body)
  const release = await forChange(ctx, id)
  const { version, released_at } = values
  if (release.status !== 'draft' && version !== undefined && version !== release.version)
    throw conflict('status_not_allowed', `The version of a release that is ${release.status} stays`)
  if (release.status !== 'draft' && released_at === null)
    throw conflict('status_not_allowed', 'A release that was published has a time')
  await write(ctx, release, { ...values, ...notesOf({ release_notes, release_notes_by_language }) })
  return releaseOf(ctx, id)
}

export const publishRelease = (ctx: OrganizationContext, id: number): Promise<Release> =>
  moveRelease(ctx, id, releaseMoves.publish, async ({ released_at }) => {
    if (!(await first(ctx, releases.filesOf(id))))
      throw conflict('release_has_no_files', 'A release without files cannot be published')
    return { released_at: released_at ?? ctx.now.toISOString() }
  })

export const yankRelease = (ctx: OrganizationContext, id: number, yank_reason: string): Promise<Release> =>
  moveRelease(ctx, id, releaseMoves.yank, () => ({ yank_reason }))

export const restoreRelease = (ctx: OrganizationContext, id: number): Promise<Release> =>
  moveRelease(ctx, id, releaseMoves.restore, () => ({ yank_reason: null }))

/** A draft goes with its files; what was published once is yanked instead. */
export async function deleteRelease(ctx: OrganizationContext, id: number): Promise<void> {
  const { status, ...draft } = await forChange(ctx, id)
  if (status !== 'draft')
    throw conflict('status_not_allowed', 'Only drafts are deleted; yank a release that was published')
  for (const file of await ctx.ask(releases.filesOf(id))) {
    const removed = await one(ctx, releases.removeFile(id, file.id))
    await dropFile(ctx, removed.storage_key)
  }
  await ctx.ask(releases.remove(id))
  await ctx.ask(serviceChange(ctx, 'deleted', { resource: 'release', id, before: { ...draft, status }, after: null }))
}

/** The release, locked, so that of two changes the second sees the first; or 404. */
export async function forChange(ctx: OrganizationContext, id: number): Promise<ReleaseRow> {
  const release = await first(ctx, releases.forChange(id))
  if (!release) throw notFound()
  return release
}

type Values = { [Column in keyof ReleaseRow]?: ReleaseRow[Column] | undefined }
type Change = (release: ReleaseRow) => Values | Promise<Values>

async function moveRelease(ctx: OrganizationContext, id: number, act: Move, change: Change): Promise<Release> {
  const release = await forChange(ctx, id)
  if (!allows(act, release.status))
    throw conflict('status_not_allowed', `A release that is ${release.status} cannot become ${act.to}`)
  await write(ctx, release, { ...(await change(release)), status: act.to }, act.event)
  return releaseOf(ctx, id)
}

/** Writes what differs, and the entry about it. */
async function write(ctx: OrganizationContext, release: ReleaseRow, values: Values, action = 'updated'): Promise<void> {
  const was: Record<string, unknown> = release
  const changed = Object.entries(values).filter(([column, value]) => value !== undefined && value !== was[column])
  if (changed.length === 0) return
  const after = Object.fromEntries(changed)
  const before = Object.fromEntries(changed.map(([column]) => [column, was[column]]))
  const next = { ...release, ...after }
  await ctx.ask(releases.change({ ...next, version_key: versionKey(next.version) }, ctx.now)).catch(failAsTwin)
  await ctx.ask(serviceChange(ctx, action, { resource: 'release', id: release.id, before, after }))
}

function failAsTwin(error: unknown): never {
  if (uniqueViolation(error)) throw conflict('version_taken', 'The product has a release of this version already')
  throw error
}

const releaseOf = (ctx: OrganizationContext, id: number): Promise<Release> =>
  one(ctx, releases.one(ctx.organizationId, id, ctx.now))

type Notes = { [Field in 'release_notes' | 'release_notes_by_language']?: NewRelease[Field] | undefined }

/** The columns of the notes that were given; undefined for the others. */
const notesOf = ({ release_notes, release_notes_by_language: notes = {} }: Notes) => ({
  release_notes: notes.en === undefined ? release_notes : notes.en,
  release_notes_pt_br: notes['pt-BR'],
})

/** The plain field is the English text, so both may be given only when they agree. */
export const releaseRules = (
  { released_at, release_notes, release_notes_by_language: notes }: Partial<ReleaseChange>,
  { now }: { now: Date },
): Fields => ({
  ...notInFuture('released_at', released_at, now),
  ...(release_notes !== undefined && notes?.en !== undefined && release_notes !== notes.en
    ? { release_notes: 'differs from `en` of release_notes_by_language' }
    : {}),
})
