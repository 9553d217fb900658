// The page of an invoice, in English.

import type { InvoicePageTexts } from './invoice-content.ts'

export const invoicePageInEnglish: InvoicePageTexts = {
  title: (number) => `Invoice ${number}`,
  lead: (seller, customer) => `From ${seller} to ${customer}`,
  due: 'Amount due',
  dueDate: 'Due date',
  total: 'Total',
  paid: 'Paid',
  pdf: 'Download as PDF',
  howToPay: 'How to pay',
  online: 'Pay online',
  pix: 'Pix',
  pixLead: 'Scan the code with your bank’s app, or copy it.',
  boleto: 'Boleto',
  boletoLead: 'Type this line in your bank’s app.',
  boletoPdf: 'Open the boleto',
  until: (moment) => `Valid until ${moment}. This page then shows a new one.`,
  transfer: 'Bank transfer',
  reference: 'Reference',
  notYet: 'The way to pay is being prepared. Load this page again in a minute.',
  isPaid: (day) => `Paid on ${day}. Thank you!`,
  isOver: 'This invoice is not due any more. You need not do anything.',
  noTitle: 'Invoice',
  badLink: 'This link is incomplete, or the invoice is gone. Ask us for it again.',
}
