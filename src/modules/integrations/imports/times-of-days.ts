// A spreadsheet has days where times are meant: when something begins or ends. The day is that of the legal entity.
import { usualCompany } from '#kernel/values/company.ts'
import type { Ports } from '#kernel/data/context.ts'
import { addDays, startOfDay } from '#kernel/values/time/calendar.ts'
import { COMPANIES } from '#kernel/values/schema.ts'
import { zoneOf } from '#ports/ports.ts'
import { Format } from 'typebox/format'
import type { Living } from './queries.ts'

/** Which moment of a day a column means; what ends on a day lasts until its end. */
export const MOMENTS: Readonly<Record<string, 'first' | 'last'>> = {
  started_at: 'first',
  expired_at: 'last',
  expires_at: 'last',
  updates_until: 'last',
}

/** The legal entity is the one that the line names, else the one that bills the organization. */
export function timesOfDays(
  values: Record<string, unknown>,
  organization: Living | undefined,
  settings: Ports['settings'],
): Record<string, unknown> {
  const days = Object.entries(values).flatMap(([field, value]) => {
    const moment = Object.hasOwn(MOMENTS, field) ? MOMENTS[field] : undefined
    return moment && typeof value === 'string' && Format.Test('date', value) ? [{ field, moment, day: value }] : []
  })
  if (days.length === 0) return values
  const company = COMPANIES.find((one) => one === values['company']) ?? usualCompany(organization?.country ?? null)
  const zone = zoneOf({ settings }, company)
  const times = days.map(({ field, moment, day }) => {
    const time = startOfDay(moment === 'first' ? day : addDays(day, 1), zone)
    return [field, time.toISOString()] as const
  })
  return { ...values, ...Object.fromEntries(times) }
}
