// Names somebody as a contact of the organization.
import { insert, remove } from '#kernel/data/changes.ts'
import { first, one, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict, invalid } from '#kernel/values/errors.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import { languageFrom } from '#texts/language.ts'
import { announce } from '#modules/messages/notifications/announce.ts'
import { contactsChanged } from './announcements.ts'
import { askingNewContacts } from './confirm-contact.ts'
import { type Contact, contactsTable, MOST_CONTACTS, type NewContact } from './contact.ts'
import { contacts } from './queries.ts'
import { assertMayName } from './role-access.ts'

/** A member has a name and a language of their own. */
export function contactRules({ user_id, email, name, language }: Partial<NewContact>): Fields {
  if (user_id === undefined) return email === undefined ? { email: 'is required, unless user_id is given' } : {}
  const instead = 'cannot be combined with user_id'
  return {
    ...(email !== undefined && { email: instead }),
    ...(name !== undefined && { name: instead }),
    ...(language !== undefined && { language: instead }),
  }
}

export async function nameContact(ctx: OrganizationContext, body: NewContact): Promise<Contact> {
  const { organizationId, caller } = ctx
  const { role, user_id = null, email = null, name = null, attachments = true } = body
  assertMayName(ctx, role)
  if (user_id !== null && !(await first(ctx, contacts.isMember(organizationId, user_id, ctx))))
    throw invalid({ user_id: 'must be a collaborator of the organization' })
  const { count, is_named } = await one(ctx, contacts.countOf(organizationId, role, { user_id, email }))
  if (is_named) throw conflict('already_named', 'This contact has the role already')
  if (count >= MOST_CONTACTS) throw conflict('limit_reached', `A role has ${MOST_CONTACTS} contacts at most`)
  const language = body.language ?? languageFrom(caller.language, 'en')
  const values = { role, user_id, email, name, language, attachments }
  const { id } = await changingContacts(ctx, () => insert(ctx, contactsTable, values))
  const named = (await ctx.ask(contacts.all(organizationId, ctx))).find((contact) => contact.id === id)
  if (!named) throw new Error('a contact that was written is not there')
  return named
}

export async function removeContact(ctx: OrganizationContext, id: number): Promise<void> {
  const { role } = await remove(ctx, contactsTable, id)
  assertMayName(ctx, role)
}

/** New contacts are asked whether they want to be, and the owner is told. */
export async function changingContacts<Result>(
  ctx: OrganizationContext,
  change: () => Promise<Result>,
): Promise<Result> {
  const result = await askingNewContacts(ctx, change)
  await announce(ctx, contactsChanged, ctx.organizationId)
  return result
}
