// The archived documents of a quote: the offer as it was accepted, and that it was cancelled afterwards.
import type { Archivable } from '#modules/documents/documents-of-record/archive-document.ts'
import { languageFor } from '#modules/documents/documents-of-record/parties.ts'
import { type QuoteFacts, quoteFacts, quotePdf } from './document.ts'
import { quotesTable } from './quote.ts'

export const quoteDocument: Archivable<QuoteFacts> = {
  resource: 'quote',
  events: [quotesTable.events.accepted, quotesTable.events.cancelled],
  facts: quoteFacts,
  make: quotePdf,
  language: (io, { recipient }) => languageFor(io, recipient),
  version: ({ quote: { status, accepted_at } }) => {
    if (['accepted', 'paid', 'fulfilled'].includes(status)) return 'accepted'
    return status === 'cancelled' && accepted_at !== null ? 'cancelled' : null
  },
  asOf: (facts, version) => {
    const { quote } = facts
    if (version !== 'accepted') return facts
    return { ...facts, quote: { ...quote, status: 'accepted', updated_at: quote.accepted_at ?? quote.updated_at } }
  },
}
