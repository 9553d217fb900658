// Reads the first line of a CSV: its delimiter, its columns, and where the records begin. What cannot be imported at
// all is refused at the upload.
import { invalid } from '#kernel/values/errors.ts'
import { decodedCell } from './cell-value.ts'
import { BrokenFile, type Place } from './file-reading.ts'
import { DELIMITERS, type Layout, type NewImport } from './import.ts'
import { type CsvRecord, csvRecords } from './csv-records.ts'
import { fieldsOfColumns, type Mapping } from './mapping.ts'

/** So much of a file is looked at when it arrives. */
export const HEAD_BYTES = 65_536

const UTF_8_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const UTF_16_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])]

/** Behind the mark that some programs put at the beginning of a file. */
export function beginningOf(head: Buffer): Place {
  if (UTF_16_MARKS.some((mark) => head.subarray(0, 2).equals(mark)))
    throw invalid({ file: 'is in UTF-16; save it as UTF-8' })
  return { position: head.subarray(0, 3).equals(UTF_8_MARK) ? UTF_8_MARK.length : 0, line: 0 }
}

export async function layoutOf(
  head: Buffer,
  body: Omit<NewImport, 'mapping'>,
  { known, mapping }: { known: readonly string[]; mapping: Mapping | null },
): Promise<{ layout: Layout; place: Place }> {
  const begin = behindSeparator(head, beginningOf(head))
  const { encoding = 'utf-8', decimal_separator = '.', date_format = 'yyyy-mm-dd' } = body
  const delimiter = body.delimiter ?? begin.delimiter ?? delimiterOf(head)
  const first = await firstRecord(head, delimiter, begin)
  const names = first.cells.map((cell) => (decodedCell(cell, encoding) ?? cell).trim())
  // Without the columns that were in use once, of which only the delimiters are left.
  const columns = names.slice(0, names.findLastIndex((name) => name !== '') + 1)
  assertColumns(columns, known, mapping)
  const place = { position: first.end, line: first.lastLine }
  return { layout: { delimiter, encoding, decimal_separator, date_format, columns }, place }
}

const SEPARATOR = /^"?sep=(.)"?\r?\n/i

/** Behind a first line that only says what separates the cells, as Excel reads and writes it. */
function behindSeparator(head: Buffer, { position, line }: Place): Place & { delimiter?: Layout['delimiter'] } {
  const [written, sign] = SEPARATOR.exec(head.toString('latin1', position, position + 20)) ?? []
  if (written === undefined) return { position, line }
  const delimiter = DELIMITERS.find((one) => one === sign)
  if (!delimiter) throw invalid({ file: 'begins with sep= and another sign than a comma, a semicolon or a tab' })
  return { position: position + written.length, line: line + 1, delimiter }
}

/** The one that stands most often in the first line. */
function delimiterOf(head: Buffer): Layout['delimiter'] {
  const [line = ''] = head.toString('latin1').split(/[\r\n]/, 1)
  const counted = DELIMITERS.map((one) => ({ one, count: line.split(one).length }))
  return counted.toSorted((a, b) => b.count - a.count)[0]?.one ?? ','
}

async function firstRecord(head: Buffer, delimiter: string, from: Place): Promise<CsvRecord> {
  try {
    for await (const record of csvRecords(only(head.subarray(from.position)), delimiter, from)) {
      if (record.end >= HEAD_BYTES) break
      return record
    }
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error
    throw invalid({ file: `its first line ${error.problem}` })
  }
  throw invalid({ file: 'must begin with the names of its columns, within 64 KiB' })
}

async function* only(bytes: Buffer): AsyncIterable<Uint8Array> {
  yield bytes
}

function assertColumns(columns: readonly string[], known: readonly string[], mapping: Mapping | null): void {
  const missing = Object.keys(mapping?.columns ?? {}).filter((column) => !columns.includes(column))
  if (missing.length > 0)
    throw invalid(Object.fromEntries(missing.map((one) => [`mapping.columns.${one}`, 'is no column of the file'])))
  const targets = fieldsOfColumns(columns, mapping)
  const used = columns.filter((_, index) => targets[index]?.length !== 0)
  const strange = mapping ? undefined : used.find((column) => !known.includes(column))
  if (strange !== undefined)
    throw invalid({ file: `has the column "${strange.slice(0, 100)}", which this kind has not` })
  const twice = used.find((column, index) => used.indexOf(column) < index)
  if (twice !== undefined) throw invalid({ file: `has the column ${twice} twice` })
  if (!mapping && !columns.includes('external_id')) throw invalid({ file: 'must have the column external_id' })
}
