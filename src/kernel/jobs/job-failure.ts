// What a failure means for its job: when it is tried again, and when it becomes a dead letter.
import { isPostponed } from '#kernel/values/errors.ts'
import { gapAfter, PermanentFailure, type JobRow } from './jobs.ts'
import { cut, storable } from '#kernel/values/text/text.ts'

/**
 * With gaps of 2, 5, 12 seconds and so on, the tenth attempt comes after more than an hour of another system's outage.
 */
export const MAX_ATTEMPTS = 10
const GAP_GROWTH = 2.5

/**
 * A postponed job (no lock or no database, so not its own failure) waits a quarter of the time since its first failure.
 */
const POSTPONED_PART = 4
const LONGEST_POSTPONED_SECONDS = 300
/** After a day, postponing counts as a failed attempt, so that the job becomes a dead letter in the end. */
const POSTPONED_FOR_MS = 86_400_000

export type Failure = { message: string; attempts: number; isDeadLetter: boolean; next: Date; now: Date }

export function failureOf(row: JobRow, error: unknown, now: Date): Failure {
  const message = error instanceof Error ? cut(storable(`${error.name}: ${error.message}`), 1000) : 'unknown'
  const failingMs = row.failing_since === null ? 0 : now.getTime() - Date.parse(row.failing_since)
  const counts = !isPostponed(error) || failingMs >= POSTPONED_FOR_MS
  const attempts = counts ? row.attempts : row.attempts - 1
  const gap = gapAfter(attempts, GAP_GROWTH)
  const postponed = Math.max(gap, Math.min(failingMs / 1000 / POSTPONED_PART, LONGEST_POSTPONED_SECONDS))
  const seconds = Math.min(counts ? gap : postponed, row.every_seconds ?? Infinity)
  return {
    message,
    attempts,
    isDeadLetter:
      row.every_seconds === null && (error instanceof PermanentFailure || (counts && row.attempts >= MAX_ATTEMPTS)),
    next: new Date(now.getTime() + seconds * 1000),
    now,
  }
}
