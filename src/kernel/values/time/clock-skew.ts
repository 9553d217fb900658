// The allowed difference between the clocks of two instances. It is granted to beginnings and never to ends.
import { type Statement, raw, sql } from '#kernel/values/sql.ts'
import type { Clock } from './clock.ts'

const CLOCK_SKEW_SECONDS = 60

/** A beginning up to this moment counts as past: an instance whose clock is ahead may have written it as its now. */
export const latestBeginning = (now: Date): Date => new Date(now.getTime() + CLOCK_SKEW_SECONDS * 1000)

const SKEW = raw(`interval '${CLOCK_SKEW_SECONDS} seconds'`)

/**
 * Whether the membership or key with the alias has started and not expired (`started_at`, `expired_at`): in real time,
 * which is the `now` of whatever is bound to no organization.
 */
export function isInForce(alias: 'c' | 'd' | 'k', at: Clock | Date | Statement): Statement {
  const row = raw(alias)
  const now = 'realNow' in at ? at.realNow : at
  const latest = now instanceof Date ? latestBeginning(now) : sql`${now} + ${SKEW}`
  return sql`(${row}.started_at is null or ${row}.started_at <= ${latest})
       and (${row}.expired_at is null or ${row}.expired_at > ${now})`
}
