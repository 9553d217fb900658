// Calendar dates in the time zone of the legal entity (docs/interface/sales.md, Quotes). The moment is always given.
import { Temporal } from 'temporal-polyfill'

/** The last time zone to begin a day: a day before today there is past in every time zone. */
export const LAST_ZONE = 'Etc/GMT+12'

/** The day of the moment in the zone, `YYYY-MM-DD`. */
export const dayIn = (moment: Date, timeZone: string): string =>
  written(Temporal.Instant.from(moment.toISOString()).toZonedDateTimeISO(timeZone).toPlainDate())

export const addDays = (day: string, days: number): string => written(Temporal.PlainDate.from(day).add({ days }))

/** How many days lie between the one and a later one; negative for an earlier one. */
export const daysBetween = (from: string, to: string): number =>
  Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to)).days

/** That day of the month after; the last one where it lacks the day. */
export const dayOfNextMonth = (day: string, dayOfMonth: number): string =>
  written(Temporal.PlainDate.from(day).with({ day: 1 }).add({ months: 1 }).with({ day: dayOfMonth }))

/** A month (`YYYY-MM`) so many months later. */
export const monthsLater = (month: string, months: number): string =>
  Temporal.PlainYearMonth.from(month).add({ months }).toString()

/** How many months lie between the one and a later one; negative for an earlier one. */
export const monthsBetween = (from: string, to: string): number =>
  Temporal.PlainYearMonth.from(from).until(Temporal.PlainYearMonth.from(to), { largestUnit: 'month' }).months

/** All months from the one to the other, both with them. */
export const monthsFrom = (first: string, last: string): string[] =>
  Array.from({ length: Math.max(0, monthsBetween(first, last) + 1) }, (_, later) => monthsLater(first, later))

/** The first moment of the day in the zone. */
export const startOfDay = (day: string, timeZone: string): Date =>
  new Date(Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds)

/**
 * Years have four digits, here and in the database. A day outside of them, which a time zone or an addition can give,
 * becomes the first or the last one.
 */
function written(day: Temporal.PlainDate): string {
  if (day.year < 1) return '0001-01-01'
  return day.year > 9999 ? '9999-12-31' : day.toString()
}

/** The same time of day so many days later. */
export function daysLater(moment: Date, days: number, timeZone: string): Date {
  const later = Temporal.Instant.from(moment.toISOString()).toZonedDateTimeISO(timeZone).add({ days })
  return new Date(later.epochMilliseconds)
}

/** The same time of day so many months later; the last day of a month that lacks the day. */
export function addMonths(moment: Date, months: number, timeZone: string): Date {
  const later = Temporal.Instant.from(moment.toISOString()).toZonedDateTimeISO(timeZone).add({ months })
  return new Date(later.epochMilliseconds)
}
