// A contact draws the mails of its role away from the members with a scope: whoever names or removes one needs that
// scope.
import { assertMay } from '#kernel/data/acts.ts'
import { org } from '#kernel/values/permissions.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { type ContactRole, SCOPES_OF_ROLE } from './contact.ts'

export const assertMayName = (ctx: OrganizationContext, role: ContactRole): void =>
  assertMay(ctx, org(...SCOPES_OF_ROLE[role]))

/** The fields of the organization whose addresses are contacts too. */
const ROLE_OF_FIELD = { contacts_payment: 'billing', contacts_support: 'technical' } as const

const FIELDS = ['contacts_payment', 'contacts_support'] as const

type Addresses = { [Field in keyof typeof ROLE_OF_FIELD]?: string | null }

/** What stays as it was needs nothing. Says whether something changes. */
export function assertMayChangeContacts(ctx: OrganizationContext, before: Addresses, given: Addresses): boolean {
  const changed = FIELDS.filter((field) => given[field] !== undefined && given[field] !== before[field])
  for (const field of changed) assertMayName(ctx, ROLE_OF_FIELD[field])
  return changed.length > 0
}
