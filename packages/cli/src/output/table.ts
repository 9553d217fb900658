// Tables for people: the fields that tell records apart, as many as the terminal is wide enough for.
import { bold, inLine } from '../console.ts'
import { at, fieldsIn, isEmpty, isRecord, textOf, type Json } from './records.ts'
import { cut, padEnd, padStart, widthOf } from './text.ts'

type Look = { width: number; hasColor: boolean }

const GAP = 2
const WIDEST_CELL = 40
/** What a column may be narrowed to before another one is left out. */
const NARROWEST = 20

/** Those that people know a record by, in the order of a table. */
const FIRST = 'id number code position sequence name title subject email type kind class status role'.split(' ')
const THEN = 'product_name quantity priority total amount unit_price balance currency'.split(' ')
const DATES = 'timestamp due_date valid_until expires_at start_date end_date issue_date issued_at created_at'.split(' ')
const LAST = ['url', 'updated_at', 'external_id', 'metadata', 'expanded', 'description', 'notes']

function rankOf(name: string, place: number): number {
  for (const [index, group] of [FIRST, THEN, DATES].entries()) {
    const found = group.indexOf(name)
    if (found >= 0) return index * 100 + found
  }
  return (LAST.includes(name) ? 9_000 : name.includes('.') ? 2_000 : 1_000) + place
}

/** By importance. Fields that are empty in all records, and lists of records, are left out. */
export function columnsOf(records: readonly Json[]): string[] {
  const isShown = (name: string): boolean =>
    records.some((record) => {
      const value = at(record, name)
      return !isEmpty(value) && !isLong(value)
    })
  return fieldsIn(records)
    .filter(isShown)
    .map((name, place) => ({ name, rank: rankOf(name, place) }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ name }) => name)
}

const isLong = (value: unknown): boolean => Array.isArray(value) && value.some(isRecord)

export type Column = { name: string; width: number; isNumber: boolean }

/** Chosen by the first records; later ones are fitted in. */
export function layout(records: readonly Json[], wanted: readonly string[] | null, { width }: Look): Column[] {
  const all = (wanted ?? columnsOf(records)).map((name): Column => {
    const values = records.map((record) => at(record, name))
    const widths = values.map((value) => Math.min(WIDEST_CELL, widthOf(cellOf(value))))
    const isNumber = values.some(isFigure) && values.every((value) => isEmpty(value) || isFigure(value))
    return { name, width: Math.max(widthOf(inLine(name)), ...widths, 1), isNumber }
  })
  if (wanted) return all
  const chosen: Column[] = []
  let left = width
  for (const column of all) {
    const needed = Math.min(column.width, column.isNumber ? column.width : Math.max(NARROWEST, widthOf(column.name)))
    if (needed + GAP > left + GAP) continue
    const fitted = { ...column, width: Math.min(column.width, left) }
    chosen.push(fitted)
    left -= fitted.width + GAP
    if (left < 3) break
  }
  return chosen.length > 0 ? chosen : all.slice(0, 1)
}

/** A number, or an amount of money, which is a text on the wire. */
const isFigure = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && /^-?\d+\.\d{2,}$/.test(value))

/** Times to the minute: a table is looked at. */
function cellOf(value: unknown): string {
  const text = textOf(value)
  return inLine(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) ? `${text.slice(0, 16).replace('T', ' ')}Z` : text,
  )
}

export const head = (columns: readonly Column[], look: Look): string =>
  bold(
    row(
      columns,
      columns.map(({ name }) => inLine(name).toUpperCase()),
    ),
    look.hasColor,
  )

export const line = (columns: readonly Column[], record: Json): string =>
  row(
    columns,
    columns.map(({ name }) => cellOf(at(record, name))),
  )

function row(columns: readonly Column[], cells: readonly string[]): string {
  const texts = columns.map(({ width, isNumber }, index) => {
    const text = cut(cells[index] ?? '', width)
    return isNumber ? padStart(text, width) : padEnd(text, width)
  })
  return `${texts.join(' '.repeat(GAP)).trimEnd()}\n`
}

/** One record: a line for each field, and its lists as tables below. */
export function sheet(record: Json, wanted: readonly string[] | null, look: Look, indent = ''): string {
  const names = wanted ?? fieldsIn([record])
  const short = names.filter((name) => !isLong(at(record, name)))
  const widest = Math.max(0, ...short.map((name) => widthOf(inLine(name))))
  const lines = short.map((name) => {
    const text = cellOf(at(record, name))
    const label = bold(padEnd(inLine(name), widest), look.hasColor)
    return `${indent}${label}${' '.repeat(GAP)}${text === '' ? '–' : text}\n`
  })
  const lists = names.flatMap((name) => {
    const value = at(record, name)
    if (!Array.isArray(value) || !isLong(value)) return []
    const records = value.filter(isRecord)
    const columns = layout(records, null, { ...look, width: look.width - GAP })
    const rows = [head(columns, look), ...records.map((one) => line(columns, one))]
    return [`\n${bold(inLine(name), look.hasColor)}\n`, ...rows.map((one) => `${' '.repeat(GAP)}${one}`)]
  })
  return [...lines, ...lists].join('')
}
