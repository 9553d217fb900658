// POST /admin/organizations: an organization without members, whose owner is invited by mail.
import type { SystemContext } from '#kernel/data/context.ts'
import type { Invitation } from '#modules/identity/collaborators/invitation.ts'
import { inviteOwner } from '#modules/identity/collaborators/invite-collaborator.ts'
import { openOrganization } from '#modules/identity/organizations/create-organization.ts'
import type { OrganizationCreated, OrganizationValues } from '#modules/identity/organizations/organization.ts'

/** The person who accepts the invite becomes the owner. */
export async function createOrganizationForOwner(
  ctx: SystemContext,
  { owner_email: ownerEmail, ...values }: OrganizationValues & { owner_email: string },
  invitation: Invitation,
): Promise<OrganizationCreated> {
  const { created, inside } = await openOrganization(ctx, values, null)
  await inviteOwner(inside, ownerEmail, invitation)
  return created
}
