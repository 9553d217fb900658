// Text as PostgreSQL takes it. What clients send with NUL or half a character in it is refused (validation.ts); what other
// systems say, and what is put together or cut here, is cleaned: a record must not fail for a sign in a message.

const REPLACEMENT = '\ufffd'

/** Without NUL, which no column holds, and without unpaired surrogates, which are no characters. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', REPLACEMENT)

/** The beginning, never with half a character at its end. */
export function cut(text: string, most: number): string {
  const beginning = text.slice(0, most)
  return /[\ud800-\udbff]$/.test(beginning) && text.length > most ? beginning.slice(0, -1) : beginning
}

/** What another system says to people: one line of signs that show, no longer than that. */
export const oneLine = (text: string, most: number): string =>
  cut(text.replaceAll(/[\s\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ').trim(), most).trimEnd()

/** JSON for a `jsonb` value, all of its texts and names storable. */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value ?? null)
  // Only these are written as escapes with a `u` and cannot be stored; others of the kind are rare and left alone.
  return json.includes('\\u') ? json.replaceAll(/\\(?:(u0000|ud[89a-f][0-9a-f]{2})|.)/g, replaced) : json
}

const replaced = (escape: string, unstorable: string | undefined): string =>
  unstorable === undefined ? escape : REPLACEMENT
