// The mails about requests for quotes, in English.

import type { MailTexts } from './content.ts'

type RequestMails = Pick<MailTexts['kinds'], 'quote-requested' | 'quote-request-declined'>

export const quoteRequestMailsInEnglish: RequestMails = {
  'quote-requested': ({ organizationName, requestedBy, products, notes }) => ({
    subject: `Quote requested by ${organizationName}`,
    preheader: `${requestedBy} of ${organizationName} asks for a quote.`,
    heading: 'A quote was requested',
    paragraphs: [`${requestedBy} of ${organizationName} asks for a quote.`, ...(notes === null ? [] : [notes])],
    facts: products.map(({ name, quantity }) => ({ label: name, value: String(quantity) })),
    button: 'View request',
    notes: [],
  }),
  'quote-request-declined': ({ organizationName, products, reason }) => ({
    subject: 'Your request for a quote was declined',
    preheader: reason,
    heading: 'Your request for a quote was declined',
    paragraphs: [`We cannot offer ${organizationName} what was requested:`, reason],
    facts: products.map(({ name, quantity }) => ({ label: name, value: String(quantity) })),
    button: 'View request',
    notes: [],
  }),
}
