// What a kind of notice is called in a language.
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/language.ts'

/** The kind itself where this version has no such kind. */
export function noticeName(language: Language, kind: string): string {
  const names: Record<string, string> = textsIn(language).notices
  return Object.hasOwn(names, kind) ? (names[kind] ?? kind) : kind
}
