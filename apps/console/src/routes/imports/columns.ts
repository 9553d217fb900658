// The columns of a CSV, read from its beginning in the browser; the service reads the file by the same rules.

export type Delimiter = ',' | ';' | '\t'
type FileFormat = { delimiter: Delimiter | ''; encoding: 'utf-8' | 'windows-1252' }

/** Enough for the first line of any file that people make. */
const READ_BYTES = 64_000

export async function columnsOf(file: File, { delimiter, encoding }: FileFormat): Promise<readonly string[]> {
  if (/\.(ndjson|jsonl)$/i.test(file.name)) return []
  const text = new TextDecoder(encoding).decode(await file.slice(0, READ_BYTES).arrayBuffer())
  const [first = '', second = ''] = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const said = /^sep=([,;\t])/.exec(first)?.[1]
  const line = said === undefined ? first : second
  const by = delimiter || said || ([';', '\t', ','].find((one) => line.includes(one)) ?? ',')
  return cellsOf(line, by)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
}

/** RFC 4180: a quote within quotes is written twice. */
function cellsOf(line: string, delimiter: string): readonly string[] {
  const cells = ['']
  let isQuoted = false
  const letters = Array.from(line)
  for (const [at, letter] of letters.entries()) {
    const last = cells.length - 1
    if (letter === '"') isQuoted = !isQuoted
    else if (letter === delimiter && !isQuoted) cells.push('')
    else cells[last] = `${cells[last] ?? ''}${letter}`
    if (letter === '"' && isQuoted && letters[at - 1] === '"') cells[last] = `${cells[last] ?? ''}"`
  }
  return cells
}

type ColumnMapping = { columns: Readonly<Record<string, string>> }

/** None where each column is called as its field; a column without a field is left out. */
export function mappingOf(columns: readonly string[], fields: Readonly<Record<string, string>>): ColumnMapping | null {
  const named = columns.map((column): [string, string] => [column, (fields[column] ?? column).trim()])
  if (named.every(([column, field]) => column === field)) return null
  return { columns: Object.fromEntries(named.filter(([, field]) => field !== '')) }
}
