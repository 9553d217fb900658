// Reads the records of a CSV (RFC 4180), with the lines on which they stand. A quotation mark inside of a cell that is
// not quoted is part of it, since the records are told apart all the same; in a quoted cell it must be doubled.
import { BrokenFile, type Entry, MOST_LINE_BYTES, type Place, TOO_LONG } from './file-reading.ts'

/** The cells with a character for each byte. */
export type CsvRecord = Pick<Entry, 'line' | 'lastLine' | 'end'> & { cells: string[] }

/** Throws BrokenFile where the records cannot be told apart any more. */
export async function* csvRecords(
  bytes: AsyncIterable<Uint8Array>,
  delimiter: string,
  { position, line }: Place,
): AsyncGenerator<CsvRecord> {
  const place = { at: position, line: line + 1, start: position, begin: line + 1 }
  const reader: Reader = { delimiter: delimiter.charCodeAt(0), state: 'plain', cell: '', cells: [], ...place }
  for await (const chunk of bytes) yield* read(reader, Buffer.from(chunk).toString('latin1'))
  if (reader.state === 'quoted') throw new BrokenFile(reader.begin, NOT_CLOSED)
  if (reader.at > reader.start) yield recordOf(reader)
}

type Reader = {
  delimiter: number
  /**
   * `plain`: in a cell that is not quoted, or before any; `closed`: right behind a quoted one; `after`: with spaces.
   */
  state: 'plain' | 'quoted' | 'closed' | 'after'
  cell: string
  cells: string[]
  /** The byte and the line that are read. */
  at: number
  line: number
  /** The byte and the line with which the record begins. */
  start: number
  begin: number
}

const LINE_FEED = 10
const QUOTE = 34
const NOT_CLOSED = 'has a quotation mark that is not closed'

function* read(reader: Reader, text: string): Generator<CsvRecord> {
  let from = 0
  for (let index = 0; index < text.length; index++) {
    const sign = text.charCodeAt(index)
    if (sign !== QUOTE && (reader.state === 'quoted' || (sign !== LINE_FEED && sign !== reader.delimiter))) continue
    take(reader, text.slice(from, index))
    from = index + 1
    reader.at += 1
    if (sign === QUOTE) quote(reader)
    else if (sign === reader.delimiter) endCell(reader)
    else {
      const record = isEmpty(reader) ? null : recordOf(reader)
      reader.line += 1
      reader.start = reader.at
      reader.begin = reader.line
      if (record) reader.cells = []
      reader.cell = ''
      if (record) yield record
    }
  }
  take(reader, text.slice(from))
}

const isEmpty = ({ cells, cell, state }: Reader): boolean =>
  cells.length === 0 && state === 'plain' && (cell === '' || cell === '\r')

/** Characters of which none has a meaning where they stand. */
function take(reader: Reader, text: string): void {
  reader.at += text.length
  if (reader.at - reader.start > MOST_LINE_BYTES) throw new BrokenFile(reader.begin, `${TOO_LONG}, or ${NOT_CLOSED}`)
  if (text === '') return
  if (reader.state === 'quoted') reader.line += text.split('\n').length - 1
  if (reader.state === 'plain' || reader.state === 'quoted') reader.cell += text
  else if (/^ *\r?$/.test(text)) reader.state = 'after'
  else failUndoubled(reader)
}

function quote(reader: Reader): void {
  if (reader.state === 'quoted') reader.state = 'closed'
  else if (reader.state === 'after') failUndoubled(reader)
  else if (reader.state === 'plain' && reader.cell !== '') reader.cell += '"'
  else {
    if (reader.state === 'closed') reader.cell += '"'
    reader.state = 'quoted'
  }
}

function failUndoubled({ begin }: Reader): never {
  throw new BrokenFile(begin, 'has a quotation mark inside of a cell that is not doubled')
}

function endCell(reader: Reader): void {
  reader.cells.push(reader.cell)
  Object.assign(reader, { cell: '', state: 'plain' })
}

function recordOf(reader: Reader): CsvRecord {
  if (reader.state === 'plain') reader.cell = reader.cell.replace(/\r$/, '')
  endCell(reader)
  return { cells: reader.cells, line: reader.begin, lastLine: reader.line, end: reader.at }
}
