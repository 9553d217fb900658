// The value of a cell: decoded, and of the type that its field has. What has not the form that it should have stays a
// text, which the schema of the field refuses.
import type { TSchema } from 'typebox'
import { parsedJson } from '#kernel/values/text/json.ts'
import { Money } from '#kernel/values/schema.ts'
import type { Layout } from './import.ts'

const DECODERS = {
  'utf-8': new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }),
  'windows-1252': new TextDecoder('windows-1252'),
}

/** `cell` has a character for each byte; null when they are not in the encoding. */
export function decodedCell(cell: string, encoding: Layout['encoding']): string | null {
  if (!/[\u0080-\u00ff]/.test(cell)) return cell
  try {
    return DECODERS[encoding].decode(Buffer.from(cell, 'latin1'))
  } catch {
    return null
  }
}

type Field = TSchema & {
  enum?: unknown
  type?: string | string[]
  format?: string
  pattern?: string
  anyOf?: Field[]
  items?: Field
}

export function cellValue(text: string, field: Field, layout: Layout): unknown {
  const types = [field.type ?? []].flat()
  if (types.includes('integer')) return /^-?(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text
  if (types.includes('boolean')) return BOOLEANS.get(text.toLowerCase()) ?? text
  if (types.includes('array')) return isText(field.items) ? text.split('|') : (parsedJson(text) ?? text)
  if (types.includes('object')) return parsedJson(text) ?? text
  if (field.format === 'date') return dayIn(text, layout.date_format) ?? `${text} is not ${layout.date_format}`
  // The day becomes a time once it is known in which time zone.
  if (field.format === 'date-time') return dayIn(text, layout.date_format) ?? dayIn(text, 'yyyy-mm-dd') ?? text
  return isAmount(field) ? amountIn(text, layout.decimal_separator) : text
}

/** Lists of texts are written with `|` between them, other lists as JSON. */
const isText = (field: Field | undefined): boolean => field?.type === 'string' || Array.isArray(field?.enum)

/** As spreadsheets write them in English and Portuguese, and as databases do. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'verdadeiro', 'yes', 'sim', '1'].map((word) => [word, true] as const),
  ...['false', 'falso', 'no', 'não', 'nao', '0'].map((word) => [word, false] as const),
])

/** `yyyy-mm-dd`; null for anything else. Midnight says no more than the day, and databases write it. */
function dayIn(text: string, format: Layout['date_format']): string | null {
  const [day = ''] = text.split(/[ T]00:00(?::00(?:\.0+)?)?$/, 1)
  if (format === 'yyyy-mm-dd') return /^\d{4}-\d\d-\d\d$/.test(day) ? day : null
  const [, date, month, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(day) ?? []
  return year === undefined ? null : `${year}-${month}-${date}`
}

const { pattern: AMOUNT }: Field = Money
const isAmount = ({ pattern, anyOf = [] }: Field): boolean => pattern === AMOUNT || anyOf.some(isAmount)

/** `1.234,56` with a comma; with a dot only what the API takes. */
function amountIn(text: string, separator: Layout['decimal_separator']): string {
  if (separator === '.') return text
  const isWritten = /^-?(\d+|\d{1,3}(\.\d{3})+)(,\d+)?$/.test(text)
  return isWritten ? text.replaceAll('.', '').replace(',', '.') : `${text} is no amount with a comma`
}
