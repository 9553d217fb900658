import { describe, expect, it } from 'vitest'
import { readXml, UnreadableXml } from './xml.ts'

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
    expect(readXml('<a><b>á\t日本 🚀 &amp;</b></a>').text('a.b')).toBe('á\t日本 🚀 &')
  })
  it.each([
    ['a document type', '<!DOCTYPE a><a/>', 'declares a document type'],
    ['an entity', '<a><!ENTITY x "y"></a>', 'declares a document type'],
    ['an open element', '<a><b></a>', 'is not well-formed'],
    ['two attributes of a name', '<a b="1" b="2"/>', 'is not well-formed'],
    ['no XML', 'a', 'is not well-formed'],
    ['more than 512 Ki characters', `<a>${' '.repeat(512 * 1024)}</a>`, 'is too long'],
  ])('refuses %s', (_what, xml, why) => {
    expect(() => readXml(xml)).toThrow(new UnreadableXml(why))
  })
  it('decodes XML’s own entities and numbers, once, and leaves all others as they are written', () => {
    const text = '&lt;b&gt; &amp;lt; &quot;&apos; &#65;&#x42;&#x1F680; &xxe; &AMP; &#0;&#1;&#xD800;&#x110000;'
    expect(readXml(`<a b="${text}">${text}</a>`).at('a').text('@b')).toBe(
      `<b> &lt; "' AB🚀 &xxe; &AMP; &#0;&#1;&#xD800;&#x110000;`,
    )
  })
  it('finds elements whatever their prefix, and one of several never', () => {
    const xml = readXml('<n:a xmlns:n="urn:x"><n:b n:c="1">2</n:b><d>3</d><d>4</d><e/></n:a>')
    expect([xml.text('a.b'), xml.text('a.b.@c'), xml.at('a').text('b')]).toEqual(['2', '1', '2'])
    expect([xml.text('a.d'), xml.text('a.e'), xml.text('a.f.g'), xml.at('a.f').text('g')]).toEqual(Array(4).fill(null))
    expect([xml.has('a.d'), xml.has('a.e'), xml.has('a.f'), xml.has('a.constructor')]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})
