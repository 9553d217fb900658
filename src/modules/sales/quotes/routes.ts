// Spec 4.4, and what docs/interface/sales.md adds to it.
import { acrossItem } from '#kernel/data/lists/across.ts'
import { quoteRecord } from './quote-record.ts'
import { quoteRules } from './draft-quote.ts'
import { Type } from 'typebox'
import { served } from '#modules/documents/documents-of-record/serve-document.ts'
import { HistoryEntry, HistoryPaging } from '#kernel/data/audit/history.ts'
import { org, staff, vendor } from '#kernel/values/permissions.ts'
import { fileRoute, route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { adjustQuote } from './adjust-quote.ts'
import { adjustmentRules, NewAdjustment } from './adjustment.ts'
import { acceptQuote, allocateLineCodes, factsToAccept } from './accept-quote.ts'
import { rejectQuote, viewQuote } from './decide-quote.ts'
import { changeQuote, createQuote } from './draft-quote.ts'
import { quoteDocument } from './archive.ts'
import { previewQuote, QuotePreview } from './preview-quote.ts'
import { quotes } from './queries.ts'
import { reviseQuote } from './revise-quote.ts'
import {
  AdministratorsQuoteFilters,
  NewQuote,
  Quote,
  QuoteAcceptance,
  QuoteAccepted,
  QuoteChange,
  QuoteChoice,
  QuoteFilters,
  QuoteStatus,
  QuoteListItem,
  QuotePayment,
  QuoteRejection,
} from './quote.ts'

const line = {
  product_name: 'Backup Pro',
  quantity: 5,
  unit_price: '150.00',
  entitlement_class: 'PLG',
  term_months: 12,
}

export const quoteRoutes = [
  route({
    method: 'GET',
    path: '/quotes',
    access: org('quotes'),
    purpose: 'List the quotes of the organization.',
    description: 'Only staff see drafts.',
    query: QuoteFilters,
    page: QuoteListItem,
    features: { record: quoteRecord },
    read: ({ org: id }, { query }) => quotes.page(id, query),
  }),
  route({
    method: 'GET',
    path: '/admin/quotes',
    access: vendor('quotes'),
    purpose: 'List the quotes of all organizations, drafts included.',
    description: 'Newest first, each with its organization, also of deleted ones.',
    query: AdministratorsQuoteFilters,
    page: acrossItem(QuoteListItem),
    features: { record: quoteRecord, limitsOrganizations: true, mayBeStale: true },
    read: ({ organizations: only }, { query }) => quotes.pageOfAll(query, only),
  }),
  route({
    method: 'POST',
    path: '/quotes',
    access: staff('quotes'),
    purpose: 'Create a draft quote.',
    description:
      'The customer sees it once it is sent. Lines with `product_id` take what they leave out from the catalogue, ' +
      'and keep it when the catalogue changes. 422 for a product that is not sold, a discount larger than its line, ' +
      'and amounts that cannot be paid.',
    body: NewQuote,
    rules: quoteRules,
    openapi: { example: { currency: 'BRL', company: 'entity_br', valid_until: '2027-12-31', line_items: [line] } },
    data: Quote,
    status: 201,
    fails: ['external_id_taken'],
    features: { dryRun: true },
    run: async (ctx, { body }) => ({ data: await createQuote(ctx, body), message: 'Quote drafted' }),
  }),
  route({
    method: 'GET',
    path: '/quotes/{id}',
    access: org('quotes'),
    purpose: 'Get a quote.',
    description: 'The first time that a collaborator who is not staff gets it, `sent` becomes `viewed`.',
    params: ById,
    data: Quote,
    features: {
      record: quoteRecord,
      afterRead: { when: (quote, { caller }) => quote.status === 'sent' && !caller.staff, run: viewQuote },
    },
    read: ({ org: id }, { params }) => quotes.byId(id, params.id),
  }),
  route({
    method: 'PUT',
    path: '/quotes/{id}',
    access: staff('quotes'),
    purpose: 'Update a draft quote.',
    description:
      'Only the given fields change. 409 when the quote is not a draft, unless only `external_id` and ' +
      '`metadata` are given.',
    params: ById,
    body: QuoteChange,
    rules: quoteRules,
    openapi: { example: { valid_until: '2027-12-31', line_items: [line] } },
    data: Quote,
    fails: ['external_id_taken', 'status_not_allowed'],
    run: async (ctx, { params, body }) => ({ data: await changeQuote(ctx, params.id, body), message: 'Quote updated' }),
  }),
  route({
    method: 'POST',
    path: '/quotes/{id}/adjust',
    access: staff('quotes'),
    purpose: 'Adjust the prices of a draft quote by a price index.',
    description:
      'By what the index has accumulated over the months, from the price before any earlier adjustment. 409 ' +
      'when the quote is not a draft, or when a month has no rate.',
    params: ById,
    body: NewAdjustment,
    rules: adjustmentRules,
    openapi: { example: { price_index: 'IPCA', until_month: '2026-10', line_items: [0], at_most: '10.00' } },
    data: Quote,
    fails: ['rate_missing', 'status_not_allowed'],
    features: { dryRun: true },
    run: async (ctx, { params, body }) => ({
      data: await adjustQuote(ctx, params.id, body),
      message: 'Prices adjusted',
    }),
  }),
  route({
    method: 'POST',
    path: '/quotes/{id}/revise',
    access: staff('quotes'),
    purpose: 'Revise a quote.',
    description:
      'Creates a draft with the same content and the next version. When it is sent, the previous version is ' +
      'cancelled and names its successor.',
    params: ById,
    data: Quote,
    status: 201,
    fails: ['draft_exists', 'quote_superseded', 'status_not_allowed'],
    run: async (ctx, { params }) => ({ data: await reviseQuote(ctx, params.id), message: 'Next version drafted' }),
  }),
  route({
    method: 'POST',
    path: '/quotes/{id}/accept',
    access: org('quotes'),
    purpose: 'Accept a quote.',
    description:
      'Creates the order and its open invoice from the lines that are chosen; `GET /quotes/{id}/payment` ' +
      'says where to pay.',
    params: ById,
    body: QuoteAcceptance,
    openapi: { example: { purchase_order: 'PO-2026-0042' } },
    data: QuoteAccepted,
    fails: [
      'changed_meanwhile',
      'entitlement_not_renewable',
      'organization_unverified',
      'quote_expired',
      'quote_superseded',
      'status_not_allowed',
    ],
    before: {
      allocates: (io, { params, body }) => allocateLineCodes(io, params.id, body.line_items),
      asks: ({ org: id }, { params }) => factsToAccept(id, params.id),
    },
    run: async (ctx, { params, body, rows: facts }, codes) => {
      const { quote, orderId } = await acceptQuote(ctx, params.id, { facts, body, codes })
      return { data: { quote_id: quote.id, status: quote.status, order_id: orderId }, message: 'Quote accepted' }
    },
  }),
  route({
    method: 'POST',
    path: '/quotes/{id}/preview',
    access: org('quotes'),
    purpose: 'Preview what accepting a quote creates.',
    description: 'Writes nothing and does not count as viewed. `expires_at` of the entitlements assumes a payment now.',
    params: ById,
    body: QuoteChoice,
    openapi: { example: { line_items: [{ index: 0, quantity: 5 }] } },
    data: QuotePreview,
    read: ({ org: id }, { params, body }) => previewQuote(id, params.id, body.line_items),
  }),
  route({
    method: 'POST',
    path: '/quotes/{id}/reject',
    access: org('quotes'),
    purpose: 'Reject a quote.',
    description:
      'It cannot be accepted any more, by its public links neither, and stays rejected; staff may revise it. Nobody ' +
      'is mailed. 409 unless it is sent or viewed.',
    params: ById,
    body: QuoteRejection,
    openapi: { example: { reason: 'We chose the smaller plan' } },
    data: Type.Null(),
    fails: ['status_not_allowed'],
    run: async (ctx, { params, body }) => {
      await rejectQuote(ctx, params.id, { reason: body.reason ?? null })
      return { data: null, message: 'Quote rejected' }
    },
  }),
  route({
    method: 'GET',
    path: '/quotes/{id}/history',
    access: org('quotes'),
    purpose: 'List the status history of a quote.',
    description: 'Oldest first. Only staff see what happened to a draft.',
    params: ById,
    query: HistoryPaging,
    page: HistoryEntry(QuoteStatus),
    read: ({ org: id }, { params, query }) => quotes.history({ org: id, id: params.id }, query),
  }),
  route({
    method: 'GET',
    path: '/quotes/{id}/payment',
    access: org('quotes', 'finances'),
    purpose: 'Get the payment status of a quote.',
    description:
      'Of the invoice of its order, or of another one of the order where that is void. `checkout_url` is null until ' +
      'the provider has opened a page. 409 before it is accepted.',
    params: ById,
    data: QuotePayment,
    fails: ['no_payment_yet'],
    read: ({ org: id }, { params }) => quotes.payment(id, params.id),
  }),
  fileRoute({
    path: '/quotes/{id}/pdf',
    access: org('quotes'),
    purpose: 'Download a quote as PDF.',
    description: 'In the language of `Accept-Language`, else that of the organization’s country.',
    params: ById,
    ...served(quoteDocument),
  }),
]
