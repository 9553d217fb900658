// CSV as RFC 4180 has it, with a header. A spreadsheet would run a text that begins like a formula.
import { visible } from '../console.ts'
import { at, textOf, type Json } from './records.ts'

const isFormula = (text: string): boolean => /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text)

function cell(value: unknown): string {
  const text = visible(textOf(value).replaceAll('\r\n', '\n'))
  const safe = isFormula(text) ? `'${text}` : text
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvHead = (columns: readonly string[]): string => `${columns.map(cell).join(',')}\r\n`
export const csvLine = (columns: readonly string[], record: Json): string =>
  `${columns.map((name) => cell(at(record, name))).join(',')}\r\n`
