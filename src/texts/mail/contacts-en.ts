// The mails about contacts in English.

import { contactRoles } from '../contacts.ts'
import type { MailTexts } from './content.ts'

type ContactMails = Pick<MailTexts['kinds'], 'contact-confirmation' | 'contacts-changed'>

export const contactMailsInEnglish: ContactMails = {
  'contact-confirmation': ({ organizationName, roles }, { brand }) => ({
    subject: `Confirm that you are a contact of ${organizationName}`,
    preheader: 'Without it you get no further e-mails.',
    heading: `Contact of ${organizationName}`,
    paragraphs: [
      `${organizationName} has named this address as a contact at ${brand}. Once you confirm it, you ` +
        'get its e-mails about:',
    ],
    facts: roles.map((role) => ({ label: 'Subject', value: contactRoles.en[role] })),
    button: 'View and confirm',
    notes: ['If you do not know this organization, you can ignore this message: nothing changes without the link.'],
  }),
  'contacts-changed': ({ organizationName, contacts }) => ({
    subject: `The contacts of ${organizationName} were changed`,
    preheader: 'Who gets the e-mails from now on.',
    heading: 'The contacts were changed',
    paragraphs: [
      `Somebody has changed who gets the e-mails of ${organizationName}. An address gets them in place ` +
        'of the members once it has confirmed that it wants them.',
    ],
    facts: contacts.map(({ role, email }) => ({ label: contactRoles.en[role], value: email })),
    button: null,
    notes: ['If it should not be so, remove the contact, and look in the audit log for who named it.'],
  }),
}
