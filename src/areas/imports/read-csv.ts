// Reads CSV (RFC 4180): the records, and the values of their cells by the columns of the file.
import type { TSchema } from 'typebox'
import type { Fields } from '#kernel/http/problems.ts'
import { cellValue, decodedCell } from './cell-value.ts'
import { BrokenFile, type Entry, MOST_LINE_BYTES, type Place, TOO_LONG } from './file-reading.ts'
import type { Layout } from './import.ts'

/** The cells with a character for each byte. */
export type CsvRecord = Pick<Entry, 'line' | 'lastLine' | 'end'> & { cells: string[] }

/** `fields`: the schemas of the columns. */
export async function* csvEntries(
  bytes: AsyncIterable<Uint8Array>,
  { layout, fields }: { layout: Layout; fields: Readonly<Record<string, TSchema>> },
  from: Place,
): AsyncGenerator<Entry> {
  const { columns } = layout
  for await (const { cells, ...at } of csvRecords(bytes, layout.delimiter, from)) {
    const values: Record<string, unknown> = {}
    const problems: Fields = {}
    if (cells.length !== columns.length) problems['row'] = `has ${cells.length} cells, the first line ${columns.length}`
    // As in files that were put together of several exports.
    else if (columns.every((column, index) => cells[index]?.trim() === column))
      problems['row'] = 'repeats the names of the columns'
    for (const [index, column] of columns.entries()) {
      const text = decodedCell(cells[index] ?? '', layout.encoding)
      if (text === null) problems[column] = `is not in ${layout.encoding}`
      else if (text !== '') values[column] = cellValue(text, fields[column] ?? {}, layout)
    }
    yield { ...at, values, problems }
  }
}

/** Throws BrokenFile where the records cannot be told apart any more. */
export async function* csvRecords(
  bytes: AsyncIterable<Uint8Array>,
  delimiter: string,
  from: Place,
): AsyncGenerator<CsvRecord> {
  // Read at the first import.
  const { CsvError } = await import('csv-parse')
  const parsed: Parsed[] = []
  const parser = await parserInto(parsed, delimiter)
  const lines = lineCounter(from.line)
  const records = () => parsed.splice(0).map((one) => lines.recordOf(one, from.position))
  const assertSound = (error: Error | null) => {
    if (error instanceof CsvError) throw new BrokenFile(lines.read() + 1, PROBLEMS[error.code] ?? 'is no CSV')
    if (error) throw error
  }
  for await (const chunk of bytes) {
    lines.saw(chunk)
    const error = await settled((done) => parser.write(chunk, done))
    yield* records()
    assertSound(error)
  }
  const error = await settled((done) => parser.end(done))
  yield* records()
  assertSound(error)
}

/** `end`: the byte after it; `empty`: the empty lines so far. */
type Parsed = { cells: string[]; end: number; empty: number }

/** Records are put aside as they are parsed: a stream that breaks forgets those that nobody has read yet. */
async function parserInto(parsed: Parsed[], delimiter: string) {
  const { parse } = await import('csv-parse')
  const parser = parse({
    delimiter,
    // Bytes as they are: they are decoded cell by cell, so that a wrong one is an error of its cell.
    encoding: 'latin1',
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MOST_LINE_BYTES,
    on_record: (cells, { bytes, empty_lines }) => {
      parsed.push({ cells, end: bytes, empty: empty_lines })
      return null
    },
  })
  return parser.on('error', () => {}).resume()
}

const LINE_FEED = 10
/** The parser keeps so few bytes of a chunk for the next one. */
const EDGE = 64

/** The parser counts line breaks inside of quotation marks twice where they are CRLF, so they are counted here. */
function lineCounter(before: number) {
  let breaks: number[] = []
  let [line, empty, length, passed] = [before, 0, 0, 0]
  return {
    read: () => line,
    /** Records end in the last chunk, or at the edge before it; of earlier line breaks, the number suffices. */
    saw(chunk: Uint8Array) {
      const recent = breaks.filter((at) => at >= length - EDGE)
      passed += breaks.length - recent.length
      breaks = recent
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) breaks.push(length + at)
      length += chunk.length
    },
    recordOf({ cells, ...parsed }: Parsed, offset: number): CsvRecord {
      const begin = line + 1 + parsed.empty - empty
      empty = parsed.empty
      const inside = breaks.findIndex((at) => at >= parsed.end)
      const ended = breaks.splice(0, inside < 0 ? breaks.length : inside)
      line += passed + ended.length + (ended.at(-1) === parsed.end - 1 ? 0 : 1)
      passed = 0
      return { cells, line: begin, lastLine: line, end: offset + parsed.end }
    },
  }
}

const settled = (work: (done: (error?: Error | null) => void) => unknown): Promise<Error | null> =>
  new Promise((resolve) => void work((error) => resolve(error ?? null)))

const PROBLEMS: Readonly<Record<string, string>> = {
  CSV_MAX_RECORD_SIZE: `${TOO_LONG}, or has a quotation mark that is not closed`,
  CSV_QUOTE_NOT_CLOSED: 'has a quotation mark that is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'has a quotation mark inside of a cell that is not doubled',
  INVALID_OPENING_QUOTE: 'has a quotation mark inside of a cell that is not quoted',
}
