// The routes of requests for quotes: customers request, staff draft or decline.
import { vendor, org, staff } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { move } from '#kernel/data/changes.ts'
import { ById } from '#kernel/values/schema.ts'
import { quoteRules } from '../draft-quote.ts'
import { Quote } from '../quote.ts'
import {
  AdministratorsQuoteRequest,
  AdministratorsQuoteRequestFilters,
  NewQuoteRequest,
  QuoteRequest,
  QuoteRequestFilters,
  quoteRequestMoves,
  quoteRequestsTable,
  RequestDraft,
  RequestRefusal,
} from './quote-request.ts'
import { declineRequest, draftRequested, requestQuote } from './request-quote.ts'
import { quoteRequests } from './request-queries.ts'

export const requestRoutes = [
  route({
    method: 'GET',
    path: '/admin/quotes/requests',
    access: vendor('quotes'),
    purpose: 'List the requests for quotes of all organizations.',
    description: 'Newest first, in every status; with `status=open` those that wait for staff.',
    query: AdministratorsQuoteRequestFilters,
    page: AdministratorsQuoteRequest,
    features: { limitsOrganizations: true, mayBeStale: true },
    read: ({ organizations }, { query }) => quoteRequests.pageOfAll(query, organizations),
  }),
  route({
    method: 'GET',
    path: '/quotes/requests',
    access: org('quotes'),
    purpose: 'List the organization’s requests for quotes.',
    description: 'Newest first, those that were declined or withdrawn too.',
    query: QuoteRequestFilters,
    page: QuoteRequest,
    read: ({ org: id }, { query }) => quoteRequests.page(id, query),
  }),
  route({
    method: 'POST',
    path: '/quotes/requests',
    access: org('quotes'),
    purpose: 'Request a quote.',
    description: 'Of products that are sold (`GET /products`). Staff are mailed. 409 when 20 requests are open.',
    body: NewQuoteRequest,
    openapi: {
      example: { currency: 'BRL', line_items: [{ product_id: 1, quantity: 5 }], notes: 'For our second campus' },
    },
    data: QuoteRequest,
    status: 201,
    fails: ['limit_reached'],
    run: async (ctx, { body }) => ({ data: await requestQuote(ctx, body), message: 'Quote requested' }),
  }),
  route({
    method: 'GET',
    path: '/quotes/requests/{id}',
    access: org('quotes'),
    purpose: 'Get a request for a quote.',
    description:
      '`quote_id` is the quote that staff made of it, which the customer sees once it is sent; `decline_reason` is ' +
      'why they made none.',
    params: ById,
    data: QuoteRequest,
    read: ({ org: id }, { params }) => quoteRequests.byId(id, params.id),
  }),
  route({
    method: 'POST',
    path: '/quotes/requests/{id}/withdraw',
    access: org('quotes'),
    purpose: 'Withdraw a request for a quote.',
    description:
      'Staff can draft no quote of it any more, and it no longer counts among the 20 that may be open. It stays ' +
      'withdrawn; request again instead. 409 unless it is open.',
    params: ById,
    data: QuoteRequest,
    fails: ['status_not_allowed'],
    run: async (ctx, { params }) => ({
      data: await move(ctx, quoteRequestsTable, params.id, quoteRequestMoves.withdraw),
      message: 'Request withdrawn',
    }),
  }),
  route({
    method: 'POST',
    path: '/quotes/requests/{id}/draft',
    access: staff('quotes'),
    purpose: 'Draft the requested quote.',
    description:
      'At the prices of the catalogue; 422 for a product without one, until `line_items` are given. The ' +
      'draft is edited and sent as any other.',
    params: ById,
    body: RequestDraft,
    rules: quoteRules,
    openapi: { example: { valid_until: '2027-12-31' } },
    data: Quote,
    status: 201,
    fails: ['status_not_allowed'],
    run: async (ctx, { params, body }) => ({
      data: await draftRequested(ctx, params.id, body),
      message: 'Quote drafted',
    }),
  }),
  route({
    method: 'POST',
    path: '/quotes/requests/{id}/decline',
    access: staff('quotes'),
    purpose: 'Decline a request for a quote.',
    description: 'The customer is mailed the reason. 409 while a quote was made of it that is not cancelled.',
    params: ById,
    body: RequestRefusal,
    openapi: { example: { reason: 'It is not sold in your country' } },
    data: QuoteRequest,
    fails: ['quote_still_open', 'status_not_allowed'],
    run: async (ctx, { params, body }) => ({
      data: await declineRequest(ctx, params.id, body),
      message: 'Request declined',
    }),
  }),
]
