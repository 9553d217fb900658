// What a failure means for its job: when it is tried again, and when it is given up.
import { isPostponed } from '#kernel/http/errors.ts'
import { gapAfter, PermanentFailure, type JobRow } from './jobs.ts'
import { cut, storable } from '#kernel/values/text.ts'

/** With gaps of 2, 5, 12 seconds and so on, these outlast an hour in which another system is away. */
export const MAX_ATTEMPTS = 10
const GAP_GROWTH = 2.5

/** What is postponed, through no fault of its own, waits a quarter of the time that this has gone on for. */
const POSTPONED_PART = 4
const LONGEST_POSTPONED_SECONDS = 300
/** After so long it counts like any failure, and is given up in the end: then it keeps itself from being done. */
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
