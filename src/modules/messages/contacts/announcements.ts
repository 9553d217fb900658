// The mails about contacts: the question to a new one, and what the owner is told.
import { announcement } from '#modules/messages/notifications/announcement.ts'
import { anAddress, membersFrom } from '#modules/messages/notifications/recipients.ts'
import { confirmationUrl } from './confirm-contact.ts'
import { type AskedAddress, contacts } from './queries.ts'

/** Enqueued by the operation that names the contact; not sent any more once it has confirmed, or was removed. */
const contactConfirmation = announcement({
  mail: 'contact-confirmation',
  isMandatory: true,
  facts: (org, id) => contacts.asked(org, id),
  audience: anAddress(async (_context, { email, language, is_confirmed }: AskedAddress) =>
    is_confirmed ? [] : [{ user_id: null, email, language }],
  ),
  about: () => ({ record: 'collaborator', id: null }),
  link: ({ id, email }, { ports, organizationId }) =>
    confirmationUrl(ports, { id, email, organizationId: organizationId ?? 0 }),
  content: ({ roles }, common) => ({ ...common, roles }),
})

/** Whoever draws the mails of the others to another address does not do it unseen. */
export const contactsChanged = announcement({
  mail: 'contacts-changed',
  isMandatory: true,
  facts: (org) => contacts.summary(org),
  audience: membersFrom('owner'),
  about: () => ({ record: 'collaborator', id: null }),
  content: ({ contacts: named }, common) => ({ ...common, contacts: named }),
})

export const contactAnnouncements = [contactConfirmation, contactsChanged]
