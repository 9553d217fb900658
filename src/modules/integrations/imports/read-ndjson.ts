// Reads NDJSON: one JSON object on each line, in UTF-8.
import { AppError } from '#kernel/values/errors.ts'
import { parseJson } from '#kernel/values/validation/validation.ts'
import { type Entry, MOST_LINE_BYTES, type Place, TOO_LONG } from './file-reading.ts'
import { type Mapping, mappedValues } from './mapping.ts'

const LINE_FEED = 10

export async function* ndjsonEntries(
  bytes: AsyncIterable<Buffer>,
  mapping: Mapping | null,
  from: Place,
): AsyncGenerator<Entry> {
  let { line, position: end } = from
  let length = 0
  let pieces: Buffer[] = []
  const entry = (): Entry[] => {
    const found =
      length > MOST_LINE_BYTES ? { values: {}, problems: { row: TOO_LONG } } : objectOf(Buffer.concat(pieces), mapping)
    pieces = []
    length = 0
    return found ? [{ line, lastLine: line, end, ...found }] : []
  }
  for await (const chunk of bytes) {
    for (let start = 0; start < chunk.length;) {
      const at = chunk.indexOf(LINE_FEED, start)
      const until = at < 0 ? chunk.length : at
      length += until - start
      // What is too long is counted and let go.
      if (length <= MOST_LINE_BYTES) pieces.push(chunk.subarray(start, until))
      else pieces = []
      end += until - start
      start = until
      if (at < 0) continue
      line += 1
      end += 1
      start += 1
      yield* entry()
    }
  }
  line += 1
  yield* entry()
}

/** Null for an empty line. */
function objectOf(bytes: Buffer, mapping: Mapping | null): Pick<Entry, 'values' | 'problems'> | null {
  if (bytes.every((one) => SPACES.includes(one))) return null
  try {
    const value = parseJson(bytes)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { values: mappedValues({ ...value }, mapping), problems: {} }
    return { values: {}, problems: { row: 'must be a JSON object' } }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { values: {}, problems: { row: error.details.fields?.['body'] ?? 'is no JSON in UTF-8' } }
  }
}

const SPACES = [9, 13, 32]
