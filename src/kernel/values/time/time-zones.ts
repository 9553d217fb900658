// Names of time zones. Intl and Temporal must both know one, since both do conversions; Intl alone takes `IST`, `PST`
// and other abbreviations.
import { Temporal } from 'temporal-polyfill'

export function isTimeZone(name: string): boolean {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    return timeZone !== '' && Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId !== ''
  } catch {
    return false
  }
}
