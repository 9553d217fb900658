// Periods of an interval that follow one another, counted from the first day (docs/decisions/0053).
import { addMonths } from './calendar.ts'

/** From `start` on, until before `end`. */
export type Period = { start: Date; end: Date }

export type Interval = { months: number; timeZone: string }

/** The months of an interval by its name. */
export const INTERVAL_MONTHS = { month: 1, year: 12 } as const

/**
 * The interval after the latest of `before`, or the first one, which starts at `anchor`. Counted from the earliest start,
 * never from an end: 31 January, 28 February, 31 March.
 */
export function nextPeriod(before: readonly Period[], anchor: Date, { months, timeZone }: Interval): Period {
  const first = before.length === 0 ? anchor : new Date(Math.min(...before.map(({ start }) => start.getTime())))
  const last = new Date(Math.max(first.getTime(), ...before.map(({ end }) => end.getTime())))
  const after = (intervals: number) => addMonths(first, intervals * months, timeZone)
  let passed = 0
  while (after(passed) < last) passed += 1
  return { start: after(passed), end: after(passed + 1) }
}
