// POST /admin/organizations: an organization without members, whose owner is invited by mail.
import type { SystemContext } from '#kernel/data/context.ts'
import type { Invitation } from '#areas/collaborators/invitation.ts'
import { inviteOwner } from '#areas/collaborators/invite-collaborator.ts'
import { assertMayChangeContacts } from '#areas/contacts/role-access.ts'
import { openOrganization } from '#areas/organizations/create-organization.ts'
import { settled } from '#areas/organizations/organization-fields.ts'
import type { OrganizationCreated, OrganizationValues } from '#areas/organizations/organization.ts'

const NO_CONTACTS = { contacts_payment: null, contacts_support: null }

/** The person who accepts the invite becomes the owner. */
export async function createOrganizationForOwner(
  ctx: SystemContext,
  { owner_email: ownerEmail, ...values }: OrganizationValues & { owner_email: string },
  invitation: Invitation,
): Promise<OrganizationCreated> {
  const { created, inside } = await openOrganization(ctx, values, null)
  assertMayChangeContacts(inside, NO_CONTACTS, settled(values))
  await inviteOwner(inside, ownerEmail, invitation)
  return created
}
