// The mails about invoices and refunds, in English.

import type { MailTexts } from './content.ts'

type FinanceMails = Pick<MailTexts['kinds'], 'refund-succeeded' | 'invoice-open'>

export const financeMailsInEnglish: FinanceMails = {
  'refund-succeeded': ({ organizationName, number, creditNoteNumber, total, currency }, { money }) => ({
    subject: `Refund for invoice ${number}`,
    preheader: `${money(total, currency)} is on its way to ${organizationName}.`,
    heading: 'Your refund is on its way',
    paragraphs: [`We have refunded ${money(total, currency)} of invoice ${number} to ${organizationName}.`],
    facts: [
      { label: 'Invoice', value: number },
      ...(creditNoteNumber === null ? [] : [{ label: 'Credit note', value: creditNoteNumber }]),
      { label: 'Amount', value: money(total, currency) },
    ],
    button: 'View invoice',
    notes: ['Depending on how you paid, it takes some days until you see the amount.'],
  }),
  'invoice-open': ({ organizationName, number, total, currency, dueDate }, { money, date }) => ({
    subject: `Invoice ${number}: ${money(total, currency)}`,
    preheader: `Due on ${date(dueDate)}.`,
    heading: 'You have a new invoice',
    paragraphs: [`Invoice ${number} has been issued to ${organizationName}.`],
    facts: [
      { label: 'Invoice', value: number },
      { label: 'Amount', value: money(total, currency) },
      { label: 'Due date', value: date(dueDate) },
    ],
    button: 'Pay invoice',
    notes: [],
  }),
}
