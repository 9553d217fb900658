// Dates as the legal entity's calendar shows them (docs/interface.md, Quotes): by a given clock, in a stated zone.
import { Temporal } from 'temporal-polyfill'

/** The day, `YYYY-MM-DD`, on which the moment falls in the zone. */
export function dayIn(moment: Date, timeZone: string): string {
  return written(Temporal.Instant.from(moment.toISOString()).toZonedDateTimeISO(timeZone).toPlainDate())
}

export const addDays = (day: string, days: number): string => written(Temporal.PlainDate.from(day).add({ days }))

/**
 * Days have four digits of a year, here and in the database. A zone, or a few days more, may lead beyond the first or the
 * last of them; then it is that one.
 */
function written(day: Temporal.PlainDate): string {
  if (day.year < 1) return '0001-01-01'
  return day.year > 9999 ? '9999-12-31' : day.toString()
}

/** The same time of day so many months later; the last day of the month where the day is missing. */
export function addMonths(moment: Date, months: number, timeZone: string): Date {
  const later = Temporal.Instant.from(moment.toISOString()).toZonedDateTimeISO(timeZone).add({ months })
  return new Date(later.epochMilliseconds)
}
