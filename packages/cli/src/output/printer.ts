// Writes the answer of a command in the form that was asked for, record by record.
import { dim, hasColor, inLine, visible, write, type Console } from '../console.ts'
import { FORMATS, lastOf, type Format, type FlagValues } from '../flags.ts'
import { UsageError } from '../usage-error.ts'
import { csvHead, csvLine } from './csv.ts'
import { asRecord, at, fieldsIn, isRecord, textOf, type Json } from './records.ts'
import { head, layout, line, sheet, type Column } from './table.ts'

export type Printer = {
  format: Format
  /** The data of an answer, whatever it is. */
  value: (data: unknown) => Promise<void>
  /** Records, some at a time; `end` after the last. */
  records: (some: readonly unknown[]) => Promise<void>
  end: () => Promise<void>
  /** A sentence beside the answer, for people alone. */
  note: (text: string) => Promise<void>
}

const WIDTH_WITHOUT_TERMINAL = 120

export function printerOf(console: Console, flags: FlagValues): Printer {
  const { out, err, env } = console
  const format = formatOf(lastOf(flags, 'format') ?? env['TITULAR_FORMAT'], out.isTTY === true)
  const wanted = columnsOf(lastOf(flags, 'columns'))
  const look = { width: out.columns ?? WIDTH_WITHOUT_TERMINAL, hasColor: hasColor(console, out) }
  let count = 0
  let columns: Column[] | null = null
  let names: string[] | null = null

  const text = (some: readonly Json[]): string => {
    if (format === 'table') {
      const isFirst = columns === null
      const chosen = (columns ??= layout(some, wanted, look))
      return (isFirst ? head(chosen, look) : '') + some.map((one) => line(chosen, one)).join('')
    }
    if (format === 'csv') {
      const isFirst = names === null
      const chosen = (names ??= wanted ?? fieldsIn(some))
      return (isFirst ? csvHead(chosen) : '') + some.map((one) => csvLine(chosen, one)).join('')
    }
    const each = some.map((one) => chosenOf(one, wanted))
    if (format === 'ndjson') return each.map((one) => `${json(one)}\n`).join('')
    return each.map((one, index) => `${count + index === 0 ? '[' : ','}\n${indented(one)}`).join('')
  }
  const records = async (some: readonly unknown[]): Promise<void> => {
    if (some.length === 0) return
    const written = text(some.map(asRecord))
    count += some.length
    await write(out, written)
  }
  const note: Printer['note'] = async (sentence) => {
    if (err.isTTY && format === 'table') await write(err, `${dim(inLine(sentence), hasColor(console, err))}\n`)
  }
  const end = async (): Promise<void> => {
    if (format === 'json') await write(out, count === 0 ? '[]\n' : '\n]\n')
    if (format === 'csv' && count === 0 && wanted) await write(out, csvHead(wanted))
    if (format === 'table' && count === 0) await note('Nothing.')
  }
  return {
    format,
    records,
    end,
    note,
    async value(data) {
      if (Array.isArray(data)) {
        await records(data)
        return end()
      }
      if (data === null || data === undefined) return format === 'json' ? write(out, 'null\n') : undefined
      if (format === 'table')
        return write(out, isRecord(data) ? sheet(data, wanted, look) : `${visible(textOf(data))}\n`)
      if (format === 'json') return write(out, `${json(isRecord(data) ? chosenOf(data, wanted) : data, 2)}\n`)
      return records([data])
    },
  }
}

function formatOf(given: string | undefined, isTerminal: boolean): Format {
  if (given === undefined || given === '') return isTerminal ? 'table' : 'json'
  const found = FORMATS.find((one) => one === given)
  if (!found) throw new UsageError(`--format is one of ${FORMATS.join(', ')}, not "${given}"`)
  return found
}

const columnsOf = (given: string | undefined): string[] | null => {
  const names = (given ?? '').split(',').flatMap((one) => one.trim() || [])
  return names.length > 0 ? names : null
}

const chosenOf = (record: Json, wanted: readonly string[] | null): Json =>
  wanted ? Object.fromEntries(wanted.map((name) => [name, at(record, name) ?? null])) : record

const json = (value: unknown, space?: number): string => visible(JSON.stringify(value, null, space))
const indented = (value: unknown): string => `  ${json(value, 2).replaceAll('\n', '\n  ')}`
