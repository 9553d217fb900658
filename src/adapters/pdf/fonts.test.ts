// Scripts that DejaVu lacks: each grapheme is drawn by a font that has its glyphs, and no line is wider than its place.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openPen, type Style } from './page.ts'
import { openFonts } from './fonts.ts'
import { graphemesOf } from './text.ts'

const ABOUT = { title: 'T', language: 'en', author: 'A', madeAt: '2026-11-20T14:00:00.000Z', margin: 0 }
const pen = openPen({ ...ABOUT, content: 'カナ' })
const fonts = openFonts(pen.doc, 'カナ')

const letters = (from: number, to: number) =>
  fc.integer({ min: from, max: to }).map((code) => String.fromCodePoint(code))
const script = fc.oneof(
  letters(0x20, 0x24f),
  letters(0x400, 0x4ff),
  letters(0x900, 0x97f),
  letters(0xe01, 0xe5b),
  letters(0x3000, 0x30ff),
  letters(0x4e00, 0x9fff),
  letters(0xac00, 0xd7a3),
  letters(0xff00, 0xffef),
  letters(0x1f300, 0x1f64f),
  letters(0x980, 0x9ff),
  fc.constantFrom(' ', ' ', '\u200d', '\ufe0f', '\u094d', '👩‍💻', '🇧🇷', '👍🏽', 'क्षत्रिय', 'ภาษาไทย', 'שלום', 'مرحبا'),
)
const anyText = fc.array(script, { maxLength: 80 }).map((parts) => parts.join(''))

const SAMPLES = {
  Japanese: '株式会社サンプル、（年間）「特別」',
  Chinese: '广东省深圳市 臺灣 繁體',
  Korean: '주식회사 샘플',
  Devanagari: 'हिन्दी कंपनी क्षत्रिय श्री',
  Thai: 'ไทยคอมพานี จำกัด',
  emoji: '👩‍💻 🇧🇷 👍🏽 🥳 🏳️‍🌈',
}

const nameIn = (sample: string) => openFonts(openPen({ ...ABOUT, content: '' }).doc, sample).runsOf('骨', false)
const signs = (text: string) => text.replaceAll(/\s/g, '')

describe('scripts that DejaVu lacks', () => {
  it.each(Object.entries(SAMPLES))('%s has no boxes, in regular or bold', (_name, sample) => {
    for (const bold of [false, true]) expect(pen.fit(sample, { size: 9, bold })).not.toContain('□')
  })
  it('a text in several scripts is drawn by as many fonts', () => {
    const names = fonts.runsOf('Nome 株式会社 हिन्दी', false).map(({ face, text: of }) => [face.name, of])
    expect(names).toEqual([
      ['regular', 'Nome '],
      ['japanese', '株式会社'],
      ['regular', ' '],
      ['devanagari', 'हिन्दी'],
    ])
  })
  it('Chinese characters have their Japanese forms in a document with kana', () => {
    expect(nameIn('の').map(({ face }) => face.name)).toEqual(['japanese'])
    expect(nameIn('中文').map(({ face }) => face.name)).toEqual(['chinese'])
  })
  it('what no font has is one box', () => {
    expect(pen.fit('বাংলা\u{10ffff}', { size: 9 })).toBe('□□□')
  })
})

describe('any text of many scripts', () => {
  it('has only graphemes that the font of their run can draw', () => {
    fc.assert(
      fc.property(anyText, fc.boolean(), (given, bold) => {
        const fit = pen.fit(given, { size: 9, bold })
        for (const { face, text: of } of fonts.runsOf(fit, bold))
          expect(graphemesOf(of).filter((one) => one !== '\n' && !face.hasAll(one))).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
  it('has lines that fit their width, with all signs of the text', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 40, max: 300 }), fc.boolean(), (given, width, bold) => {
        const style: Style = { size: 9, bold }
        const measure = pen.measureOf(style)
        const lines = pen.lines(given, style, width)
        // One sign alone may be wider than its place.
        const wide = lines.filter((line) => measure(line) > width + 0.01 && graphemesOf(line).length > 1)
        expect(wide).toEqual([])
        expect(signs(lines.join(''))).toBe(signs(pen.fit(given, style)))
      }),
      { numRuns: 300 },
    )
  })
})
