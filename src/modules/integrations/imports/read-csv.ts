// The lines of a CSV as spreadsheets write it: the values of the cells by the columns of the file.
import type { TSchema } from 'typebox'
import type { Fields } from '#kernel/values/validation/problems.ts'
import { cellValue, decodedCell } from './cell-value.ts'
import { csvRecords } from './csv-records.ts'
import type { Entry, Place } from './file-reading.ts'
import type { Layout } from './import.ts'

/** `fields`: the schemas of the columns. */
export async function* csvEntries(
  bytes: AsyncIterable<Uint8Array>,
  { layout, fields }: { layout: Layout; fields: Readonly<Record<string, TSchema>> },
  from: Place,
): AsyncGenerator<Entry> {
  const { columns } = layout
  for await (const { cells: given, ...at } of csvRecords(bytes, layout.delimiter, from)) {
    const texts = given.map((cell) => textOf(cell, layout.encoding))
    // A spreadsheet writes the rows and columns that were in use, also where they are empty now.
    if (texts.every((text) => text === '')) continue
    const isWider = texts.slice(columns.length).some((text) => text !== '')
    const values: Record<string, unknown> = {}
    const problems: Fields = {}
    if (texts.length < columns.length || isWider)
      problems['row'] = `has ${texts.length} cells, the first line ${columns.length}`
    // As in files that were put together of several exports.
    else if (columns.every((column, index) => texts[index] === column))
      problems['row'] = 'repeats the names of the columns'
    for (const [index, column] of columns.entries()) {
      const text = texts[index] ?? ''
      if (texts[index] === null) problems[column] = `is not in ${layout.encoding}`
      else if (text !== '') values[column] = cellValue(text, fields[column] ?? {}, layout)
    }
    yield { ...at, values, problems }
  }
}

/** Without white space around it, and without the form that keeps spreadsheets from taking a text for a number. */
function textOf(cell: string, encoding: Layout['encoding']): string | null {
  const text = decodedCell(cell, encoding)?.trim() ?? null
  return text === null ? null : (/^="([^"]*)"$/.exec(text)?.[1]?.trim() ?? text)
}
