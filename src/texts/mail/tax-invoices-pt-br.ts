// The mails about tax invoices, in Brazilian Portuguese.

import type { MailTexts } from './content.ts'

export const taxInvoiceMailsInPortuguese: Pick<MailTexts['kinds'], 'tax-invoice-issued'> = {
  'tax-invoice-issued': (content, { brand, money, time }) => ({
    subject: `Nota fiscal ${content.number} de ${brand}: ${money(content.total, content.currency)}`,
    preheader: `Para ${content.organizationName}.`,
    heading: 'Sua nota fiscal foi emitida',
    paragraphs: [
      `A nota fiscal de serviço (NFS-e) de ${content.organizationName} foi emitida. Ela está, com o ` +
        'XML, junto às suas faturas.',
    ],
    facts: [
      { label: 'Nota fiscal', value: content.number },
      { label: 'Fatura', value: content.invoiceNumber },
      { label: 'Valor', value: money(content.total, content.currency) },
      { label: 'Emitida em', value: time(content.issuedAt) },
      { label: 'Chave de acesso', value: content.accessKey },
    ],
    button: 'Ver nota fiscal',
    notes: [],
  }),
}
