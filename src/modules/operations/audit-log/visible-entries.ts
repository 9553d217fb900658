// Which entries of an organization's audit log the caller sees: those about records that their scopes cover. Of what is
// published to nobody only those see entries who see the audit logs of all organizations, or who have every scope.
import type { Catalogue } from '#modules/messages/events/catalogue.ts'
import { SCOPE_NAMES } from '#kernel/values/permissions.ts'
import { mayRead } from '#kernel/data/lists/search.ts'
import { join, type Statement, sql } from '#kernel/values/sql.ts'

export function visibleEntries({ published }: Pick<Catalogue, 'published'>): Statement {
  const byScopes = Map.groupBy(published, ({ scopes }) => scopes.join())
  const covered = [...byScopes.values()].map((of) => {
    const resources = of.map(({ table }) => table.resource)
    return sql`resource = any(${resources}) and ${join((of[0]?.scopes ?? []).map(mayRead), ' and ')}`
  })
  return sql`(${mayRead('audit')} or ${hasEveryScope} or ${join(covered, ' or ')})`
}

/** Of a member; staff may have every scope of members without that of the audit log. */
const hasEveryScope = sql`(current_setting('app.staff', true) is distinct from 'on'
  and string_to_array(current_setting('app.scopes', true), ',') @> ${[...SCOPE_NAMES]}::text[])`
