// Which bytes a Range header asks for.
import { describe, expect, it } from 'vitest'
import { readRange } from './byte-range.ts'

describe('readRange, of ten bytes', () => {
  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=3-6', 3, 6],
    ['bytes=9-9', 9, 9],
    ['bytes=4-', 4, 9],
    ['bytes=-3', 7, 9],
    ['bytes=-100', 0, 9],
    ['bytes=5-99999999999999999999', 5, 9],
    ['BYTES= 1 - 2', 1, 2],
  ])('%s', (header, start, end) => {
    expect(readRange(header, 10)).toEqual({ start, end })
  })
  it.each(['bytes=10-', 'bytes=10-12', 'bytes=-0', 'bytes=-000', `bytes=${'9'.repeat(400)}-`])(
    '%s is not satisfiable',
    (header) => {
      expect(readRange(header, 10)).toBe('unsatisfiable')
    },
  )
  it.each([undefined, '', 'bytes=', 'bytes=-', 'bytes=6-3', 'bytes=0-1,3-4', 'lines=0-1', 'bytes=a-b', 'bytes=0x1-2'])(
    '%s is ignored',
    (header) => {
      expect(readRange(header, 10)).toBeNull()
    },
  )
})
