// The formats of text that schemas name.
import { Format } from 'typebox/format'
import { isMailAddress } from '#kernel/values/internet-addresses.ts'
import { isCurrency } from '#kernel/values/money.ts'
import { isTimeZone } from '#kernel/values/time/time-zones.ts'
import { isVisibleText } from '#kernel/values/text/visible-text.ts'

// Only dates and times that PostgreSQL and JavaScript both accept: no year 0, no leap second, offsets below 16 hours,
// and a year of four digits in UTC too.
Format.Set('date', (text) => Format.IsDate(text) && !text.startsWith('0000'))
Format.Set('date-time', (text) => {
  if (!Format.IsDateTime(text) || /[+-](1[6-9]|2\d):?\d\d$/.test(text)) return false
  const moment = Date.parse(text)
  // PostgreSQL rounds to microseconds, so a longer fraction in the last millisecond could become the year 10000.
  return moment >= FIRST_MOMENT && (moment < LAST_MOMENT || (moment === LAST_MOMENT && !/\.\d{4}/.test(text)))
})
const FIRST_MOMENT = Date.parse('0001-01-01T00:00:00.000Z')
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z')

Format.Set('email', isMailAddress)

Format.Set('currency', isCurrency)

Format.Set('visible-text', isVisibleText)

Format.Set('time-zone', isTimeZone)

export const MAX_METADATA_BYTES = 16_384
Format.Set('json', (text) => {
  if (Buffer.byteLength(text) > MAX_METADATA_BYTES) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
})
