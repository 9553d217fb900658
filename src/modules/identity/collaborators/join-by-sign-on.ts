// Membership of a person whom the organization's own identity provider has signed in for the first time.
import { insert } from '#kernel/data/changes.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { type Scope, SCOPES } from '#kernel/values/permissions.ts'
import { chooseFirstTeam } from '#modules/identity/auth/change-profile.ts'
import { collaboratorsTable } from './collaborator.ts'
import { collaborators } from './queries.ts'

type Joining = { userId: number; email: string; scopes: readonly Scope[]; startsAt: Date }

/**
 * Does nothing for whoever is or was a member: a membership that has ended comes back by an invite only. An invite that
 * waits is for the person to answer.
 */
export async function joinBySignOn(
  ctx: OrganizationContext,
  { userId, email, scopes, startsAt }: Joining,
): Promise<void> {
  if (await first(ctx, collaborators.withAddress(ctx.organizationId, email))) return
  if (await first(ctx, collaborators.wasRemoved(ctx.organizationId, userId))) return
  await insert(ctx, collaboratorsTable, {
    user_id: userId,
    email,
    role: 'member',
    started_at: startsAt.toISOString(),
    ...Object.fromEntries(scopes.map((scope) => [SCOPES[scope].flag, true])),
  })
  await chooseFirstTeam(ctx, userId, ctx.organizationId)
}
