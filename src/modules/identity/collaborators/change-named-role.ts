// Creates, changes and removes named roles. Members keep a copy of the scopes, so that every check reads the member
// alone; a change of the role is a change of each of them, in one transaction (docs/interface/identity.md).
import { insert, remove, update } from '#kernel/data/changes.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict, forbidden, notFound } from '#kernel/values/errors.ts'
import { holds, type Scope } from '#kernel/values/permissions.ts'
import { type Authority, requireAbove, requireAuthority } from './authority-over.ts'
import { collaboratorsTable } from './collaborator.ts'
import {
  flagsOf,
  MAX_ROLES,
  type NamedRole,
  type NamedRoleChange,
  namedRolesTable,
  type NewNamedRole,
} from './named-role.ts'
import { namedRoles } from './named-role-queries.ts'

export async function createNamedRole(ctx: OrganizationContext, body: NewNamedRole): Promise<NamedRole> {
  const authority = await requireAuthority(ctx, 'admin')
  assertOwn(authority, body.scopes)
  if (!(await first(ctx, namedRoles.room(ctx.organizationId))))
    throw conflict('limit_reached', `There can be ${MAX_ROLES} named roles`)
  await assertNameFree(ctx, body.name, null)
  return insert(ctx, namedRolesTable, { description: null, ...body })
}

/** Nobody changes what those at or above them may do, nor adds a scope that they lack. */
export async function changeNamedRole(ctx: OrganizationContext, id: number, body: NamedRoleChange): Promise<NamedRole> {
  const authority = await requireAuthority(ctx, 'admin')
  const before = await namedRoleThere(ctx, id)
  const { scopes } = body
  assertOwn(
    authority,
    (scopes ?? []).filter((scope) => !before.scopes.includes(scope)),
  )
  if (body.name !== undefined) await assertNameFree(ctx, body.name, id)
  if (scopes !== undefined) {
    const holders = await ctx.ask(namedRoles.holders(ctx.organizationId, id))
    for (const { role, invited_role: invited } of holders)
      requireAbove(authority, role === 'pending' ? (invited ?? 'member') : role)
    await Promise.all(holders.map((holder) => update(ctx, collaboratorsTable, holder.id, flagsOf(scopes))))
  }
  return update(ctx, namedRolesTable, id, body)
}

export async function removeNamedRole(ctx: OrganizationContext, id: number): Promise<void> {
  await requireAuthority(ctx, 'admin')
  await namedRoleThere(ctx, id)
  if (await first(ctx, namedRoles.holders(ctx.organizationId, id)))
    throw conflict('role_in_use', 'Members or invites have this role; give them another one first')
  await remove(ctx, namedRolesTable, id)
}

async function namedRoleThere(ctx: OrganizationContext, id: number): Promise<NamedRole> {
  const found = await first(ctx, namedRoles.one(ctx.organizationId, id))
  if (!found) throw notFound()
  return found
}

function assertOwn({ scopes: own }: Authority, scopes: readonly Scope[]): void {
  const lacked = scopes.find((scope) => !holds(own, scope))
  if (lacked) throw forbidden('more_than_own', `The scope ${lacked} is not yours to grant`)
}

async function assertNameFree(ctx: OrganizationContext, name: string, but: number | null): Promise<void> {
  if (await first(ctx, namedRoles.named(ctx.organizationId, name, but)))
    throw conflict('name_taken', 'There is a role with this name already')
}
