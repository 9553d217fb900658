// CSV as spreadsheets read it (RFC 4180).

export const CSV = 'text/csv; charset=utf-8'

/** Spreadsheets take it at the beginning as a sign of UTF-8. */
export const CSV_MARK = '\ufeff'

export const csvOf = (records: readonly (readonly string[])[]): string => `${CSV_MARK}${csvRecords(records)}`

type Delimiter = ',' | ';'

/** Further records of the same file. Brazilian spreadsheets, whose decimals have the comma, expect the semicolon. */
export const csvRecords = (records: readonly (readonly string[])[], delimiter: Delimiter = ','): string =>
  records.map((cells) => `${cells.map((cell) => quoted(cell, delimiter)).join(delimiter)}\r\n`).join('')

/**
 * For text that comes from others: a spreadsheet would run what begins like a formula, some also in full-width signs.
 */
export const asText = (text: string): string => (/^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text)

const quoted = (cell: string, delimiter: Delimiter): string =>
  QUOTED[delimiter].test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

/** A semicolon is quoted also where the comma separates: a Brazilian spreadsheet would separate there. */
const QUOTED: Readonly<Record<Delimiter, RegExp>> = { ',': /[",;\t\r\n]/, ';': /[";\t\r\n]/ }
