// Names that could deceive, and harmless names with the same characters.
import { describe, expect, it } from 'vitest'
import { Name, Reference, Text } from '#kernel/values/schema.ts'
import { compileCheck } from '#kernel/values/validation/validation.ts'
import { isVisibleText, visibleIn } from './visible-text.ts'

const written = (text: string) =>
  text.replaceAll(/[^\p{L}\p{N} ]/gu, (sign) => `<${(sign.codePointAt(0) ?? 0).toString(16)}>`)

describe('isVisibleText', () => {
  it.each([
    'Ação “Ltda.” & Söhne',
    'שלום',
    'شركة النور',
    '한국어',
    '🇧🇷 🦜',
    // ZWNJ and ZWJ inside words, and ZWJ at the end of one: Persian, Sanskrit, Malayalam, a Persian abbreviation.
    'می\u200cخواهم',
    'क\u094d\u200dष',
    'അവന\u0d4d\u200d',
    'سال ۱۳۹۹ ه\u200d.ق',
    // ZWJ, presentation, skin tones and tags of emoji.
    '👩\u200d💻',
    '👩🏽\u200d💻',
    '👨\u200d👩\u200d👧\u200d👦',
    '❤\ufe0f\u200d🔥',
    '🏳\ufe0f\u200d🌈',
    '1\ufe0f\u20e3',
    '☺\ufe0e',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    // A variation selector in a Japanese family name.
    '葛\u{e0100}城',
  ])('takes %s', (text) => expect([written(text), isVisibleText(text)]).toEqual([written(text), true]))

  it.each([
    '\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069',
    '\u061c\u200b\u2060\u2063\ufeff\u00ad\u034f\u115f\u3164\uffa0\u{e0041}',
    '\u200c\u200d\ufe0f\u{e0101}\ufff9\u17b4\u206a',
  ])('refuses each of list %# between Latin letters, first, last and alone', (signs) => {
    for (const sign of signs)
      for (const text of [`Ana${sign}Souza`, `${sign}Ana`, `Ana${sign}`, sign])
        expect([written(text), isVisibleText(text)]).toEqual([written(text), false])
  })

  it.each([
    ['a joiner twice', 'می\u200c\u200cخواهم'],
    ['a joiner after the word', 'می\u200c'],
    ['ZWJ after a word that needs none', 'شركة\u200d'],
    ['the form of an emoji after a digit', 'Acme 1\ufe0f'],
    ['ZWJ after an emoji that nothing follows', '👩\u200d'],
    ['a flag that does not end', '🏴\u{e0067}\u{e0062}'],
    ['a direction mark beside what is allowed', '👩\u200d💻\u202e'],
    ['nothing but blanks', ' \u2800\u00a0'],
  ])('refuses %s', (_what, text) => expect(isVisibleText(text)).toBe(false))
})

describe('visibleIn', () => {
  it.each([
    ['photo\u202egpj.exe', 'photogpj.exe'],
    ['\u200bCaneca\u00ad 👩\u200d💻\ufeff', 'Caneca 👩\u200d💻'],
    ['\u202e', ''],
  ])('%j', (text, visible) => expect(visibleIn(text)).toBe(visible))
})

describe('the shapes', () => {
  it('of single-line names refuse them with a message; texts of several lines do not', () => {
    const message = 'must not be blank, nor hold invisible characters or marks that turn its direction'
    for (const shape of [Name, Reference]) expect(compileCheck(shape)('exe\u202egpj')).toEqual({ body: message })
    expect(compileCheck(Text)('exe\u202egpj\n')).toBeNull()
  })
})
