// The mails about tax invoices, in English.

import type { MailTexts } from './content.ts'

export const taxInvoiceMailsInEnglish: Pick<MailTexts['kinds'], 'tax-invoice-issued'> = {
  'tax-invoice-issued': (content, { brand, money, time }) => ({
    subject: `Tax invoice ${content.number} from ${brand}: ${money(content.total, content.currency)}`,
    preheader: `For ${content.organizationName}.`,
    heading: 'Your tax invoice has been issued',
    paragraphs: [
      `The tax invoice (NFS-e) for ${content.organizationName} has been issued. You find it, with its ` +
        'XML, among your invoices.',
    ],
    facts: [
      { label: 'Tax invoice', value: content.number },
      { label: 'Invoice', value: content.invoiceNumber },
      { label: 'Amount', value: money(content.total, content.currency) },
      { label: 'Issued', value: time(content.issuedAt) },
      { label: 'Access key', value: content.accessKey },
    ],
    button: 'View tax invoice',
    notes: [],
  }),
}
