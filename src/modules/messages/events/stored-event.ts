// An event as it is stored, with the entitlement codes that its record has only through another one.
import type { PublishedResource } from '#kernel/data/published.ts'
import { ofOrganization, type OfOrganizations } from '#kernel/data/lists/of-organizations.ts'
import { join, type Statement, sql } from '#kernel/values/sql.ts'

export type StoredEvent = {
  id: number
  organization_id: number
  sequence: number
  type: string
  resource: string
  resource_id: number
  data: Record<string, unknown>
  at: string
  linked_codes: (string | null)[]
}

/** The columns of a `StoredEvent`, to be selected from `events e`, which are `of` one organization or of several. */
export function storedColumns(published: readonly PublishedResource[], of: OfOrganizations): Statement {
  const linked = published.flatMap(({ table, linkedCodes }) =>
    linkedCodes === null ? [] : [sql`when ${table.resource} then array(${linkedCodes(of)})`],
  )
  return sql`e.id, e.organization_id, e.sequence, e.type, e.resource, e.resource_id, e.data, e.at,
    case e.resource ${join(linked, ' ')} else '{}'::text[] end as linked_codes`
}

/** One event, for the jobs of its consumers. */
export const storedEvent = (
  published: readonly PublishedResource[],
  { organizationId, eventId }: { organizationId: number; eventId: number },
): Statement<StoredEvent> =>
  sql`select ${storedColumns(published, ofOrganization(organizationId))} from events e
    where e.organization_id = ${organizationId} and e.id = ${eventId}`
