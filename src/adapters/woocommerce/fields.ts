// The fields of a shop's answers. Extensions of the shop change their forms: PHP writes a list with gaps as an object,
// an empty object as a list, an amount as a number. What nothing here needs is read as absent; what is needed is named.
import { formatMoney, InvalidMoney, minorDigits, parseMoney } from '#kernel/values/money.ts'
import { oneLine } from '#kernel/values/text/text.ts'
import { visibleIn } from '#kernel/values/text/visible-text.ts'

export type Fields = Readonly<Record<string, unknown>>

/** A field that is needed has a value that cannot be used: the same value would be refused again. */
export class UnusableField extends Error {
  constructor(field: string, value: unknown, why: string) {
    super(`its field ${field} is ${shown(value)}, ${why}`)
  }
}

const MOST_SHOWN = 60
const shown = (value: unknown): string => (value === undefined ? 'missing' : oneLine(JSON.stringify(value), MOST_SHOWN))

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

export const fieldsIn = (value: unknown): Fields => (isFields(value) ? value : {})

/** The entries that are objects, of a list or of an object whose names are numbers. */
export const entriesOf = (value: unknown): Fields[] => Object.values(fieldsIn(value)).filter(isFields)

export const textOf = (value: unknown): string => (typeof value === 'string' ? visibleIn(oneLine(value, 200)) : '')

/** The shop keeps meta data as text. */
export function idIn(value: unknown): number | null {
  const id = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

/** A time in GMT, which does not say so: `2026-11-20T14:42:55`. */
export function gmtIn(value: unknown): Date | null {
  const isWritten = typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(value)
  const moment = new Date(isWritten ? `${value}Z` : Number.NaN)
  return Number.isNaN(moment.getTime()) ? null : moment
}

const AMOUNT = /^(?<sign>-?)(?<whole>\d{1,15})(?:\.(?<fraction>\d{1,20}))?$/

/** A decimal string with the currency's digits. The shop may show more of them, as long as they are zeros. */
export function amountOf(field: string, value: unknown, currency: string): string {
  const { sign = '', whole = '', fraction = '' } = AMOUNT.exec(written(value))?.groups ?? {}
  const digits = fraction.replace(/0+$/, '')
  try {
    const minor = parseMoney(digits === '' ? whole : `${whole}.${digits}`, currency)
    return formatMoney(sign === '-' ? -minor : minor, currency)
  } catch (error) {
    if (!(error instanceof InvalidMoney)) throw error
    throw new UnusableField(field, value, `which is no amount in ${currency}`)
  }
}

/** Of a part of an order: rounded half up where a shop calculates with more digits than the currency has. */
export function partOf(field: string, value: unknown, currency: string): string {
  const { sign = '', whole = '0', fraction = '' } = AMOUNT.exec(written(value))?.groups ?? {}
  const digits = minorDigits(currency)
  if (fraction.length <= digits) return amountOf(field, value, currency)
  const rounded = BigInt(whole + fraction.slice(0, digits)) + (Number(fraction[digits]) >= 5 ? 1n : 0n)
  return amountOf(field, formatMoney(sign === '-' ? -rounded : rounded, currency), currency)
}

const written = (value: unknown): string =>
  typeof value === 'number' ? String(value) : typeof value === 'string' ? value : ''
