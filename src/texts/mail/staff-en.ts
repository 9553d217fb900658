// The mail about roles of staff in English.

import { staffRoles } from '../roles.ts'
import type { MailTexts } from './content.ts'

type StaffMails = Pick<MailTexts['kinds'], 'staff-roles'>

const named = (roles: readonly (keyof typeof staffRoles.en)[]): string =>
  roles.map((role) => staffRoles.en[role]).join(', ') || 'none'

export const staffMailsInEnglish: StaffMails = {
  'staff-roles': ({ name, isOwn, person, email, before, after, changedBy, changedAt, reason }, { brand, time }) => ({
    subject: isOwn ? `Your roles at ${brand} were changed` : `${brand}: the roles of ${person} were changed`,
    preheader: `Now: ${named(after)}.`,
    heading: isOwn ? 'Your roles were changed' : `The roles of ${person} were changed`,
    paragraphs: [
      isOwn
        ? `Hello, ${name}. What you may do as staff has changed; it counts from now on.`
        : `Hello, ${name}. What ${person} (${email}) may do as staff has changed; it counts from now on.`,
    ],
    facts: [
      { label: 'Before', value: named(before) },
      { label: 'Now', value: named(after) },
      { label: 'Changed by', value: changedBy },
      { label: 'When', value: time(changedAt) },
      { label: 'Reason', value: reason },
    ],
    button: null,
    notes: isOwn ? [] : ['You get this because you are an administrator. If it should not be so, change it at once.'],
  }),
}
