// How far the clocks of two instances may be apart. What begins on one has begun on the others; what ends, ends exactly.
import { type Statement, raw, sql } from '#kernel/data/sql.ts'

export const CLOCK_SKEW_SECONDS = 60

/** A beginning up to this moment counts as past: another instance, whose clock is ahead, wrote it down as now. */
export const latestBeginning = (now: Date): Date => new Date(now.getTime() + CLOCK_SKEW_SECONDS * 1000)

/** `started_at` and `expired_at` of the row with that alias, at that moment. */
export function isInForce(alias: 'c' | 'd' | 'k', now: Date): Statement {
  const row = raw(alias)
  return sql`(${row}.started_at is null or ${row}.started_at <= ${latestBeginning(now)})
       and (${row}.expired_at is null or ${row}.expired_at > ${now})`
}
