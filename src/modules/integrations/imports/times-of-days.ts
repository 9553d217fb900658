// A spreadsheet has days where times are meant: when something begins or ends. The day is that of the legal entity.
import { usualCompany } from '#kernel/values/company.ts'
import type { Ports } from '#kernel/data/context.ts'
import { addDays, startOfDay } from '#kernel/values/time/calendar.ts'
import { COMPANIES } from '#kernel/values/schema.ts'
import { zoneOf } from '#ports/ports.ts'
import { Format } from 'typebox/format'
import type { Living } from './queries.ts'

/**
 * Which moment of a day a column means; what ends on a day lasts until its end. Noon is on the same day in the zones of
 * both legal entities.
 */
export const MOMENTS: Readonly<Record<string, 'first' | 'noon' | 'last'>> = {
  paid_at: 'noon',
  created_at: 'first',
  closed_at: 'noon',
  started_at: 'first',
  expired_at: 'last',
  expires_at: 'last',
  updates_until: 'last',
}

const HALF_DAY_MS = 43_200_000

/** Of today no later than now. */
function noonOf(begin: Date, now: Date): Date {
  const noon = new Date(begin.getTime() + HALF_DAY_MS)
  return begin <= now && now < noon ? now : noon
}

/** The legal entity is the one that the line names, else the one that bills the organization. */
export function timesOfDays(
  values: Record<string, unknown>,
  organization: Living | undefined,
  { now, settings }: { now: Date; settings: Ports['settings'] },
): Record<string, unknown> {
  const days = Object.entries(values).flatMap(([field, value]) => {
    const moment = Object.hasOwn(MOMENTS, field) ? MOMENTS[field] : undefined
    return moment && typeof value === 'string' && Format.Test('date', value) ? [{ field, moment, day: value }] : []
  })
  if (days.length === 0) return values
  const company = COMPANIES.find((one) => one === values['company']) ?? usualCompany(organization?.country ?? null)
  const zone = zoneOf({ settings }, company)
  const times = days.map(({ field, moment, day }) => {
    const begin = startOfDay(moment === 'last' ? addDays(day, 1) : day, zone)
    return [field, (moment === 'noon' ? noonOf(begin, now) : begin).toISOString()] as const
  })
  return { ...values, ...Object.fromEntries(times) }
}
