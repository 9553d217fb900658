// The versions of an invoice that are archived: paid, or voided after it had a number.
import type { Archivable } from '#modules/documents/documents-of-record/archive-document.ts'
import { languageFor, onlyRecipient } from '#modules/documents/documents-of-record/parties.ts'
import { type InvoiceFacts, invoiceFacts, invoicePdf } from './document.ts'
import { invoicesTable } from './invoice.ts'

export const invoiceDocument: Archivable<InvoiceFacts> = {
  resource: 'invoice',
  events: [invoicesTable.events.paid, invoicesTable.events.voided],
  facts: invoiceFacts,
  make: invoicePdf,
  language: (io, { invoice: { billing }, recipient }) =>
    languageFor(io, billing === null ? recipient : onlyRecipient(billing)),
  // `billing` is set by finalizing; a voided draft is not archived.
  version: ({ invoice: { status, billing, reopened_at } }) => {
    if (status === 'void') return billing === null ? null : status
    if (status !== 'paid') return null
    // One that was open again is paid another time.
    return reopened_at === null ? status : `${status}-${Date.parse(reopened_at)}`
  },
}
