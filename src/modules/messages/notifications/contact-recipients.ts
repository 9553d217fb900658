// Those whom an organization has named for a subject, as recipients: persons who are still members, and addresses.
import { contacts, type OfContact } from '#modules/messages/contacts/queries.ts'
import type { AudienceContext, Recipient } from './recipients.ts'

export async function contactsFor(context: AudienceContext, of: OfContact): Promise<Recipient[]> {
  const reachable = await context.ask(contacts.reachable(context.organizationId, of, context))
  return reachable.map(({ user_id, email, language, attachments }) =>
    user_id === null ? { user_id, email, language, attachments } : { user_id, attachments },
  )
}
