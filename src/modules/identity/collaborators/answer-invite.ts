// Checks, accepts and rejects an invite by its token.
import { move } from '#kernel/data/changes.ts'
import { first, type OrganizationContext, type SystemContext } from '#kernel/data/context.ts'
import { conflict, forbidden, notFound } from '#kernel/values/errors.ts'
import { chooseFirstTeam } from '#modules/identity/auth/change-profile.ts'
import { proveAddress } from '#modules/identity/auth/verify-account.ts'
import { collaboratorsTable, inviteMoves } from './collaborator.ts'
import { setOwner } from '#modules/identity/organizations/set-owner.ts'
import type { InviteAnswer, InviteCheck } from './received-invite.ts'
import { type FoundInvite, invites } from './invite-queries.ts'

export async function checkInvite(ctx: SystemContext, token: string): Promise<InviteCheck> {
  const found = await byToken(ctx, token)
  const { organization_id, organization_name, email, invited_role: role, expiration } = found
  const expired = isOver(ctx, found)
  const status = expired ? 'expired' : (found.invite_status ?? 'expired')
  return {
    status,
    is_valid: status === 'pending',
    organization_id,
    organization_name,
    email,
    role,
    expiration,
    expired,
  }
}

/** Makes the caller a collaborator. It also proves their address, because the token was mailed to it. */
export async function acceptInvite(ctx: SystemContext, token: string): Promise<InviteAnswer> {
  const { userId } = ctx.caller
  const { inside, id, invite } = await callersInvite(ctx, token)
  if (isOver(ctx, invite)) throw conflict('invite_expired', 'The invite has expired; ask for a new one')
  if (await first(inside, invites.isMember(inside.organizationId, userId)))
    throw conflict('already_member', 'You belong to this organization already')
  const role = invite.invited_role ?? 'member'
  if (role === 'owner' && (await first(inside, invites.hasOwner(inside.organizationId))))
    throw conflict('owner_exists', 'The organization has an owner already')
  await move(inside, collaboratorsTable, id, inviteMoves.accept, { user_id: userId, role })
  if (role === 'owner' && userId !== null) await setOwner(inside, userId)
  if (userId !== null) await chooseFirstTeam(ctx, userId, inside.organizationId)
  if (!ctx.caller.proven && userId !== null) await proveAddress(ctx, userId)
  return { organization_id: inside.organizationId, collaborator_id: id, status: 'accepted' }
}

export async function rejectInvite(ctx: SystemContext, token: string): Promise<InviteAnswer> {
  const { inside, id, invite } = await callersInvite(ctx, token)
  if (isOver(ctx, invite)) throw conflict('invite_expired', 'The invite has expired')
  await move(inside, collaboratorsTable, id, inviteMoves.reject)
  return { organization_id: inside.organizationId, collaborator_id: id, status: 'rejected' }
}

type InviteState = Pick<FoundInvite, 'email' | 'invited_role' | 'invite_status' | 'expiration'>

/**
 * Finds the token over all organizations, then reads it again in the organization: a resend meanwhile replaces the
 * token.
 */
async function callersInvite(
  ctx: SystemContext,
  token: string,
): Promise<{ inside: OrganizationContext; id: number; invite: InviteState }> {
  const { organization_id: organizationId, id, email } = await byToken(ctx, token)
  if (email.toLowerCase() !== ctx.caller.email?.toLowerCase())
    throw forbidden('invite_for_other_address', 'The invite is for another e-mail address')
  const inside = await ctx.enter(organizationId)
  const invite = await first(inside, invites.stillThere(organizationId, id, token))
  if (!invite) throw notFound('No such invite')
  return { inside, id, invite }
}

async function byToken(ctx: SystemContext, token: string): Promise<FoundInvite> {
  const found = await first(ctx, invites.byToken(token))
  if (!found) throw notFound('No such invite')
  return found
}

const isOver = ({ now }: Pick<SystemContext, 'now'>, { invite_status: status, expiration }: InviteState): boolean =>
  status === 'expired' || (status === 'pending' && expiration !== null && new Date(expiration) <= now)
