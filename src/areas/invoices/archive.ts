// What of an invoice is filed: that it was paid, or that it was declared void after it had a number.
import type { Archivable } from '#areas/documents-of-record/archive-document.ts'
import { languageFor, onlyRecipient } from '#areas/documents-of-record/parties.ts'
import { type InvoiceFacts, invoiceFacts, invoicePdf } from './document.ts'
import { invoicesTable } from './invoice.ts'

export const invoiceDocument: Archivable<InvoiceFacts> = {
  resource: 'invoice',
  events: [invoicesTable.events.paid, invoicesTable.events.voided],
  facts: invoiceFacts,
  make: invoicePdf,
  language: (outside, { invoice: { billing }, recipient }) =>
    languageFor(outside, billing === null ? recipient : onlyRecipient(billing)),
  // Whom it bills is kept when it is finalized: a draft that is thrown away is nobody's document.
  version: ({ invoice: { status, billing } }) =>
    status === 'paid' || (status === 'void' && billing !== null) ? status : null,
}
