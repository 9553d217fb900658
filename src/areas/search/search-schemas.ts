// What the one search gives: which record, how it is called, what of it matched.
import { Type, type Static } from 'typebox'
import { Closed, Id, Paging } from '#kernel/values/schema.ts'

const text = Type.String({ minLength: 2, maxLength: 100, examples: ['PLG-2026'] })

export type SearchQuery = Static<ReturnType<typeof searchSchemas>['SearchQuery']>

/** `kinds`: what is found, in the order in which it is shown. */
export function searchSchemas(kinds: readonly string[]) {
  const kind = Type.Enum([...kinds], { examples: ['entitlement'] })
  return {
    SearchQuery: Closed({ ...Paging, q: text, kind: Type.Optional(kind) }),
    Found: Type.Object(
      {
        kind,
        id: Id,
        label: Type.String({ description: 'Name or number for people', examples: ['PLG-2026110001 Backup Pro'] }),
        matched: Type.String({ description: 'The field that matched', examples: ['code'] }),
      },
      { description: 'A record that matches' },
    ),
  }
}
