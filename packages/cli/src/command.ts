// A command of the catalogue: an operation of the API by area and verb, with what can be given to it.
import type { AnyOperation } from '@titular/sdk'

/** How the text of a flag is read: `any` is a text, or true, false or a number; `map` has members of any name. */
export type Kind = 'text' | 'any' | 'integer' | 'number' | 'boolean' | 'json' | 'map' | 'list' | 'integers' | 'file'

export type Field = {
  /** As the API spells it; `line_items[].quantity` is a member of each record of a list. */
  name: string
  kind: Kind
  about?: string
  values?: readonly string[]
  required?: true
  nullable?: true
}

export type Command = {
  area: string
  verb: string
  summary: string
  about: string
  operation: AnyOperation
  /** The parameters of the path, in its order. */
  path: readonly Field[]
  query: readonly Field[]
  body: readonly Field[]
  needsBody?: true
  /** Whether the headers go along. */
  reason?: true
  ifMatch?: true
}

export type Index = { version: string; areas: { [area: string]: { about: string; verbs: { [verb: string]: string } } } }

/** `created_at[gte]` → `created-at.gte`, `line_items[].quantity` → `line-items.N.quantity`. */
export const flagOf = (name: string): string =>
  name.replaceAll('[]', '.N').replaceAll('[', '.').replaceAll(']', '').replaceAll('_', '-')

/** What is typed: `line_items.0.quantity` is spelled `line-items.N.quantity`. */
export const spelled = (typed: string): string => typed.replaceAll('_', '-').replaceAll(/\.\d+(?=\.|$)/g, '.N')

/** Whether it is read without an end: it waits for what happens. */
export const isFeed = ({ query }: Command): boolean =>
  ['after', 'wait'].every((name) => query.some((one) => one.name === name))
export const isList = ({ operation: { answer } }: Command): boolean => answer === 'page' || answer === 'cursor'
