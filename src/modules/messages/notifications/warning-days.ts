// Warnings before an end: which of the configured days (say 30, 7, 1 before it) is due and not announced yet.
import { addDays } from '#kernel/values/time/calendar.ts'

export type Ending = {
  today: string
  /** The last day. */
  end: string
  /** Days before this one are skipped: what lasts three weeks gets no warning 30 days before its end. */
  began: string
  /** The smallest of the days that was announced already; null for none. */
  warned: number | null
}

/**
 * The smallest of the days within which the end lies. Null when it was announced, or when its day is not after `began`.
 */
export function warningDue(days: readonly number[], { today, end, began, warned }: Ending): number | null {
  const near = days.toSorted((one, other) => one - other).find((day) => addDays(today, day) >= end)
  if (near === undefined || (warned !== null && warned <= near)) return null
  return addDays(end, -near) > began ? near : null
}
