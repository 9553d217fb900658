// The mails about requests for quotes and drafts of renewals, in English.

import type { MailTexts } from './content.ts'

type RequestMails = Pick<MailTexts['kinds'], 'quote-requested' | 'quote-request-declined' | 'renewal-drafted'>

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
  'renewal-drafted': (
    { organizationName, number, total, currency, renewed, endsOn, unadjusted },
    { date, money, month },
  ) => ({
    subject: `Renewal for ${organizationName}: review quote ${number}`,
    preheader: `A term of ${organizationName} ends on ${date(endsOn)}.`,
    heading: 'A renewal was drafted',
    paragraphs: [
      `A term of ${organizationName} ends on ${date(endsOn)}. The quote of the next one is a draft: ` +
        'review it, then send it.',
      ...unadjusted.map(
        ({ priceIndex, months }) =>
          `Its price is not adjusted yet: ${priceIndex} has no rate of ${months.map(month).join(', ')}.`,
      ),
    ],
    facts: [
      { label: 'Quote', value: number },
      { label: 'Total', value: money(total, currency) },
      ...renewed.map(({ name, entitlementCode }) => ({ label: name, value: entitlementCode })),
    ],
    button: 'View draft',
    notes: [],
  }),
}
