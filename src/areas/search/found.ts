// What the one search gives: which record, how it is called, what of it matched.
import { Type, type Static } from 'typebox'
import { Closed, Id, Paging } from '#kernel/values/schema.ts'

/** In the order in which they are shown. */
export const KINDS = [
  'entitlement',
  'quote',
  'order',
  'invoice',
  'tax_invoice',
  'license',
  'environment',
  'service',
  'ticket',
  'contract',
  'collaborator',
] as const
export type FoundKind = (typeof KINDS)[number]
const kind = Type.Enum(KINDS, { examples: ['entitlement'] })

export const SearchQuery = Closed({
  ...Paging,
  q: Type.String({ minLength: 2, maxLength: 100, examples: ['PLG-2026'] }),
  kind: Type.Optional(kind),
})
export type SearchQuery = Static<typeof SearchQuery>

export const Found = Type.Object(
  {
    kind,
    id: Id,
    label: Type.String({ description: 'Name or number for people', examples: ['PLG-2026110001 Backup Pro'] }),
    matched: Type.String({ description: 'The field that matched', examples: ['code'] }),
  },
  { description: 'A record that matches' },
)
