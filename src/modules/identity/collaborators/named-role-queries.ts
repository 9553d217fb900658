// All SQL of named roles.
import { page, row } from '#http/route.ts'
import { raw, sql } from '#kernel/values/sql.ts'
import type { Page } from '#kernel/values/schema.ts'
import type { CollaboratorRow } from './collaborator.ts'
import { MAX_ROLES, NamedRole } from './named-role.ts'

const columns = raw(Object.keys(NamedRole.properties).join(', '))

export const namedRoles = {
  page: (org: number, query: Page) =>
    page(query, { columns: sql`${columns}`, from: sql`from organization_roles where organization_id = ${org}` }),
  byId: (org: number, id: number) => row<NamedRole>(namedRoles.one(org, id)),
  one: (org: number, id: number) =>
    sql<NamedRole>`select ${columns} from organization_roles where organization_id = ${org} and id = ${id}`,
  room: (org: number) => sql`
    select 1 from organization_roles where organization_id = ${org} having count(*) < ${MAX_ROLES}`,
  named: (org: number, name: string, but: number | null) => sql`
    select id from organization_roles
     where organization_id = ${org} and lower(name) = lower(${name}) and id is distinct from ${but}::bigint`,
  /** Members and invites, in the order of their ids. */
  holders: (org: number, id: number) => sql<Pick<CollaboratorRow, 'id' | 'role' | 'invited_role'>>`
    select id, role, invited_role from collaborators
     where organization_id = ${org} and named_role_id = ${id} order by id`,
}
