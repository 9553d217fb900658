// Invites a collaborator, and sends an invite again.
import { insert, move, update } from '#kernel/data/changes.ts'
import { first, one, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict, forbidden, invalid, notFound } from '#kernel/values/errors.ts'
import { type Fields, problemsIn } from '#kernel/values/validation/problems.ts'
import { type Clock, isPast } from '#kernel/values/time/clock.ts'
import { queueMails } from '#modules/messages/mails/queue-mails.ts'
import { assertMayMailStranger } from '#modules/messages/mails/stranger-limits.ts'
import { inviteSent } from './announcements.ts'
import {
  type Collaborator,
  type CollaboratorChange,
  collaboratorsTable,
  everyRight,
  inviteMoves,
  type NewCollaborator,
} from './collaborator.ts'
import { roleRules, withRole } from './assign-role.ts'
import type { Invitation } from './invitation.ts'
import { collaborators } from './queries.ts'
import { assertMayGrant, requireAbove, requireAuthority } from './authority-over.ts'

/** Without an invitation the member is only prepared: nothing is mailed, and nothing can be accepted. */
export async function inviteCollaborator(
  ctx: OrganizationContext,
  body: NewCollaborator,
  invitation: Invitation | null,
): Promise<Collaborator> {
  const { role = 'member', ...rest } = await withRole(ctx, body)
  assertProven(ctx)
  assertMayGrant(ctx, await requireAuthority(ctx, 'admin'), { ...rest, role })
  if (role === 'owner' && (await first(ctx, collaborators.owner(ctx.organizationId))))
    throw conflict('owner_exists', 'The organization has an owner, or an invite for one')
  // An import may bring members who have left.
  if (invitation && isOver(ctx, rest)) throw invalid({ expired_at: 'must be in the future' })
  return writeInvite(
    ctx,
    { ...rest, ...(role === 'owner' && { ...everyRight(), named_role_id: null }), invited_role: role },
    invitation,
  )
}

/** For an organization that staff create without an owner. */
export const inviteOwner = (ctx: OrganizationContext, email: string, invitation: Invitation): Promise<Collaborator> =>
  writeInvite(ctx, { email, invited_role: 'owner', ...everyRight() }, invitation)

async function writeInvite(
  ctx: OrganizationContext,
  values: Omit<NewCollaborator, 'role'> & { invited_role: NonNullable<NewCollaborator['role']> },
  invitation: Invitation | null,
): Promise<Collaborator> {
  const there = await first(ctx, collaborators.withAddress(ctx.organizationId, values.email))
  if (there?.role === 'pending') throw conflict('already_invited', whyInvited(there))
  if (there) throw conflict('already_member', 'This address belongs to a collaborator already')
  if (invitation) await assertMayMailStranger(ctx, { kind: 'invite', email: values.email })
  const written = await insert(ctx, collaboratorsTable, {
    ...values,
    ...(invitation && { ...invitation, invite_status: 'pending' }),
    role: 'pending',
    parent_user_id: ctx.caller.userId,
  })
  if (invitation) mailInvite(ctx, written)
  return one(ctx, collaborators.record(ctx.organizationId, written.id, ctx))
}

const whyInvited = ({ invite_status: status }: Pick<Collaborator, 'invite_status'>): string =>
  status === null
    ? 'This address was imported; its invite can be sent'
    : `This address has been invited already; the invite is ${status}, and can be sent again`

const mailInvite = (ctx: OrganizationContext, { id, email }: Pick<Collaborator, 'id' | 'email'>): void =>
  queueMails(ctx, { mail: inviteSent.mail, resource_id: id, isToNamed: true }, [{ user_id: null, email }])

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
  if (there.role !== 'pending') throw conflict('already_accepted', 'This collaborator has accepted already')
  if (isOver(ctx, there)) throw conflict('status_not_allowed', 'The access that it gives is over; change its end first')
  assertMayGrant(ctx, authority, { ...there, role })
  await assertMayMailStranger(ctx, { kind: 'invite', email: there.email, id })
  if (there.invite_status === null) await sendFirstInvite(ctx, id, invitation)
  else if (there.invite_status === 'pending')
    await update(ctx, collaboratorsTable, id, invitation, collaboratorsTable.events.invite_resent)
  else await move(ctx, collaboratorsTable, id, inviteMoves.resend, invitation)
  mailInvite(ctx, there)
  return one(ctx, collaborators.record(ctx.organizationId, id, ctx))
}

const sendFirstInvite = (ctx: OrganizationContext, id: number, invitation: Invitation) =>
  update(ctx, collaboratorsTable, id, { ...invitation, invite_status: 'pending' }, collaboratorsTable.events.invited)

/**
 * Invites a member who was prepared; does nothing when that was done meanwhile, the member was removed, or their access
 * is over.
 */
export async function invitePrepared(ctx: OrganizationContext, id: number, invitation: Invitation): Promise<void> {
  const there = await first(ctx, collaborators.rowById(ctx.organizationId, id))
  if (there?.role !== 'pending' || there.invite_status !== null || isOver(ctx, there)) return
  await sendFirstInvite(ctx, id, invitation)
  mailInvite(ctx, there)
}

/** An invite to it would give nothing. */
const isOver = (clock: Clock, { expired_at: end }: Pick<NewCollaborator, 'expired_at'>): boolean =>
  typeof end === 'string' && isPast(clock, end)

/** An account without a proven address must not send mail to other addresses. */
function assertProven({ caller }: OrganizationContext): void {
  if (!caller.proven)
    throw forbidden(
      'email_unproven',
      'Confirm your e-mail address before you invite others: by the link that was mailed, or by another one',
    )
}

/** Of a body that invites or changes a member. */
export const memberRules = (body: Partial<CollaboratorChange>): Fields => ({
  ...roleRules(body),
  ...problemsIn(() => assertDatesInOrder(body)),
})

export function assertDatesInOrder(dates: { started_at?: string | null; expired_at?: string | null }): void {
  const { started_at: start, expired_at: end } = dates
  if (start && end && new Date(end) <= new Date(start)) throw invalid({ expired_at: 'must lie after started_at' })
}
