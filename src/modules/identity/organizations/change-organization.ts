// Changes of an organization: update, deletion, restoration, verification, transfer of ownership.
import { move, update } from '#kernel/data/changes.ts'
import { one, first, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import type { MoveOf } from '#kernel/data/table.ts'
import { askContacts } from '#modules/messages/contacts/confirm-contact.ts'
import { changingContacts } from '#modules/messages/contacts/name-contact.ts'
import { assertMayChangeContacts } from '#modules/messages/contacts/role-access.ts'
import { swapOwner } from '#modules/identity/collaborators/change-collaborator.ts'
import { type Authority, requireAuthority, requireRank } from '#modules/identity/collaborators/authority-over.ts'
import { setOwner, viewOrganization } from './set-owner.ts'
import { releaseClaims, replaceClaims } from '#modules/delivery/customers/claims.ts'
import { assertHasTwoFactors } from './assert-two-factors.ts'
import { assertMayShow } from './hidden-scopes.ts'
import { assertParent, settled } from './organization-fields.ts'
import {
  type Organization,
  type OrganizationRow,
  type OrganizationValues,
  organizationsTable,
  verificationMoves,
} from './organization.ts'
import { organizations } from './queries.ts'

export async function changeOrganization(ctx: OrganizationContext, body: OrganizationValues): Promise<Organization> {
  const values = settled(body)
  const authority = await requireAuthority(ctx, 'admin')
  const before = await livingOrganization(ctx)
  const requiresMfa = values.require_mfa ?? before.require_mfa
  if (requiresMfa !== before.require_mfa) await assertMayRequireMfa(ctx, authority, requiresMfa)
  const changesContacts = assertMayChangeContacts(ctx, before, values)
  await assertMayShow(ctx, before.hidden_scopes, values.hidden_scopes)
  await assertParent(ctx, values.parent_id)
  await replaceClaims(ctx, before, values)
  const write = () =>
    update(ctx, organizationsTable, ctx.organizationId, { ...values, ...enteredByHand(before, values) })
  const changed = await (changesContacts ? changingContacts(ctx, write) : write())
  if (ctx.caller.staff || !isSomebodyElse(before, changed)) return viewOrganization(changed)
  return viewOrganization(
    await move(ctx, organizationsTable, ctx.organizationId, verificationMoves.reopen, { verified_at: null }),
  )
}

/** The owner alone. */
async function assertMayRequireMfa(ctx: OrganizationContext, authority: Authority, requires: boolean): Promise<void> {
  requireRank(authority, 'owner')
  if (requires) await assertHasTwoFactors(ctx)
}

/** A payment customer entered by hand has no provider yet: the one in use takes it (docs/decisions/0035). */
const enteredByHand = (before: OrganizationRow, values: OrganizationValues): Partial<OrganizationRow> => ({
  ...(isOther(before.payment_customer_id_br, values.payment_customer_id_br) && { payment_customer_provider_br: null }),
  ...(isOther(before.payment_customer_id_global, values.payment_customer_id_global) && {
    payment_customer_provider_global: null,
  }),
})

const isOther = (before: string | null, given: string | null | undefined): boolean =>
  given !== undefined && given !== before

/** Whether the CNPJ or the legal name that staff verified has changed. */
const isSomebodyElse = (before: Organization, changed: Organization): boolean =>
  (verificationMoves.reopen.from as readonly (string | null)[]).includes(changed.verification_status) &&
  (changed.cnpj !== before.cnpj || changed.legal_name !== before.legal_name)

/** Soft: nobody can use the organization any more, its claims are free for others, and staff can restore it. */
export async function deleteOrganization(ctx: OrganizationContext): Promise<void> {
  // What staff need for it is said by the route.
  if (!ctx.caller.staff) await requireAuthority(ctx, 'owner')
  const before = await livingOrganization(ctx)
  await releaseClaims(ctx, before)
  await update(
    ctx,
    organizationsTable,
    ctx.organizationId,
    { deleted_at: ctx.now.toISOString() },
    organizationsTable.events.deleted,
  )
}

/** 409 when it was erased, or another organization has claimed one of its values since the deletion. */
export async function restoreOrganization(ctx: OrganizationContext): Promise<Organization> {
  const before = await one(ctx, organizations.rowById(ctx.organizationId))
  if (before.deleted_at === null) throw conflict('not_deleted', 'The organization is not deleted')
  if (before.erased_at !== null) throw conflict('status_not_allowed', 'The organization was erased')
  await replaceClaims(ctx, {}, before)
  return viewOrganization(
    await update(ctx, organizationsTable, ctx.organizationId, { deleted_at: null }, organizationsTable.events.restored),
  )
}

/** Staff verify the identity of the organization, or reject it. */
export async function decideVerification(
  ctx: OrganizationContext,
  decision: MoveOf<typeof organizationsTable>,
): Promise<Organization> {
  await livingOrganization(ctx)
  const verifiedAt = decision === verificationMoves.verify ? ctx.now.toISOString() : null
  const decided = await move(ctx, organizationsTable, ctx.organizationId, decision, { verified_at: verifiedAt })
  await askContacts(ctx)
  return viewOrganization(decided)
}

export async function transferOwnership(ctx: OrganizationContext, collaboratorId: number): Promise<Organization> {
  const ownerId = await swapOwner(ctx, collaboratorId)
  return setOwner(ctx, ownerId)
}

async function livingOrganization(ctx: OrganizationContext): Promise<OrganizationRow> {
  const before = await first(ctx, organizations.rowById(ctx.organizationId))
  if (!before || before.deleted_at !== null) throw notFound('Organization not found')
  return before
}
