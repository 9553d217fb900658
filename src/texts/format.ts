// Dates and money in the format of a language. Intl takes amounts as decimal strings, so no floats are involved.

import type { Language } from './language.ts'

/** A calendar day (`YYYY-MM-DD`), the same in every time zone. */
export function formatDate(language: Language, day: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(readTime(`${day}T00:00:00Z`))
}

/** The same where there is little room: `27/11/2026`, `Nov 27, 2026`. */
export function formatShortDate(language: Language, day: string): string {
  const parts = { day: '2-digit', month: language === 'en' ? 'short' : '2-digit', year: 'numeric' } as const
  return new Intl.DateTimeFormat(language, { ...parts, timeZone: 'UTC' }).format(readTime(`${day}T00:00:00Z`))
}

/** A month (`YYYY-MM`). */
export function formatMonth(language: Language, month: string): string {
  const parts = { year: 'numeric', month: 'long', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(language, parts).format(readTime(`${month}-01T00:00:00Z`))
}

/** A time (ISO 8601) in the given time zone, with the zone's name. */
export function formatTime(language: Language, moment: string, timeZone: string): string {
  const parts = { day: 'numeric', month: 'long', year: 'numeric', hour: 'numeric', minute: '2-digit' } as const
  return new Intl.DateTimeFormat(language, { ...parts, timeZone, timeZoneName: 'short' }).format(readTime(moment))
}

/** `'1234.50'` and `'BRL'` → `R$ 1.234,50`. Never rounds: for some currencies Intl has fewer digits than ISO 4217. */
export function formatMoney(language: Language, amount: string, currency: string): string {
  if (!isDecimal(amount)) throw new TypeError(`not a decimal amount: ${amount}`)
  const usual =
    new Intl.NumberFormat(language, { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 0
  const digits = Math.max(usual, amount.split('.')[1]?.length ?? 0)
  const exact = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return new Intl.NumberFormat(language, { style: 'currency', currency, ...exact }).format(amount)
}

/** `'12.50'` → `12,5%`. */
export function formatPercent(language: Language, rate: string): string {
  if (!isDecimal(rate)) throw new TypeError(`not a decimal: ${rate}`)
  return `${new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(rate)}%`
}

function isDecimal(text: string): text is `${number}` {
  return /^-?\d{1,30}(\.\d{1,20})?$/.test(text)
}

function readTime(text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw new TypeError(`not a date: ${text}`)
  return time
}
