// Dates as the legal entity's calendar shows them (docs/interface.md, Quotes): by a given clock, in a stated zone.
import { Temporal } from 'temporal-polyfill'

/** The day, `YYYY-MM-DD`, on which the moment falls in the zone. */
export function dayIn(moment: Date, timeZone: string): string {
  return Temporal.Instant.from(moment.toISOString()).toZonedDateTimeISO(timeZone).toPlainDate().toString()
}

export const addDays = (day: string, days: number): string => Temporal.PlainDate.from(day).add({ days }).toString()

/** The same time of day so many months later; the last day of the month where the day is missing. */
export function addMonths(moment: Date, months: number, timeZone: string): Date {
  const later = Temporal.Instant.from(moment.toISOString()).toZonedDateTimeISO(timeZone).add({ months })
  return new Date(later.epochMilliseconds)
}
