// Both languages of a mail say the same facts: every amount, day, month, time, number and code of the one is in the other,
// each in the format of its language.
import { expect, it } from 'vitest'
import { textsIn } from '#texts/catalogue.ts'
import { type Language, LANGUAGES } from '#texts/language.ts'
import type { MailContent, Voice } from '#texts/mail/content.ts'
import { textsBelow } from '#test/harness/languages.ts'
import { CONTENTS } from '#test/scenes/mail-contents.ts'

/** Formats that keep what they were given, so that a value is found again whatever the language makes of it. */
const marked =
  (format: string) =>
  (...given: string[]): string =>
    `⟦${format} ${given.join(' ')}⟧`
const VOICE: Voice = {
  brand: 'Titular',
  date: marked('date'),
  month: marked('month'),
  time: marked('time'),
  money: marked('money'),
}

/** Each fact is another one than all others of its mail, so that none stands for another. */
function unlike(content: MailContent): MailContent {
  let count = 0
  const differing = (key: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one: unknown) => differing(key, one))
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([inner, one]) => [inner, differing(inner, one)]))
    if (typeof value === 'number') return 40 + ++count
    if (typeof value !== 'string') return value
    if (/^\d{4}-\d\d-\d\dT/.test(value)) return new Date(Date.UTC(2026, 10, 27, ++count)).toISOString()
    if (/^\d{4}-\d\d-\d\d$/.test(value)) return `2027-03-${10 + ++count}`
    if (/^\d+\.\d\d$/.test(value)) return `${7000 + ++count}.00`
    return /^[A-Z]+-\d/.test(value) ? `${value}-${++count}` : value
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- facts of the same kind with other values
  return differing('', content) as MailContent
}

/** What a format was given, and the numbers and codes that are written as they are; those of a link are no fact. */
const FIGURE = /⟦[^⟧]*⟧|[\p{L}\p{N}.-]*\p{N}[\p{L}\p{N}.-]*/gu

function figuresIn(language: Language, content: MailContent): Map<string, string[]> {
  const say = textsIn(language).mails.kinds[content.kind]
  const parts = Map.groupBy(textsBelow(Reflect.apply(say, undefined, [content, VOICE])), ([path]) => path)
  return new Map(
    [...parts].map(([path, texts]) => [path, texts.flatMap(([, text]) => text.match(FIGURE) ?? []).toSorted()]),
  )
}

const CASES = Object.values(CONTENTS).map((content) => [content.kind, unlike(content)] as const)

it.each(CASES)('%s: the figures of each of its texts are the same in both languages', (_kind, content) => {
  const [portuguese, english] = LANGUAGES.map((language) => figuresIn(language, content))
  expect(portuguese).toEqual(english)
  // Nothing is written as it is stored: the format of the language makes it readable.
  const raw = [...(english ?? []).values()].flat().filter((one) => /^\d{4}-\d\d(-\d\d|$)|^\d+\.\d\d$/.test(one))
  expect(raw).toEqual([])
})

it('finds figures in most mails', () => {
  const telling = CASES.filter(([, content]) => [...figuresIn('en', content).values()].some((one) => one.length > 0))
  expect(telling.length).toBeGreaterThan(30)
})
