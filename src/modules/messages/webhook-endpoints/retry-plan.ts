// When a delivery is tried again, and what an answer means for it and for its endpoint (docs/webhooks.md).
import { randomInt } from 'node:crypto'
import type { WebhookAnswer } from '#ports/webhook-sender.ts'

const MINUTE = 60
const HOUR = 3600
/** Seconds after the attempt before; the first comes at once. Together a little more than three days. */
export const RETRY_PLAN = [
  0,
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

/** Longer than the plan, so that the failure of one delivery alone disables nothing. */
export const DISABLED_AFTER_DAYS = 5

/** An endpoint that asks for it, or cannot be reached, gets nothing for so long; doubled with each failure. */
const FIRST_PAUSE_SECONDS = 1
const LONGEST_PAUSE_SECONDS = MINUTE
/** What `Retry-After` may ask for. */
const LONGEST_ASKED_SECONDS = 6 * HOUR
const THROTTLES: ReadonlySet<number> = new Set([429, 502, 503, 504])

export type Outcome = 'delivered' | 'gone' | 'failed'

export const outcomeOf = ({ status }: WebhookAnswer): Outcome => {
  if (status === null) return 'failed'
  if (status === 410) return 'gone'
  return status >= 200 && status < 300 ? 'delivered' : 'failed'
}

/** The moment of the next attempt after the one at this step; null when it was the last. */
export function nextAttempt(step: number, answer: WebhookAnswer, now: Date): Date | null {
  const planned = RETRY_PLAN[step + 1]
  if (planned === undefined) return null
  // Up to a tenth later, so that what failed together does not come back together.
  const spread = randomInt(0, Math.max(1, planned * 100) + 1)
  const waited = Math.max(planned * 1000 + spread, (askedSeconds(answer, now) ?? 0) * 1000)
  return new Date(now.getTime() + waited)
}

/** Until when the endpoint gets nothing at all; null when this answer is no reason to wait. */
export function pauseAfter(answer: WebhookAnswer, failures: number, now: Date): Date | null {
  if (outcomeOf(answer) !== 'failed') return null
  const asked = askedSeconds(answer, now)
  if (answer.status !== null && !THROTTLES.has(answer.status) && asked === null) return null
  const own = Math.min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** Math.min(failures - 1, 10))
  return new Date(now.getTime() + Math.max(own, asked ?? 0) * 1000)
}

/** `Retry-After` as seconds or as a date (RFC 9110, 10.2.3), within bounds; null when absent or unreadable. */
function askedSeconds({ headers }: WebhookAnswer, now: Date): number | null {
  const value = headers['retry-after']?.trim() ?? ''
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now.getTime()) / 1000
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), LONGEST_ASKED_SECONDS)
}
