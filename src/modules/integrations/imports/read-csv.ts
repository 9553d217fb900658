// The lines of a CSV as spreadsheets write it: the values of the cells by the columns of the file.
import type { TSchema } from 'typebox'
import type { Fields } from '#kernel/values/validation/problems.ts'
import { cellValue, decodedCell } from './cell-value.ts'
import { csvRecords } from './csv-records.ts'
import type { Entry, Place } from './file-reading.ts'
import type { Layout } from './import.ts'
import { fieldsOfColumns, type Mapping, valueFor } from './mapping.ts'

type Columns = { layout: Layout; mapping: Mapping | null; fields: Readonly<Record<string, TSchema>> }

/** `fields`: the schemas of the kind's fields. */
export async function* csvEntries(
  bytes: AsyncIterable<Uint8Array>,
  { layout, mapping, fields }: Columns,
  from: Place,
): AsyncGenerator<Entry> {
  const { columns } = layout
  const targets = fieldsOfColumns(columns, mapping).flatMap((ofColumn, index) =>
    ofColumn.map((field) => ({ index, field })),
  )
  for await (const { cells: given, ...at } of csvRecords(bytes, layout.delimiter, from)) {
    const texts = given.map((cell) => textOf(cell, layout.encoding))
    // A spreadsheet writes the rows and columns that were in use, also where they are empty now.
    if (texts.every((text) => text === '')) continue
    const isWider = texts.slice(columns.length).some((text) => text !== '')
    const values: Record<string, unknown> = { ...mapping?.fixed }
    const problems: Fields = {}
    if (texts.length < columns.length || isWider)
      problems['row'] = `has ${texts.length} cells, the first line ${columns.length}`
    // As in files that were put together of several exports.
    else if (columns.every((column, index) => texts[index] === column))
      problems['row'] = 'repeats the names of the columns'
    for (const { index, field } of targets) {
      const text = texts[index] ?? ''
      if (texts[index] === null) problems[field] = `is not in ${layout.encoding}`
      const instead = valueFor(mapping, field, text)
      if (instead !== undefined && instead !== null) values[field] = instead
      else if (instead === undefined && text !== '') values[field] = cellValue(text, fields[field] ?? {}, layout)
    }
    yield { ...at, values, problems }
  }
}

/** Without white space around it, and without the form that keeps spreadsheets from taking a text for a number. */
function textOf(cell: string, encoding: Layout['encoding']): string | null {
  const text = decodedCell(cell, encoding)?.trim() ?? null
  return text === null ? null : (/^="([^"]*)"$/.exec(text)?.[1]?.trim() ?? text)
}
