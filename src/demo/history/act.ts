// What somebody did at a moment of a customer's history, and when such moments are.
import type { OrganizationContext } from '#kernel/data/context.ts'
import { addMonths } from '#kernel/values/time/calendar.ts'

/** What an operation needs besides its context. */
export type Tools = { secretKey: string }
export type Act = { at: Date; run(ctx: OrganizationContext, tools: Tools): Promise<unknown> }

/** Months and days since the history began, and the time of the day in UTC: `[3, 12, '14:30']`. */
export type Moment = readonly [month: number, day: number, time: string]

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/**
 * People act on working days: what would be on a weekend happens on the Monday after, before all else on that day, so
 * that the order stays whatever the day on which the demo is loaded.
 */
export function momentAfter(since: Date, [month, day, time]: Moment): Date {
  const date = new Date(addMonths(since, month, 'UTC').getTime() + day * DAY_MS).toISOString().slice(0, 10)
  const moment = new Date(`${date}T${time}:00.000Z`)
  const daysOfWeekend = { 6: 0, 0: 1 }[moment.getUTCDay()]
  if (daysOfWeekend === undefined) return moment
  const saturday = new Date(moment.getTime() - daysOfWeekend * DAY_MS)
  const midnight = new Date(`${saturday.toISOString().slice(0, 10)}T00:00:00.000Z`)
  const sinceMidnight = moment.getTime() - midnight.getTime()
  return new Date(midnight.getTime() + 2 * DAY_MS + MONDAY_MS + Math.floor(sinceMidnight / SHRUNK))
}

/** A weekend's two days become the forty minutes from eleven o'clock on. */
const MONDAY_MS = 11 * 60 * MINUTE_MS
const SHRUNK = (2 * DAY_MS) / (40 * MINUTE_MS)

export const minutesAfter = (at: Date, minutes: number): Date => new Date(at.getTime() + minutes * MINUTE_MS)
