// Query and result of the search.
import { Type, type Static } from 'typebox'
import { acrossFilters } from '#kernel/data/lists/across.ts'
import { Closed, Id, Name, Nullable, Pages } from '#kernel/values/schema.ts'

const text = Type.String({ minLength: 2, maxLength: 100, examples: ['PLG-2026'] })

export type SearchQuery = Static<ReturnType<typeof searchSchemas>['SearchQuery']>

const partsOf = (kind: ReturnType<typeof kindOf>) => ({
  query: { ...Pages, q: text, kind: Type.Optional(kind) },
  found: {
    kind,
    id: Id,
    label: Type.String({ description: 'Name or number for people', examples: ['PLG-2026110001 Backup Pro'] }),
    matched: Type.String({ description: 'The field that matched', examples: ['code'] }),
  },
})
const kindOf = (kinds: readonly string[]) => Type.Enum([...kinds], { examples: ['entitlement'] })

/** `kinds`: the kinds of records that are searched. */
export function searchSchemas(kinds: readonly string[]) {
  const { query, found } = partsOf(kindOf(kinds))
  return { SearchQuery: Closed(query), Found: Type.Object(found, { description: 'A record that matches' }) }
}

export function staffSearchSchemas(kinds: readonly string[]) {
  const { query, found } = partsOf(kindOf(kinds))
  return {
    StaffSearchQuery: acrossFilters(query),
    FoundAcross: Type.Object(
      {
        ...found,
        organization_id: Nullable(Type.Integer({ description: 'null for a user', examples: [42] })),
        organization_name: Nullable(Name),
      },
      { description: 'A record of any organization that matches' },
    ),
  }
}
