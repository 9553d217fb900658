// Periods of an interval that follow one another, counted from the first day (docs/decisions/0053).
import { addMonths, dayIn, daysBetween, daysLater } from '#kernel/values/time/calendar.ts'

/** From `start` on, until before `end`. */
export type Period = { start: Date; end: Date }

export type Interval = { months: number; timeZone: string }

/** The months of an interval by its name. */
export const INTERVAL_MONTHS = { month: 1, year: 12 } as const

/**
 * The interval after the latest of `before`, or the first one, which starts at `anchor`. Counted from the earliest
 * start that leads to the latest end, never from an end: 31 January, 28 February, 31 March. Where none does, since
 * others have named the periods, the latest end is a new first day.
 */
export function nextPeriod(before: readonly Period[], anchor: Date, { months, timeZone }: Interval): Period {
  const start = before.length === 0 ? anchor : new Date(Math.max(...before.map(({ end }) => end.getTime())))
  const firsts = before.map((period) => period.start).toSorted((one, other) => one.getTime() - other.getTime())
  for (const first of firsts) {
    const after = (intervals: number) => addMonths(first, intervals * months, timeZone)
    let passed = 1
    while (after(passed) < start) passed += 1
    if (after(passed).getTime() === start.getTime()) return { start, end: after(passed + 1) }
  }
  return { start, end: addMonths(start, months, timeZone) }
}

/**
 * So many months after `end`, counted from the first of `firsts` from whose day `end` follows by whole months: what was
 * sold on the 31st and ended on 28 February ends on 31 March next. Another end is a new first day.
 */
export function monthsAfter(end: Date, { months, timeZone }: Interval, firsts: readonly Date[]): Date {
  for (const first of firsts) {
    const from = daysLater(end, daysBetween(dayIn(end, timeZone), dayIn(first, timeZone)), timeZone)
    let passed = 1
    while (addMonths(from, passed, timeZone) < end) passed += 1
    if (addMonths(from, passed, timeZone).getTime() === end.getTime()) return addMonths(from, passed + months, timeZone)
  }
  return addMonths(end, months, timeZone)
}
