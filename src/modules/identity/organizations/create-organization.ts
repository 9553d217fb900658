// POST /organizations, and creation by staff for an owner who is invited.
import { insert } from '#kernel/data/changes.ts'
import { one, type OrganizationContext, type SystemContext } from '#kernel/data/context.ts'
import { chooseFirstTeam } from '#modules/identity/auth/change-profile.ts'
import { addOwner } from '#modules/identity/collaborators/change-collaborator.ts'
import { replaceClaims } from '#modules/delivery/customers/claims.ts'
import { assertMayChangeContacts } from '#modules/messages/contacts/role-access.ts'
import { assertHasTwoFactors } from './assert-two-factors.ts'
import { assertMayShow } from './hidden-scopes.ts'
import { assertParent, settled } from './organization-fields.ts'
import { type OrganizationCreated, type OrganizationValues, organizationsTable } from './organization.ts'
import { organizations } from './queries.ts'

/** The caller becomes the owner. */
export async function createOrganization(ctx: SystemContext, body: OrganizationValues): Promise<OrganizationCreated> {
  const { userId, email } = ctx.caller
  const { created, inside } = await openOrganization(ctx, body, userId)
  if (body.require_mfa) await assertHasTwoFactors(inside)
  if (userId !== null && email !== null) {
    await addOwner(inside, { userId, email })
    await chooseFirstTeam(ctx, userId, created.id)
  }
  return created
}

const NO_CONTACTS = { contacts_payment: null, contacts_support: null }

/**
 * Inserts the organization and its event sequence. The caller of this adds or invites the owner in the same
 * transaction.
 */
export async function openOrganization(
  ctx: SystemContext,
  body: OrganizationValues,
  ownerId: number | null,
): Promise<{ created: OrganizationCreated; inside: OrganizationContext }> {
  const values = settled(body)
  const { id } = await one(ctx, organizations.nextId)
  await ctx.ask(organizations.openSequence(id))
  const inside = await ctx.enter(id)
  await assertMayShow(inside, null, values.hidden_scopes)
  assertMayChangeContacts(inside, NO_CONTACTS, values)
  await assertParent(inside, values.parent_id)
  const written = await insert(inside, organizationsTable, { ...values, id, owner_id: ownerId })
  await replaceClaims(inside, {}, values)
  const { name, status, verification_status, owner_id } = written
  return { created: { id, name, status, verification_status, owner_id }, inside }
}
