// Business time: when so much of it has passed, and how much of it lies between two moments. Pure. Null hours are round
// the clock.
import { Temporal } from 'temporal-polyfill'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { type BusinessHours, DAYS } from './business-hours.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Ten years, so that one hour a week and a promise of a year end somewhere. */
const HORIZON_MS = 3653 * DAY_MS

/** When so much business time has passed. What ends exactly at closing time ends then, and not at the next opening. */
export function afterBusinessTime(hours: BusinessHours | null, from: Date, durationMs: number): Date {
  if (durationMs === 0) return from
  if (hours === null) return new Date(from.getTime() + durationMs)
  let left = durationMs
  for (const { start, end } of openTimes(hours, from.getTime())) {
    if (start + left <= end) return new Date(start + left)
    left -= end - start
  }
  return new Date(from.getTime() + HORIZON_MS)
}

/** The business time from one moment to a later one, in milliseconds. */
export function businessTimeBetween(hours: BusinessHours | null, from: Date, to: Date): number {
  const until = to.getTime()
  if (hours === null) return until - from.getTime()
  let total = 0
  for (const { start, end } of openTimes(hours, from.getTime())) {
    if (start >= until) break
    total += Math.min(end, until) - start
  }
  return total
}

/** As a ticket keeps them: without the holidays that are over. */
export function hoursFrom(hours: BusinessHours, moment: Date): BusinessHours {
  const today = dayIn(moment, hours.time_zone)
  return { ...hours, holidays: (hours.holidays ?? []).filter((day) => day >= today) }
}

type Span = { start: number; end: number }

/**
 * The open times from the moment on, by what a clock on the wall shows, in pieces of one day and one offset from UTC.
 */
function* openTimes({ time_zone, weekly, holidays = [] }: BusinessHours, since: number): Generator<Span> {
  const closed = new Set(holidays)
  let clock = at(since, time_zone)
  while (clock.epochMilliseconds < since + HORIZON_MS) {
    const next = nextPiece(clock)
    const [start, end] = [clock.epochMilliseconds, next.epochMilliseconds]
    const openings = closed.has(clock.toPlainDate().toString()) ? [] : weekly[DAYS[clock.dayOfWeek - 1] ?? 'monday']
    for (const { from, to } of openings ?? []) {
      const span = {
        start: Math.max(start, midnightOf(clock) + timeOfDay(from)),
        end: Math.min(end, midnightOf(clock) + timeOfDay(to)),
      }
      if (span.start < span.end) yield span
    }
    clock = next
  }
}

const at = (moment: number, timeZone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(timeZone)

/** When the clock would have shown 00:00 of its day at its offset. */
const midnightOf = ({ epochMilliseconds, hour, minute, second, millisecond }: Temporal.ZonedDateTime): number =>
  epochMilliseconds - ((hour * 60 + minute) * MINUTE_MS + second * 1000 + millisecond)

/** The next day, or the change of the offset when that comes before. */
function nextPiece(clock: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  const nextDay = at(midnightOf(clock) + DAY_MS, clock.timeZoneId)
  if (nextDay.offset === clock.offset) return nextDay
  // The library's own search for changes ends three years after the machine's clock.
  let [before, after] = [clock.epochMilliseconds, nextDay.epochMilliseconds]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (at(middle, clock.timeZoneId).offset === clock.offset) before = middle
    else after = middle
  }
  return at(after, clock.timeZoneId)
}

function timeOfDay(text: string): number {
  const [hour = 0, minute = 0] = text.split(':').map(Number)
  return (hour * 60 + minute) * MINUTE_MS
}
