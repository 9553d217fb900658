// A contact draws the mails of its role away from the members with a scope: whoever names or removes one needs that
// scope.
import { assertMay } from '#kernel/access/acts.ts'
import { org, type Scope } from '#kernel/access/permissions.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import type { ContactRole } from './contact.ts'

/** The scopes of the mails of a role; a test compares them with the announcements. */
export const SCOPES_OF_ROLE: Readonly<Record<ContactRole, readonly Scope[]>> = {
  billing: ['finances'],
  technical: ['entitlements', 'licenses'],
  legal: ['contracts'],
}

export const assertMayName = (ctx: OrganizationContext, role: ContactRole): void =>
  assertMay(ctx, org(...SCOPES_OF_ROLE[role]))

/** The fields of the organization whose addresses are contacts too. */
const ROLE_OF_FIELD = { contacts_payment: 'billing', contacts_support: 'technical' } as const

type Addresses = { [Field in keyof typeof ROLE_OF_FIELD]?: string | null }

/** What stays as it was needs nothing. */
export function assertMayChangeContacts(ctx: OrganizationContext, before: Addresses, given: Addresses): void {
  if (given.contacts_payment !== undefined && given.contacts_payment !== before.contacts_payment)
    assertMayName(ctx, ROLE_OF_FIELD.contacts_payment)
  if (given.contacts_support !== undefined && given.contacts_support !== before.contacts_support)
    assertMayName(ctx, ROLE_OF_FIELD.contacts_support)
}
