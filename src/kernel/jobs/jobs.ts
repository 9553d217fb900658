// Jobs as the areas declare and enqueue them; worker.ts runs them.
import type { Caller, IoContext, OrganizationContext, SystemContext } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'
import { fromNow } from '#kernel/values/time/clock.ts'
import type { Snapshot } from '#kernel/access/transactions.ts'
import { storableJson } from '#kernel/values/text/text.ts'
import type { JobKind } from '#kernel/data/job-kinds.ts'
import type { Sweep } from './sweep.ts'

export { PermanentFailure } from '#kernel/data/permanent-failure.ts'

export type JobRow = {
  id: number
  organization_id: number | null
  kind: string
  payload: Record<string, unknown>
  attempts: number
  every_seconds: number | null
  failing_since: string | null
  last_error: string | null
  created_at: string
  /** The time of its organization, if that has a test clock. */
  test_clock: string | null
}

export type JobInput<Payload> = {
  id: number
  payload: Payload
  attempts: number
  /** An earlier attempt may have reached another system; also of a dead letter that was restarted. */
  wasTried: boolean
  createdAt: Date
}

/**
 * The handler of one kind. `before` runs outside any transaction and may call other systems; `run` runs in the
 * transaction that deletes the job, so that its effect happens exactly once.
 */
type OrganizationHandler<Payload, Prepared> = {
  before?: (io: IoContext, job: JobInput<Payload>) => Promise<Prepared>
  run?: (ctx: OrganizationContext, job: JobInput<Payload>, prepared: NoInfer<Prepared>) => Promise<void>
}
type SystemHandler<Payload, Prepared> = {
  /** Makes the job periodic: one row for all processes, due again this many seconds after each run. */
  everySeconds?: number
  before?: (io: IoContext, job: JobInput<Payload>, transactions: BoundTransactions) => Promise<Prepared>
  run?: (ctx: SystemContext, job: JobInput<Payload>, prepared: NoInfer<Prepared>) => Promise<void>
}
export type Job =
  | ({ scope: 'organization'; kind: JobKind<unknown> } & OrganizationHandler<unknown, unknown>)
  | ({ scope: 'system'; kind: JobKind<unknown>; sweep?: Sweep } & SystemHandler<unknown, unknown>)

/** For a job over many organizations: one transaction for each. */
export type BoundTransactions = {
  inOrganization<Result>(organizationId: number, run: (ctx: OrganizationContext) => Promise<Result>): Promise<Result>
  /** One transaction for each row; after a failure the other rows still run, and the job fails at the end. */
  inEach<Row extends { organization_id: number }>(
    rows: readonly Row[],
    run: (ctx: OrganizationContext, row: Row) => Promise<unknown>,
  ): Promise<void>
  /** One transaction across organizations. `reason` says why it cannot be bound to one. */
  asSystem<Result>(reason: string, run: (ctx: SystemContext) => Promise<Result>): Promise<Result>
  /** One that only reads, as of one moment that may be a little ago: `run` may begin a second time. */
  readingAsSystem<Result>(reason: string, run: (ctx: SystemContext) => Promise<Result>): Promise<Result>
  snapshot: Snapshot
  /** The same in the name of another caller, for what a person has asked for. */
  as(caller: Caller): BoundTransactions
}

/** A job of one organization: `organizationJob(sendRefund, { before, run })`. */
export const organizationJob = <Payload, Prepared = undefined>(
  kind: JobKind<Payload>,
  handler: OrganizationHandler<Payload, Prepared>,
): Job => ({ scope: 'organization', kind, ...handler }) as Job

/** A job of the whole service: a periodic sweep, or work that belongs to no organization. */
export const systemJob = <Payload, Prepared = undefined>(
  kind: JobKind<Payload>,
  handler: SystemHandler<Payload, Prepared>,
): Job => ({ scope: 'system', kind, ...handler }) as Job

type EnqueueOptions = {
  key?: string
  /** When it is due by the time of the organization: a date or a delay that a rule gives. */
  runAt?: Date
  /** After a pause for another system or another job, which no test clock shortens. Excludes `runAt`. */
  afterSeconds?: number
  organizationId?: number
}

/** Writes a job in the context's transaction, without a round trip of its own. */
export async function enqueue<Payload>(
  ctx: OrganizationContext | SystemContext,
  kind: JobKind<Payload>,
  payload: NoInfer<Payload>,
  { key, runAt, afterSeconds = 0, ...options }: EnqueueOptions = {},
): Promise<void> {
  const organizationId = 'organizationId' in ctx ? ctx.organizationId : (options.organizationId ?? null)
  const waitsFor = ctx.testClock && runAt && runAt > ctx.now ? runAt : null
  const due = !ctx.testClock && runAt ? runAt : fromNow(ctx, afterSeconds)
  ctx.write(sql`insert into jobs (organization_id, kind, key, payload, run_at, waits_for)
    values (${organizationId}, ${kind.name}, ${key ?? null}, ${storableJson(payload)}::jsonb,
            ${waitsFor ? 'infinity' : due}::timestamptz, ${waitsFor}::timestamptz)`)
  ctx.onEnqueued()
}

/**
 * In place of the dead letters of the same job, so that one that is asked for again and again, and fails, is listed
 * once.
 */
export async function enqueueAnew<Payload>(
  ctx: OrganizationContext | SystemContext,
  kind: JobKind<Payload>,
  payload: NoInfer<Payload>,
  options: { key?: string; organizationId?: number } = {},
): Promise<void> {
  const organizationId = 'organizationId' in ctx ? ctx.organizationId : (options.organizationId ?? null)
  ctx.write(sql`delete from jobs
    where organization_id is not distinct from ${organizationId}::bigint and kind = ${kind.name}
      and payload = ${storableJson(payload)}::jsonb and dead_at is not null`)
  await enqueue(ctx, kind, payload, options)
}

const FIRST_GAP_SECONDS = 2
const LONGEST_GAP_SECONDS = 3600

/** Seconds until the next try: 2, 4, 8 … an hour; `growth` is the factor between two gaps. */
export const gapAfter = (attempts: number, growth = 2): number =>
  Math.min(LONGEST_GAP_SECONDS, Math.floor(FIRST_GAP_SECONDS * growth ** Math.max(0, attempts - 1)))
