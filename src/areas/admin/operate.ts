// What administrators do from outside of an organization.
import { first, type SystemContext } from '#kernel/data/context.ts'
import { conflict, notFound } from '#kernel/http/errors.ts'
import { disableUser } from '#areas/auth/disable-user.ts'
import type { Invitation } from '#areas/collaborators/invitation.ts'
import { inviteOwner } from '#areas/collaborators/invite-collaborator.ts'
import { openOrganization } from '#areas/organizations/create-organization.ts'
import type { OrganizationCreated, OrganizationValues } from '#areas/organizations/organization.ts'
import type { ParkedJob } from './overview.ts'
import { administration } from './queries.ts'

/** For a customer who is yet to come: whoever accepts the mailed invite owns it. */
export async function openForOwner(
  ctx: SystemContext,
  { owner_email: ownerEmail, ...values }: OrganizationValues & { owner_email: string },
  invitation: Invitation,
): Promise<OrganizationCreated> {
  const { created, inside } = await openOrganization(ctx, values, null)
  await inviteOwner(inside, ownerEmail, invitation)
  return created
}

export async function retryParked(ctx: SystemContext, id: number): Promise<ParkedJob> {
  const job = await first(ctx, administration.retry(id, ctx.now))
  if (!job) throw notFound()
  ctx.onEnqueued()
  return job
}

export async function disableAnother(ctx: SystemContext, id: number): Promise<void> {
  if (id === ctx.caller.userId) throw conflict('You cannot disable your own account')
  await disableUser(ctx, id)
}
