// Which language a text is in, as far as tests need it: whole sentences of the catalogue, and the small words that no
// sentence goes without.
import type { Language } from '#texts/language.ts'

/** Where data stands in a text: the words around it are the catalogue's. */
export const slot = (name: string | number): string => `⟦${name}⟧`

/** Slots, what a fact that is missing leaves, addresses, and names of codes: none of them is of a language. */
const SLOTS = /⟦[^⟦⟧]*⟧|(?<!\p{L})null(?!\p{L})|\S+@\S+|https?:\S+|\b[A-Z]+_[A-Z_]+\b/gu

/** The text with all of its data alike, so that only words differ. */
export const wordsOf = (text: string): string => text.replaceAll(SLOTS, '⟦⟧').trim()

/** What stands between the data. */
export const fragmentsOf = (text: string): string[] =>
  text.split(SLOTS).flatMap((part) => {
    const trimmed = part.replace(/^[\s.,:;·–()]+|[\s.,:;·–()]+$/g, '')
    return /\p{L}{2}/u.test(trimmed) ? [trimmed] : []
  })

/** Words of one language that are none of the other. */
const SMALL_WORDS: Record<Language, RegExp> = {
  en: /(?<![\p{L}\d-])(the|and|your|you|is|are|was|were|with|this|that|of|to|from|has|have|it|will|not|by|on|been|can|an|at|in)(?![\p{L}\d-])/giu,
  'pt-BR':
    /(?<![\p{L}\d-])(de|da|dos|das|não|você|para|com|uma|um|em|que|seu|sua|foi|está|são|os|ao|pelo|pela|até|mais|este|esta|já|nós|por)(?![\p{L}\d-])/giu,
}

export const other = (language: Language): Language => (language === 'en' ? 'pt-BR' : 'en')

/** Small words of the other language. */
export const foreignWordsIn = (language: Language, text: string): string[] =>
  text.replaceAll(SLOTS, ' ').match(SMALL_WORDS[other(language)]) ?? []

/** Every text below a value, by its path; functions are given slots, and each way that a number may take. */
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

/** One, many, and nothing in the last place. */
const argumentsFor = (count: number): unknown[][] => {
  const slots = Array.from({ length: count }, (_, index) => slot(index))
  return [slots, slots.map((_, index) => index + 1), [...slots.slice(0, -1), count > 1 ? null : 3000]]
}
