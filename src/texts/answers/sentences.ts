// What answers say, in the caller's language. The code has English sentences; these tables have each with its
// Portuguese one, and each that is about a field under its code.
import type { Language } from '#texts/language.ts'
import { accountMessages } from './accounts.ts'
import { deliveryMessages } from './delivery.ts'
import { doneMessages } from './done.ts'
import { type FieldSentences, generalFields, type Sentences } from './fields.ts'
import { moduleFields } from './fields-of-modules.ts'
import { salesFields } from './fields-of-sales.ts'
import { nouns } from './nouns.ts'
import { requestMessages } from './requests.ts'
import { salesMessages } from './sales.ts'

type Row = { english: string; portuguese: string; code: string | null }

const rowsOf = (sentences: Sentences, code: string | null): Row[] =>
  Object.entries(sentences).map(([english, portuguese]) => ({ english, portuguese, code }))

const fieldRows = (tables: FieldSentences): Row[] =>
  Object.entries(tables).flatMap(([code, sentences]) => rowsOf(sentences, code))

/** All sentences, for the tests too. */
export const SENTENCES: readonly Row[] = [
  ...[generalFields, salesFields, moduleFields].flatMap(fieldRows),
  ...[requestMessages, accountMessages, salesMessages, deliveryMessages, doneMessages].flatMap((table) =>
    rowsOf(table, null),
  ),
]

const PLACE = /\{\d\}/
const exact = new Map(SENTENCES.filter(({ english }) => !PLACE.test(english)).map((row) => [row.english, row]))

/** Those with the longest fixed text first, so that a general one does not take what a special one says. */
const templates = SENTENCES.filter(({ english }) => PLACE.test(english))
  .map((row) => ({ row, fixed: row.english.split(/\{\d\}/g) }))
  .toSorted((a, b) => b.fixed.join('').length - a.fixed.join('').length)
  .map(({ row, fixed }) => ({ row, pattern: new RegExp(`^${fixed.map(RegExp.escape).join('(.*?)')}$`, 's') }))

/** Longer ones repeat what a client sent; nobody reads them, and matching them takes time. */
const LONGEST = 1000

type Match = { row: Row; values: readonly string[] }

function matchOf(sentence: string): Match | null {
  const row = exact.get(sentence)
  if (row) return { row, values: [] }
  if (sentence.length > LONGEST) return null
  for (const { row: template, pattern } of templates) {
    const found = pattern.exec(sentence)
    if (found) return { row: template, values: found.slice(1) }
  }
  return null
}

/** The sentence in the language; in English when the tables lack it. What stands in its places is translated too. */
export function sentenceIn(language: Language, sentence: string): string {
  const match = language === 'en' ? null : matchOf(sentence)
  if (!match) return sentence
  return match.row.portuguese.replaceAll(/\{(\d)\}/g, (_, place: string) => {
    const value = match.values[Number(place) - 1] ?? ''
    return nounOf(value) ?? sentenceIn(language, value)
  })
}

/** No object: clients send words such as `constructor` too. */
const NOUNS = new Map(Object.entries(nouns))

/** `Quote`, `A quote` and `another quote`. */
function nounOf(value: string): string | undefined {
  const noun = value.replace(/^(?:an?|another) /i, '')
  return NOUNS.get(noun) ?? NOUNS.get(noun.slice(0, 1).toLowerCase() + noun.slice(1))
}

export const hasTranslation = (sentence: string): boolean => matchOf(sentence) !== null

/** `fields` and `field_codes` of an answer. */
export function fieldsIn(language: Language, fields: Readonly<Record<string, string>>) {
  const problems = Object.entries(fields)
  return {
    fields: Object.fromEntries(problems.map(([field, sentence]) => [field, sentenceIn(language, sentence)])),
    field_codes: Object.fromEntries(problems.map(([field, sentence]) => [field, fieldCodeOf(sentence)])),
  }
}

export const fieldCodeOf = (sentence: string): string => matchOf(sentence)?.row.code ?? 'invalid'
