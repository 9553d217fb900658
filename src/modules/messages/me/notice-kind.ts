// A kind of notice as the inbox and the preferences know it; the announcements of the areas declare them.
import type { ContactRole } from '#modules/messages/contacts/contact.ts'
import type { RoleName, Scope } from '#kernel/values/permissions.ts'
import type { StaffScope } from '#kernel/values/staff-roles.ts'

/** What a reader of the entry in the inbox still has to have: a membership, or as staff a scope. */
export type Needs = {
  /** Null: the notice is for staff only. */
  readonly members: { readonly scope: Scope | null; readonly atLeast: RoleName } | null
  readonly staff: StaffScope
}

export type NoticeKind = {
  readonly kind: string
  readonly isMandatory: boolean
  /** Whom the organization may have named for it. */
  readonly contact: ContactRole | null
  readonly needs: Needs
}

/**
 * The role of the contacts without an account who may switch it off. Those for legal matters get what they are named
 * for.
 */
export const mutableContact = ({ isMandatory, contact }: Pick<NoticeKind, 'isMandatory' | 'contact'>) =>
  isMandatory || contact === 'legal' ? null : contact
