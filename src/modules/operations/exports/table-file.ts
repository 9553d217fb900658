// Rows as a file: CSV with the forms of international or Brazilian spreadsheets, or NDJSON. The columns and their kinds
// are those of the rows' schema.
import { type TSchema, Type } from 'typebox'
import { asText, CSV, CSV_MARK, csvRecords } from '#kernel/values/text/csv.ts'
import { Money, Month, Percent } from '#kernel/values/schema.ts'

const TABLE_FORMATS = ['csv', 'csv-br', 'ndjson'] as const
export type TableFormat = (typeof TABLE_FORMATS)[number]

export const TableFormatField = Type.Enum(TABLE_FORMATS, {
  description:
    '`csv`: comma, decimal point, ISO dates, UTF-8; `csv-br`: semicolon, decimal comma, dd/mm/yyyy, UTF-8 ' +
    'with a byte order mark, titles in the reader’s language; `ndjson`: a JSON object on each line',
  examples: ['csv-br'],
})

export const TABLE_TYPES: Readonly<Record<TableFormat, { contentType: string; extension: string }>> = {
  csv: { contentType: CSV, extension: 'csv' },
  'csv-br': { contentType: CSV, extension: 'csv' },
  ndjson: { contentType: 'application/x-ndjson; charset=utf-8', extension: 'ndjson' },
}

export const TABLE_CONTENT_TYPES: readonly string[] = [
  ...new Set(Object.values(TABLE_TYPES).map(({ contentType }) => contentType)),
]

export type TableRow = Readonly<Record<string, unknown>>
type TableColumn = { name: string; kind: ColumnKind }
type ColumnKind = 'text' | 'integer' | 'decimal' | 'date' | 'month' | 'time' | 'boolean' | 'json'

export type TableWriter = { head: string; lines: (rows: readonly TableRow[]) => string }

type TableOptions = {
  /** The titles of the Brazilian form; a column without one has its name. */
  titles: Readonly<Record<string, string>>
  /** The zone of the Brazilian form's times. */
  timeZone: string
}

export const columnsOf = (properties: Readonly<Record<string, TSchema>>): TableColumn[] =>
  Object.entries(properties).map(([name, schema]) => ({ name, kind: kindOf(schema) }))

export function tableWriter(
  format: TableFormat,
  columns: readonly TableColumn[],
  { titles, timeZone }: TableOptions,
): TableWriter {
  if (format === 'ndjson')
    return { head: '', lines: (rows) => rows.map((row) => `${JSON.stringify(fieldsOf(columns, row))}\n`).join('') }
  if (format === 'csv')
    return {
      head: csvRecords([columns.map(({ name }) => name)]),
      lines: (rows) => csvRecords(rows.map((row) => columns.map(({ name, kind }) => plain(kind, row[name])))),
    }
  const local = brazilian(timeZone)
  return {
    head: CSV_MARK + csvRecords([columns.map(({ name }) => titles[name] ?? name)], ';'),
    lines: (rows) =>
      csvRecords(
        rows.map((row) => columns.map(({ name, kind }) => local(kind, row[name]))),
        ';',
      ),
  }
}

const fieldsOf = (columns: readonly TableColumn[], row: TableRow): TableRow =>
  Object.fromEntries(columns.map(({ name }) => [name, row[name] ?? null]))

type Shape = { type?: unknown; pattern?: unknown; format?: unknown; enum?: unknown; anyOf?: TSchema[] }

const KINDS: Readonly<Record<string, ColumnKind>> = {
  integer: 'integer',
  number: 'decimal',
  boolean: 'boolean',
  object: 'json',
  array: 'json',
}
const PATTERNS: ReadonlyMap<unknown, ColumnKind> = new Map([
  [(Money as Shape).pattern, 'decimal'],
  [(Percent as Shape).pattern, 'decimal'],
  [(Month as Shape).pattern, 'month'],
])
const FORMATS: Readonly<Record<string, ColumnKind>> = { date: 'date', 'date-time': 'time' }

/** An enumeration and whatever else has no type of its own is text; what may be null has the kind of the rest. */
function kindOf(schema: TSchema): ColumnKind {
  const { type, pattern, format, anyOf } = schema as Shape
  if (anyOf) return kindOf(anyOf.find((one) => (one as Shape).type !== 'null') ?? schema)
  const one: unknown = Array.isArray(type) ? type.find((name) => name !== 'null') : type
  return PATTERNS.get(pattern) ?? FORMATS[String(format)] ?? KINDS[String(one)] ?? 'text'
}

/** Numbers, dates and times are never taken for formulas; a number in a text is a text. */
function plain(kind: ColumnKind, value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return kind === 'text' || kind === 'json' ? asText(text) : text
}

function brazilian(timeZone: string): typeof plain {
  const parts = { day: '2-digit', month: '2-digit', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const
  const times = new Intl.DateTimeFormat('pt-BR', { ...parts, second: '2-digit', hourCycle: 'h23', timeZone })
  return (kind, value) => {
    const text = plain(kind, value)
    if (text === '') return text
    if (kind === 'decimal') return text.replace('.', ',')
    if (kind === 'date' || kind === 'month') return text.split('-').toReversed().join('/')
    return kind === 'time' ? times.format(new Date(text)).replace(', ', ' ') : text
  }
}
