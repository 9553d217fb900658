// The ids that other systems give our records: how a list finds one, and that no two records of a kind have the same.
import { conflict, uniqueViolation } from '#kernel/values/errors.ts'
import type { OrganizationContext } from './context.ts'
import { type Statement, nothing, raw, sql, when } from '#kernel/values/sql.ts'
import type { Table } from './table.ts'

/** A further condition of a list; `alias` is such as `c.`. */
export const withExternalId = ({ external_id }: { external_id?: string }, alias = ''): Statement =>
  when(external_id, (id) => sql`and ${raw(alias)}external_id = ${id}`)

type WithExternalId = { external_id: string }
export const givesExternalId = (values: object): values is WithExternalId =>
  'external_id' in values && typeof values.external_id === 'string'

/** `id`: of the record that is changed. */
type Of = { table: Pick<Table, 'name' | 'resource' | 'columns'>; values: WithExternalId; id?: number }

/**
 * 409 when another record has the external id that the change gives, and which one; a change of what is not there is
 * 404. Changes of an organization wait for each other, so that none comes between this and the change.
 */
export async function assertExternalIdIsFree(ctx: OrganizationContext, { table, values, id }: Of): Promise<void> {
  // An organization is itself one of all, whose ids are claimed (modules/delivery/customers/claims.ts).
  if (!table.columns.includes('organization_id')) return
  const living = table.columns.includes('deleted_at') ? sql`and deleted_at is null` : nothing
  const isHere = when(
    id,
    (one) =>
      sql`and exists (select 1 from ${raw(table.name)} where organization_id = ${ctx.organizationId}
        and id = ${one} ${living})`,
  )
  const [other] = await ctx.ask<{ id: number }>(sql`
    select id from ${raw(table.name)}
     where organization_id = ${ctx.organizationId} and external_id = ${values.external_id}
       and id <> ${id ?? 0} ${living} ${isHere}`)
  if (other) throw externalIdTaken(`${wordsOf(table.resource)} ${other.id}`)
}

/** Of a record that the caller does not see, only the index knows. */
export function throwAsTwin({ name, resource }: Of['table'], error: unknown): never {
  if (uniqueViolation(error) === `${name}_external_id`) throw externalIdTaken(`another ${wordsOf(resource)}`)
  throw error
}

const externalIdTaken = (who: string) => conflict('external_id_taken', `This external_id is taken: ${who}`)

const wordsOf = (resource: string): string => resource.replaceAll('_', ' ')
