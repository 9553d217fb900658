// The mails about invoices and refunds, in Brazilian Portuguese.

import type { MailTexts } from './content.ts'

type FinanceMails = Pick<MailTexts['kinds'], 'refund-succeeded' | 'invoice-open'>

export const financeMailsInPortuguese: FinanceMails = {
  'refund-succeeded': ({ organizationName, number, creditNoteNumber, total, currency }, { money }) => ({
    subject: `Reembolso da fatura ${number}`,
    preheader: `${money(total, currency)} a caminho de ${organizationName}.`,
    heading: 'Seu dinheiro está a caminho',
    paragraphs: [`Devolvemos ${money(total, currency)} da fatura ${number} a ${organizationName}.`],
    facts: [
      { label: 'Fatura', value: number },
      ...(creditNoteNumber === null ? [] : [{ label: 'Nota de crédito', value: creditNoteNumber }]),
      { label: 'Valor', value: money(total, currency) },
    ],
    button: 'Ver fatura',
    notes: ['Dependendo da forma de pagamento, o valor pode levar alguns dias para aparecer.'],
  }),
  'invoice-open': ({ organizationName, number, total, currency, dueDate }, { money, date }) => ({
    subject: `Fatura ${number}: ${money(total, currency)}`,
    preheader: `Vencimento em ${date(dueDate)}.`,
    heading: 'Você tem uma nova fatura',
    paragraphs: [`A fatura ${number} foi emitida para ${organizationName}.`],
    facts: [
      { label: 'Fatura', value: number },
      { label: 'Valor', value: money(total, currency) },
      { label: 'Vencimento', value: date(dueDate) },
    ],
    button: 'Pagar fatura',
    notes: [],
  }),
}
