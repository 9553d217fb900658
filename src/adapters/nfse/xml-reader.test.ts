import { describe, expect, it } from 'vitest'
import { readXml, UnreadableXml } from './xml-reader.ts'

describe('readXml', () => {
  it.each([
    ['NUL', '\0'],
    ['another control character', '\u0001'],
    ['half a character', '\ud800'],
    ['no character at all', '\uffff'],
  ])('refuses %s: what is signed is kept as it is, and could not be', (_what, sign) => {
    expect(() => readXml(`<a><b>one${sign}two</b></a>`)).toThrow(UnreadableXml)
    expect(() => readXml(`<a b="${sign}"/>`)).toThrow(UnreadableXml)
  })
  it('reads every other', () => {
    expect(readXml('<a><b>á\t日本 🚀 &amp;</b></a>').text('a', 'b')).toBe('á\t日本 🚀 &')
  })
})
