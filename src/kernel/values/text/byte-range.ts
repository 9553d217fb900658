// Range requests (RFC 9110, section 14): one range of bytes; a request for several gets the whole.

/** The first and the last byte, both inclusive. */
export type ByteRange = { start: number; end: number }

export const lengthOf = ({ start, end }: ByteRange): number => end - start + 1

/** Null when the header names no single range in a known form, so that it is ignored. */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header?.replaceAll(/[ \t]/g, '') ?? '') ?? []
  if (first === '' && last === '') return null
  if (first === '')
    return last.replaceAll('0', '') === '' ? 'unsatisfiable' : within(size - Number(last), size - 1, size)
  if (last !== '' && Number(last) < Number(first)) return null
  return within(Number(first), last === '' ? size - 1 : Number(last), size)
}

const within = (start: number, end: number, size: number): ByteRange | 'unsatisfiable' =>
  start >= size ? 'unsatisfiable' : { start: Math.max(0, start), end: Math.min(end, size - 1) }
