// What customers see of the events of tax invoices.
import { publishedResource } from '#kernel/data/published.ts'
import { TaxInvoice, taxInvoicesTable } from './tax-invoice.ts'

export const publishedTaxInvoices = publishedResource(taxInvoicesTable, {
  scopes: ['finances'],
  record: TaxInvoice,
  events: {
    created: 'A tax invoice was opened and will be declared.',
    updated: 'A field of a tax invoice changed.',
    delayed: 'The authority has given no clear answer yet.',
    issued: 'The authority has issued a tax invoice.',
    failed: 'A tax invoice could not be issued.',
    retried: 'A failed tax invoice is declared again.',
    cancelling: 'The cancellation of a tax invoice was requested.',
    cancelled: 'A tax invoice was cancelled.',
    cancel_refused: 'The authority has refused the cancellation of a tax invoice.',
    cancel_unavailable: 'The cancellation of a tax invoice got no answer.',
    substituting: 'A tax invoice is about to be replaced by another one.',
  },
})
