// Changes and removes collaborators, and transfers the ownership.
import { revokeKeysOf } from '#modules/identity/auth/keys/api-key.ts'
import { insert, remove, update } from '#kernel/data/changes.ts'
import { first, one, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict, forbidden, notFound } from '#kernel/values/errors.ts'
import { isPast } from '#kernel/values/time/clock.ts'
import {
  type Collaborator,
  type CollaboratorChange,
  type CollaboratorRow,
  collaboratorsTable,
  everyRight,
} from './collaborator.ts'
import { withRole } from './assign-role.ts'
import { assertDatesInOrder } from './invite-collaborator.ts'
import { collaborators } from './queries.ts'
import { assertMayGrant, requireAbove, requireRank, requireAuthority, authorityOf } from './authority-over.ts'

/** The user who creates an organization becomes its owner. */
export async function addOwner(ctx: OrganizationContext, owner: { userId: number; email: string }): Promise<void> {
  await insert(ctx, collaboratorsTable, {
    user_id: owner.userId,
    email: owner.email,
    role: 'owner',
    started_at: ctx.now.toISOString(),
    ...everyRight(),
  })
}

export async function changeCollaborator(
  ctx: OrganizationContext,
  id: number,
  given: CollaboratorChange,
): Promise<Collaborator> {
  const body = await withRole(ctx, given)
  const authority = await requireAuthority(ctx, 'admin')
  const there = await collaboratorThere(ctx, id)
  requireAbove(authority, rankOf(there))
  if (rankOf(there) === 'owner')
    throw conflict('owner_by_transfer_only', 'The permissions of an owner change by a transfer of ownership only')
  const { role, ...rest } = body
  const isNewRole = role !== undefined && role !== rankOf(there)
  const before = { ...there, role: rankOf(there) }
  assertMayGrant(ctx, authority, { ...before, ...body }, before)
  if (isNewRole && role === 'owner') throw conflict('owner_by_transfer_only', 'Ownership changes by a transfer only')
  assertDatesInOrder({ ...there, ...rest })
  // The membership may be reopened, but its API keys have ended for good.
  if (there.user_id !== null && there.expired_at !== null && isPast(ctx, there.expired_at))
    await revokeKeysOf(ctx, there.user_id)
  await update(ctx, collaboratorsTable, id, {
    ...rest,
    ...(isNewRole && (there.role === 'pending' ? { invited_role: role } : { role })),
  })
  return one(ctx, collaborators.record(ctx.organizationId, id, ctx))
}

/** Admins and owners remove collaborators below them; everybody but an owner may remove themselves. */
export async function removeCollaborator(ctx: OrganizationContext, id: number): Promise<void> {
  const authority = await authorityOf(ctx)
  const isSelf = authority.collaboratorId === id
  if (!isSelf) requireRank(authority, 'admin')
  const there = await collaboratorThere(ctx, id)
  if (!isSelf) requireAbove(authority, rankOf(there))
  if (there.role === 'owner')
    throw conflict('last_owner', 'The organization needs an owner; transfer the ownership first')
  if (there.user_id !== null) await revokeKeysOf(ctx, there.user_id)
  await remove(ctx, collaboratorsTable, id)
}

/** Makes the old owner an admin with every scope. Returns the new owner's user id. */
export async function swapOwner(ctx: OrganizationContext, collaboratorId: number): Promise<number> {
  const { collaboratorId: mine, role } = await authorityOf(ctx)
  if (role !== 'owner' || mine === null) throw forbidden('role_too_low', 'Only the owner may transfer the organization')
  const heir = await collaboratorThere(ctx, collaboratorId)
  if (heir.id === mine) throw conflict('already_owner', 'You own this organization already')
  const membership = await first(ctx, collaborators.membershipBy(ctx.organizationId, heir.id, ctx))
  if (!membership || membership.disabled || membership.role === 'guest' || heir.user_id === null)
    throw conflict('heir_not_eligible', 'The new owner must be an active member or admin')
  await update(ctx, collaboratorsTable, mine, { role: 'admin', named_role_id: null, ...everyRight() })
  await update(ctx, collaboratorsTable, heir.id, {
    role: 'owner',
    expired_at: null,
    named_role_id: null,
    ...everyRight(),
  })
  return heir.user_id
}

async function collaboratorThere(ctx: OrganizationContext, id: number): Promise<CollaboratorRow> {
  const there = await first(ctx, collaborators.rowById(ctx.organizationId, id))
  if (!there) throw notFound()
  return there
}

/** The role, or for an invite the role that it will give. */
const rankOf = ({ role, invited_role: invited }: CollaboratorRow): CollaboratorRow['role'] =>
  role === 'pending' ? (invited ?? 'member') : role
