// The formats of text that schemas name, and the messages for texts that do not have them.
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

const WORDS: Readonly<Record<string, string>> = {
  date: 'must be a date such as 2026-12-31',
  'date-time': 'must be a time such as 2026-11-20T14:42:55.123Z',
  email: 'must be an e-mail address',
  uri: 'must be an address such as https://acme.example',
  currency: 'is not a currency in use (ISO 4217)',
  'time-zone': 'must be a time zone such as America/Sao_Paulo',
  'visible-text': 'must not be blank, nor hold invisible characters or marks that turn its direction',
  json: 'must be a JSON text of at most 16 KiB',
}

export const formatProblem = (format: unknown): string =>
  (typeof format === 'string' && WORDS[format]) || 'does not have the form that is asked for'

/** The message shows the examples of the schema instead of its pattern, which people cannot read. */
export const patternProblem = (examples: readonly unknown[]): string =>
  examples.length > 0
    ? `must have the form of ${examples.join(' or ')}`
    : 'must not be blank, nor have characters that are not allowed here'
