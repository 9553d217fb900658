// Makes text storable in PostgreSQL. Text of clients with NUL or unpaired surrogates is refused (validation.ts); text
// of other systems, and text that is composed or cut here, is cleaned, so that no record fails because of a character
// in a message.

const REPLACEMENT = '\ufffd'

/** Replaces NUL and unpaired surrogates, which PostgreSQL cannot store. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', REPLACEMENT)

/** The beginning of the text; never ends with one half of a surrogate pair. */
export function cut(text: string, maxLength: number): string {
  const beginning = text.slice(0, maxLength)
  return /[\ud800-\udbff]$/.test(beginning) && text.length > maxLength ? beginning.slice(0, -1) : beginning
}

/** A message of another system as one line without control characters. */
export const oneLine = (text: string, maxLength: number): string =>
  cut(text.replaceAll(/[\s\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ').trim(), maxLength).trimEnd()

/** JSON for a `jsonb` value, with all texts and names storable. */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value ?? null)
  // JSON.stringify writes NUL and unpaired surrogates as `\u` escapes. Other `\u` escapes are storable and stay.
  return json.includes('\\u') ? json.replaceAll(/\\(?:(u0000|ud[89a-f][0-9a-f]{2})|.)/g, replaced) : json
}

const replaced = (escape: string, unstorable: string | undefined): string =>
  unstorable === undefined ? escape : REPLACEMENT
