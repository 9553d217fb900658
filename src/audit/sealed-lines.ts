// The lines of an exported audit log, read from its file one after the other: NDJSON, or CSV.
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { CsvError, parse } from 'csv-parse'
import { Type, type Static } from 'typebox'
import { Value } from 'typebox/value'
import { SealedEntry } from '#modules/operations/audit-log/sealed-entry.ts'
import { csvRecords } from '#kernel/values/text/csv.ts'
import { columnsOf, type TableRow, type TableWriter, tableWriter } from '#modules/operations/exports/table-file.ts'
import { StartupError } from '../postgres/startup-error.ts'

const { organization_id, id, hashed, previous_hash, hash, redacted_hash } = SealedEntry.properties
const Seals = Type.Object({ organization_id, id, hashed, previous_hash, hash, redacted_hash })
export type Seals = Static<typeof Seals>

/** `text`: the line as the file has it; `written` gives the line as it is written for an entry. */
export type SealedLine = { entry: Seals; text: string; written: (row: TableRow) => string }

const COLUMNS = columnsOf(SealedEntry.properties)
const NAMES = COLUMNS.map(({ name }) => name)
const writerOf = (format: 'csv' | 'ndjson'): TableWriter =>
  tableWriter(format, COLUMNS, { titles: {}, timeZone: 'UTC' })

/** Throws for a file that is no such export. */
export async function* sealedLines(file: string): AsyncGenerator<SealedLine> {
  const lines = (await firstByte(file)) === '{'.charCodeAt(0) ? ndjsonLines(file) : csvLines(file)
  for await (const { entry, ...line } of lines) {
    if (!Value.Check(Seals, entry)) throw noExport(file)
    yield { entry, ...line }
  }
}

const noExport = (file: string) =>
  new StartupError(`${file} is no export of an audit log with its seals as NDJSON or CSV`)

async function firstByte(file: string): Promise<number | undefined> {
  const handle = await open(file)
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(1), 0, 1)
    return bytesRead > 0 ? buffer[0] : '{'.charCodeAt(0)
  } finally {
    await handle.close()
  }
}

type ParsedLine = Omit<SealedLine, 'entry'> & { entry: unknown }

/** Lines end with a line feed alone: texts may have other separators of lines in them. */
async function* ndjsonLines(file: string): AsyncGenerator<ParsedLine> {
  const { lines } = writerOf('ndjson')
  const read = (bytes: Buffer): ParsedLine => {
    const entry = rowOf(bytes.toString('utf8'))
    return { entry, text: lines([entry]), written: (row) => lines([row]) }
  }
  let rest = Buffer.alloc(0)
  for await (const chunk of createReadStream(file)) {
    rest = Buffer.concat([rest, chunk])
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      yield read(rest.subarray(0, end))
      rest = rest.subarray(end + 1)
    }
  }
  if (rest.length > 0) yield read(rest)
}

function rowOf(text: string): TableRow {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

async function* csvLines(file: string): AsyncGenerator<ParsedLine> {
  const { lines } = writerOf('csv')
  const parser = parse({ bom: true })
  createReadStream(file)
    .on('error', (error) => parser.destroy(error))
    .pipe(parser)
  let isHead = true
  try {
    for await (const record of parser) {
      const cells: string[] = record
      if (isHead && cells.join() !== NAMES.join()) yield { entry: null, text: '', written: () => '' }
      if (!isHead) yield { entry: sealsIn(cells), text: csvRecords([cells]), written: (row) => lines([row]) }
      isHead = false
    }
  } catch (error) {
    throw error instanceof CsvError ? noExport(file) : error
  }
}

function sealsIn(cells: readonly string[]): Seals {
  const of = (name: string) => cells[NAMES.indexOf(name)] || null
  const owner = of('organization_id')
  return {
    organization_id: owner === null ? null : Number(owner),
    id: Number(of('id')),
    hashed: of('hashed'),
    previous_hash: of('previous_hash'),
    hash: of('hash'),
    redacted_hash: of('redacted_hash'),
  }
}
