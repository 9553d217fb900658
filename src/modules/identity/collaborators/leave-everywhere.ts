// Ends all that a person has in organizations: memberships, and invites to their addresses.
import { revokeKeysOf } from '#modules/identity/auth/keys/api-key.ts'
import { remove } from '#kernel/data/changes.ts'
import { first, type SystemContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import { collaboratorsTable } from './collaborator.ts'
import { collaborators } from './queries.ts'

/** 409 for the owner of an organization that is not deleted. */
export async function assertOwnsNothing(ctx: SystemContext, userId: number): Promise<void> {
  const owned = await first(ctx, collaborators.owned(userId))
  if (owned) throw conflict('last_owner', `The person owns organization ${owned.id}; transfer or delete it first`)
}

/** `addresses`: in lower case. */
export async function leaveEverywhere(ctx: SystemContext, userId: number, addresses: readonly string[]): Promise<void> {
  const memberships = await ctx.ask(collaborators.everywhere(userId, addresses))
  const organizations = Map.groupBy(memberships, ({ organization_id: id }) => id)
  for (const [organizationId, rows] of organizations) {
    const inside = await ctx.enter(organizationId)
    // Under the lock of the organization, since its ownership may have been transferred meanwhile.
    await assertOwnsNothing(ctx, userId)
    await revokeKeysOf(inside, userId)
    for (const { id } of rows)
      if (await first(inside, collaborators.rowById(organizationId, id))) await remove(inside, collaboratorsTable, id)
  }
}
