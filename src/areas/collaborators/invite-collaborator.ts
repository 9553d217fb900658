// Invites a collaborator, and sends an invite again.
import { insert, move, update } from '#kernel/data/changes.ts'
import { first, one, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict, forbidden, invalid, notFound } from '#kernel/http/errors.ts'
import { mailRecipient } from '#areas/notifications/announce.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { inviteSent } from './announcements.ts'
import { type Collaborator, collaboratorsTable, everyRight, inviteMoves, type NewCollaborator } from './collaborator.ts'
import type { Invitation } from './invitation.ts'
import { collaborators } from './queries.ts'
import { assertMayGrant, requireAbove, requireAuthority } from './authority-over.ts'

export async function inviteCollaborator(
  ctx: OrganizationContext,
  body: NewCollaborator,
  invitation: Invitation,
): Promise<Collaborator> {
  const { role = 'member', ...rest } = body
  assertProven(ctx)
  assertMayGrant(ctx, await requireAuthority(ctx, 'admin'), { ...body, role })
  if (role === 'owner' && (await first(ctx, collaborators.owner(ctx.organizationId))))
    throw conflict('The organization has an owner, or an invite for one')
  return writeInvite(ctx, { ...rest, ...(role === 'owner' && everyRight()), invited_role: role }, invitation)
}

/** For an organization that staff create without an owner. */
export const inviteOwner = (ctx: OrganizationContext, email: string, invitation: Invitation): Promise<Collaborator> =>
  writeInvite(ctx, { email, invited_role: 'owner', ...everyRight() }, invitation)

async function writeInvite(
  ctx: OrganizationContext,
  values: Omit<NewCollaborator, 'role'> & { invited_role: NonNullable<NewCollaborator['role']> },
  invitation: Invitation,
): Promise<Collaborator> {
  const there = await first(ctx, collaborators.withAddress(ctx.organizationId, values.email))
  if (there)
    throw conflict(
      there.role === 'pending'
        ? `This address has been invited already; the invite is ${there.invite_status}, and can be sent again`
        : 'This address belongs to a collaborator already',
    )
  const written = await insert(ctx, collaboratorsTable, {
    ...values,
    ...invitation,
    role: 'pending',
    invite_status: 'pending',
    parent_user_id: ctx.caller.userId,
  })
  await mailInvite(ctx, written.id)
  return one(ctx, collaborators.record(ctx.organizationId, written.id, ctx.realNow))
}

const mailInvite = (ctx: OrganizationContext, id: number): Promise<void> =>
  enqueue(ctx, mailRecipient, { mail: inviteSent.mail, resource_id: id, user_id: null })

/** Gives the invite a new token and seven more days; the old token stops working. */
export async function resendInvite(
  ctx: OrganizationContext,
  id: number,
  invitation: Invitation,
): Promise<Collaborator> {
  assertProven(ctx)
  const authority = await requireAuthority(ctx, 'admin')
  const there = await first(ctx, collaborators.rowById(ctx.organizationId, id))
  if (!there) throw notFound()
  const role = there.invited_role ?? there.role
  requireAbove(authority, role)
  if (there.role !== 'pending') throw conflict('This collaborator has accepted already')
  assertMayGrant(ctx, authority, { ...there, role })
  await (there.invite_status === 'pending'
    ? update(ctx, collaboratorsTable, id, invitation, collaboratorsTable.events.invite_resent)
    : move(ctx, collaboratorsTable, id, inviteMoves.resend, invitation))
  await mailInvite(ctx, id)
  return one(ctx, collaborators.record(ctx.organizationId, id, ctx.realNow))
}

/** An account without a proven address must not send mail to other addresses. */
function assertProven({ caller }: OrganizationContext): void {
  if (!caller.proven)
    throw forbidden(
      'Confirm your e-mail address before you invite others: follow the link in the mail to it, or have it sent again by POST /auth/resend-verification',
    )
}

export function assertDatesInOrder(dates: { started_at?: string | null; expired_at?: string | null }): void {
  const { started_at: start, expired_at: end } = dates
  if (start && end && new Date(end) <= new Date(start)) throw invalid({ expired_at: 'must lie after started_at' })
}
