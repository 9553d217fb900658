// What a body says of the scopes of a member: those of a named role, or flags of their own.
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import { FLAGS } from '#kernel/values/permissions.ts'
import { invalid } from '#kernel/values/errors.ts'
import type { CollaboratorChange } from './collaborator.ts'
import { flagsOf } from './named-role.ts'
import { namedRoles } from './named-role-queries.ts'

/** Scopes come from one place. An owner has no end: nobody could prolong it, or make another one the owner. */
export function roleRules(body: Partial<CollaboratorChange>): Fields {
  const { named_role_id: id, role, expired_at: end } = body
  const flag = FLAGS.find((name) => body[name] !== undefined)
  return {
    ...(typeof id === 'number' && flag !== undefined && { [flag]: 'is given together with named_role_id' }),
    ...(role === 'owner' && typeof end === 'string' && { expired_at: 'must be null for an owner' }),
  }
}

/** The body with the flags of its named role. Flags of their own end a named role. */
export async function withRole<Body extends CollaboratorChange>(ctx: OrganizationContext, body: Body): Promise<Body> {
  const { named_role_id: id } = body
  if (typeof id !== 'number')
    return FLAGS.some((name) => body[name] !== undefined) ? { ...body, named_role_id: null } : body
  const role = await first(ctx, namedRoles.one(ctx.organizationId, id))
  if (!role) throw invalid({ named_role_id: 'names no role of the organization' })
  return { ...body, ...flagsOf(role.scopes) }
}
