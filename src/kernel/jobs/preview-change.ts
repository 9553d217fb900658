// Makes the preview of a change inside its transaction, which is rolled back afterwards: runs the jobs that only touch
// the database, assumes what others would answer, and reads what all of it has written (docs/decisions/0059).
import { type OrganizationContext, one } from '#kernel/data/context.ts'
import type { Assumption, Preview, PreviewedRequest, ReadElsewhere } from './preview.ts'
import { withoutAmounts } from '#kernel/data/amounts-in-text.ts'
import { recordsOf, type Visibility, type WrittenEntry, type WrittenEvent } from './previewed-records.ts'
import { sql } from '#kernel/values/sql.ts'
import { asSystemIn } from '#kernel/access/transactions.ts'
import { tenantStatement } from '#kernel/access/access-check.ts'
import { SCOPE_NAMES } from '#kernel/values/permissions.ts'
import { AppError, isRetryable, isLockTimeout } from '#kernel/values/errors.ts'
import { type Job, PermanentFailure } from './jobs.ts'

/** More follow-ups than any change has: an order of 100 entitlements causes some 600. */
const MOST_STEPS = 2_000

export type Previewer = <Result>(ctx: OrganizationContext, change: () => Promise<Result>) => Promise<Preview>

type PreviewOptions = {
  jobs: readonly Job[]
  assumptions: readonly Assumption[]
  /** What a caller with these scopes may see. */
  visibleTo: (scopes: readonly string[], isStaff: boolean) => Visibility
  elsewhere: ReadElsewhere
}

export function createPreviewer({ jobs, assumptions, visibleTo, elsewhere }: PreviewOptions): Previewer {
  const byKind = new Map(jobs.map((job) => [job.kind.name, job]))
  const byCause = new Map(assumptions.map((assumption) => [assumption.after, assumption]))
  return async (ctx, change) => {
    const begin = await beginningOf(ctx)
    await change()
    const { organizationId, caller, scopes } = ctx
    await ctx.ask(tenantStatement(organizationId, true))
    const { requests, problems, isComplete } = await followUp(asSystemIn(ctx), begin, { byKind, byCause, elsewhere })
    await ctx.ask(tenantStatement(organizationId, caller.staff, scopes))
    const [events, entries] = await writtenSince(ctx, begin)
    const { records, isNew } = recordsOf(events, entries, visibleTo(scopes, caller.staff))
    return {
      dry_run: true,
      records,
      requests: requests
        .filter(({ of }) => isShown(of, ctx))
        .map((asked) => (isNew(asked.resource, asked.resource_id) ? { ...asked, resource_id: null } : asked)),
      problems: problemsFor(ctx, problems),
      is_complete: isComplete && problems.length === 0,
    }
  }
}

/** A problem may be about any record: members without all scopes are told only that there is one (`is_complete`). */
function problemsFor({ caller, scopes }: OrganizationContext, problems: string[]): string[] {
  if (!caller.staff && !SCOPE_NAMES.every((scope) => scopes.includes(scope))) return []
  return scopes.includes('finances') ? problems : problems.map(withoutAmounts)
}

/** Customers learn nothing of mails and commissions; of commissions, staff do who read finances. */
function isShown(of: PreviewedRequest['of'], { caller, scopes }: OrganizationContext): boolean {
  if (of === 'affiliate_program') return caller.staff && scopes.includes('finances')
  return of !== 'mail' || caller.staff
}

type Beginning = { sequence: number; entry_id: number; job_id: number }

/**
 * The organization's lock is held, so all events after this one are those of the preview. A job marks its own
 * beginning.
 */
const beginningOf = (ctx: OrganizationContext): Promise<Beginning> =>
  one(
    ctx,
    sql<Beginning>`
      with mark as (
        insert into jobs (organization_id, kind, run_at)
        values (${ctx.organizationId}, 'preview', 'infinity') returning id
      )
      select s.last_sequence as sequence, m.id as job_id,
             coalesce((select max(a.id) from audit_log a
               where a.organization_id = ${ctx.organizationId}), 0) as entry_id
        from event_sequences s, mark m where s.organization_id = ${ctx.organizationId}`,
  )

