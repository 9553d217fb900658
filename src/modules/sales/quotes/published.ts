// What customers see of the events of quotes: everything from the moment when a quote is sent; and of requests for
// them.
import { publishedResource } from '#kernel/data/published.ts'
import { QuoteRequest, quoteRequestsTable } from './requests/quote-request.ts'
import { Quote, quotesTable } from './quote.ts'

export const publishedQuotes = publishedResource(quotesTable, {
  scopes: ['quotes'],
  record: Quote,
  isVisible: ({ status, sent_at }) => status !== 'draft' && (status !== 'cancelled' || sent_at !== null),
  events: {
    updated: 'The external id or the metadata of a quote changed.',
    sent: 'A quote was sent to the customer.',
    viewed: 'The customer looked at a quote for the first time.',
    accepted: 'A quote was accepted; its order and its invoice exist.',
    rejected: 'The customer rejected a quote.',
    expiring: 'A quote is about to expire.',
    expired: 'A quote was not accepted in time.',
    paid: 'The payment of a quote has arrived; what it sells is set up next.',
    fulfilled: 'Everything that a quote sells is set up.',
    cancelled: 'A quote was cancelled.',
    superseded: 'A newer version of a quote was sent.',
  },
})

export const publishedQuoteRequests = publishedResource(quoteRequestsTable, {
  scopes: ['quotes'],
  record: QuoteRequest,
  events: {
    created: 'A quote was requested.',
    drafted: 'Staff have drafted the quote that was requested.',
    declined: 'A request for a quote was declined.',
    withdrawn: 'A request for a quote was withdrawn.',
  },
})
