// Detects the language of a text for tests: by sentences of the catalogue, and by small words that almost every sentence
// has.
import type { Language } from '#texts/language.ts'

/** A slot, which stands for data in a text of the catalogue. */
export const slot = (name: string | number): string => `⟦${name}⟧`

/** Slots, the text of missing data, URLs and names of codes: these belong to no language. */
const SLOTS = /⟦[^⟦⟧]*⟧|(?<!\p{L})null(?!\p{L})|\S+@\S+|https?:\S+|\b[A-Z]+_[A-Z_]+\b/gu

/** The text with all data replaced by the same slot. */
export const wordsOf = (text: string): string => text.replaceAll(SLOTS, '⟦⟧').trim()

/** The texts between the data. */
export const fragmentsOf = (text: string): string[] =>
  text.split(SLOTS).flatMap((part) => {
    const trimmed = part.replace(/^[\s.,:;·–()]+|[\s.,:;·–()]+$/g, '')
    return /\p{L}{2}/u.test(trimmed) ? [trimmed] : []
  })

/** Words that only one of the languages has. */
const SMALL_WORDS: Record<Language, RegExp> = {
  en: /(?<![\p{L}\d-])(the|and|your|you|is|are|was|were|with|this|that|of|to|from|has|have|it|will|not|by|on|been|can|an|at|in)(?![\p{L}\d-])/giu,
  'pt-BR':
    /(?<![\p{L}\d-])(de|da|dos|das|não|você|para|com|uma|um|em|que|seu|sua|foi|está|são|os|ao|pelo|pela|até|mais|este|esta|já|nós|por)(?![\p{L}\d-])/giu,
}

export const other = (language: Language): Language => (language === 'en' ? 'pt-BR' : 'en')

/** Small words of the other language. */
export const foreignWordsIn = (language: Language, text: string): string[] =>
  text.replaceAll(SLOTS, ' ').match(SMALL_WORDS[other(language)]) ?? []

/** All texts below a value by path; functions are called with slots and with numbers. */
export function textsBelow(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function')
    return argumentsFor(value.length).map((given, index): [string, string] => [
      `${path}(${index})`,
      String(Reflect.apply(value, undefined, given)),
    ])
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => textsBelow(one, path === '' ? key : `${path}.${key}`))
}

/** Slots; then the numbers 1, 2, 3 …; then slots with the last parameter missing, or 3000 when it is the only one. */
const argumentsFor = (count: number): unknown[][] => {
  const slots = Array.from({ length: count }, (_, index) => slot(index))
  return [slots, slots.map((_, index) => index + 1), [...slots.slice(0, -1), count > 1 ? null : 3000]]
}