const writtenSince = (ctx: OrganizationContext, { sequence, entry_id }: Beginning) =>
  Promise.all([
    ctx.ask<WrittenEvent>(sql`
      select type, resource, resource_id, data from events
       where organization_id = ${ctx.organizationId} and sequence > ${sequence} order by sequence`),
    ctx.ask<WrittenEntry>(sql`
      select action, resource, resource_id, before, after from audit_log
       where organization_id = ${ctx.organizationId} and id > ${entry_id} and request_id = ${ctx.requestId}
         order by id`),
  ])

type FollowUpResult = { requests: PreviewedRequest[]; problems: string[]; isComplete: boolean }
type Causes = { byKind: ReadonlyMap<string, Job>; byCause: ReadonlyMap<string, Assumption>; elsewhere: ReadElsewhere }
type Step = { cause: string; about: unknown; job: Job | undefined; jobId: number | null }

async function followUp(ctx: OrganizationContext, begin: Beginning, causes: Causes): Promise<FollowUpResult> {
  const followed: FollowUpResult = { requests: [], problems: [], isComplete: true }
  const seen = { ...begin }
  for (let steps = 0; ;) {
    const next = await stepsAfter(ctx, seen, causes)
    if (next.length === 0) return followed
    for (const step of next) {
      if (++steps > MOST_STEPS) return { ...followed, isComplete: false }
      await take(ctx, step, causes, followed)
    }
  }
}

/** The events and due jobs that were written since, in their order, jobs first: they only touch what has happened. */
async function stepsAfter(ctx: OrganizationContext, seen: Beginning, { byKind, byCause }: Causes): Promise<Step[]> {
  const { organizationId } = ctx
  // `created_at` is the beginning of the transaction, which tells its jobs from those of others.
  const [jobs, events] = await Promise.all([
    ctx.ask<{ id: number; kind: string; payload: unknown }>(sql`
      select id, kind, payload from jobs where organization_id = ${organizationId} and id > ${seen.job_id}
         and created_at = now() and run_at <= ${ctx.realNow} order by id`),
    ctx.ask<{ sequence: number; type: string; resource_id: number }>(sql`
      select sequence, type, resource_id from events
       where organization_id = ${organizationId} and sequence > ${seen.sequence} order by sequence`),
  ])
  seen.job_id = jobs.at(-1)?.id ?? seen.job_id
  seen.sequence = events.at(-1)?.sequence ?? seen.sequence
  return [
    ...jobs.map(({ id, kind, payload }) => ({ cause: kind, about: payload, job: byKind.get(kind), jobId: id })),
    ...events
      .filter(({ type }) => byCause.has(type))
      .map(({ type, resource_id }) => ({ cause: type, about: resource_id, job: undefined, jobId: null })),
  ]
}

/** A step that fails leaves nothing behind, as its job would. */
async function take(
  ctx: OrganizationContext,
  { cause, about, job, jobId }: Step,
  { byCause, elsewhere }: Causes,
  { requests, problems }: FollowUpResult,
): Promise<void> {
  const assumption = byCause.get(cause)
  const isOwn = job?.scope === 'organization' && !job.before && job.run
  if (jobId !== null) ctx.write(sql`delete from jobs where organization_id = ${ctx.organizationId} and id = ${jobId}`)
  if (!assumption && !isOwn) return
  ctx.write(sql`savepoint step`)
  try {
    if (assumption) {
      const request = await assumption.holds(ctx, about, elsewhere)
      if (request) note(requests, request)
    } else if (isOwn) {
      const input = { id: jobId ?? 0, payload: job.kind.read(about), attempts: 1, wasTried: false, createdAt: ctx.now }
      await job.run?.(ctx, input, undefined)
    }
    await ctx.ask(sql`release savepoint step`)
  } catch (error) {
    if (isRetryable(error) || isLockTimeout(error)) throw error
    await ctx.ask(sql`rollback to savepoint step`)
    const isForStaff = error instanceof PermanentFailure || error instanceof AppError
    problems.push(isForStaff ? error.message : `${cause} fails`)
  }
}

/** A later one of the same kind about the same record replaces it: its amount counts from before the change. */
function note(requests: PreviewedRequest[], request: PreviewedRequest): void {
  const at = requests.findIndex((known) => FIELDS.every((field) => known[field] === request[field]))
  requests.splice(at < 0 ? requests.length : at, 1, request)
}
const FIELDS = ['of', 'act', 'resource', 'resource_id'] as const
