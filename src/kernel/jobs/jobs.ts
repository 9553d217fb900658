// Jobs as the areas declare and enqueue them; the loop that works on them is worker.ts.
import type { IoContext, OrganizationContext, SystemContext } from '#kernel/data/context.ts'
import { sql } from '#kernel/data/sql.ts'
import { storableJson } from '#kernel/values/text.ts'

export type JobRow = {
  id: number
  organization_id: number | null
  kind: string
  payload: Record<string, unknown>
  attempts: number
  every_seconds: number | null
  failing_since: string | null
  created_at: string
}

/** What a job knows of itself. `payload` carries ids only. */
export type JobInput = { id: number; payload: Record<string, unknown>; attempts: number; createdAt: Date }

/**
 * The work for one kind. `before` runs outside any transaction and may call the outside; `run` runs in one
 * transaction that also takes the job away, so its effect happens exactly once.
 */
export type OrganizationJob<Seen = unknown> = {
  scope: 'organization'
  kind: string
  before?: (outside: IoContext, job: JobInput) => Promise<Seen>
  run?: (ctx: OrganizationContext, job: JobInput, seen: Seen) => Promise<void>
}
export type SystemJob<Seen = unknown> = {
  scope: 'system'
  kind: string
  /** Set: there is always exactly one such job, and it comes again after this many seconds. */
  everySeconds?: number
  before?: (outside: IoContext, job: JobInput, work: BoundTransactions) => Promise<Seen>
  run?: (ctx: SystemContext, job: JobInput, seen: Seen) => Promise<void>
}
export type Job = OrganizationJob<never> | SystemJob<never>

/** Transactions of their own for a sweep over many organizations. */
export type BoundTransactions = {
  inOrganization<Result>(organizationId: number, run: (ctx: OrganizationContext) => Promise<Result>): Promise<Result>
  /** One transaction for each row; one that fails keeps no other back, and fails the job at the end. */
  inEach<Row extends { organization_id: number }>(
    rows: readonly Row[],
    run: (ctx: OrganizationContext, row: Row) => Promise<unknown>,
  ): Promise<void>
}

export const organizationJob = <Seen = undefined>(job: Omit<OrganizationJob<Seen>, 'scope'>): Job =>
  ({ scope: 'organization', ...job }) as unknown as Job
export const systemJob = <Seen = undefined>(job: Omit<SystemJob<Seen>, 'scope'>): Job =>
  ({ scope: 'system', ...job }) as unknown as Job

/** Writes a job in the context's transaction. */
export async function enqueue(
  ctx: OrganizationContext | SystemContext,
  kind: string,
  payload: Record<string, unknown>,
  options: { key?: string; runAt?: Date; organizationId?: number } = {},
): Promise<void> {
  const organizationId = 'organizationId' in ctx ? ctx.organizationId : (options.organizationId ?? null)
  await ctx.ask(sql`insert into jobs (organization_id, kind, key, payload, run_at)
    values (${organizationId}, ${kind}, ${options.key ?? null}, ${storableJson(payload)}::jsonb, ${options.runAt ?? ctx.now})`)
  ctx.onEnqueued()
}

const FIRST_GAP_SECONDS = 2
const LONGEST_GAP_SECONDS = 3600

/** Seconds until the next try: 2, 4, 8 … an hour, unless each is to be more than twice the one before. */
export const gapAfter = (attempts: number, growth = 2): number =>
  Math.min(LONGEST_GAP_SECONDS, Math.floor(FIRST_GAP_SECONDS * growth ** Math.max(0, attempts - 1)))

/** Throw it from a job that must not be tried again: it is parked at once. */
export class PermanentFailure extends Error {}
