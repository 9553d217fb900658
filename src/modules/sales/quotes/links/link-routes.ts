// The routes of public links: managed inside of the organization, opened by anybody who has one.
import { Type } from 'typebox'
import { PDF } from '#modules/documents/documents-of-record/parties.ts'
import { org, open, staff } from '#kernel/values/permissions.ts'
import type { SystemContext } from '#kernel/data/context.ts'
import { fileRoute, route, row } from '#http/route.ts'
import { digest } from '#kernel/keys/secrets.ts'
import { ById, Closed, Id, Paging } from '#kernel/values/schema.ts'
import { acceptByLink, prepareAcceptance, rejectByLink } from './answer-by-link.ts'
import { viewQuote } from '../decide-quote.ts'
import { linkQuote, linkRules, newLinkSecret, revokeLink } from './link-quote.ts'
import { quoteLinks } from './link-queries.ts'
import { publicPdf } from '../offered-paper.ts'
import { linkedBy, PublicQuote, type LinkView, shownBy } from './public-quote.ts'
import { ByToken, LinkRequest, NewQuoteLink, PublicAcceptance, PublicRejection, QuoteLink } from './quote-link.ts'
import { Quote, QuoteChoice } from '../quote.ts'

const Answered = Type.Pick(Quote, ['number', 'status'])
const limit = { policy: 'public' } as const
const person = { name: 'Ana Souza', email: 'ana@acme.example' }

export const linkRoutes = [
  route({
    method: 'GET',
    path: '/quotes/{id}/links',
    access: org('quotes'),
    purpose: 'List the public links of a quote.',
    description: 'Without their addresses; revoked and expired ones too.',
    params: ById,
    query: Closed(Paging),
    page: QuoteLink,
    read: ({ org: id }, { params, query }) => quoteLinks.page(id, params.id, query),
  }),
  route({
    method: 'POST',
    path: '/quotes/{id}/links',
    access: staff('quotes'),
    purpose: 'Create a public link of a quote.',
    description:
      'Whoever has its `url` may see and answer the quote, without an account, until it expires or is ' +
      'revoked. 409 unless the quote can be accepted.',
    params: ById,
    body: LinkRequest,
    rules: linkRules,
    openapi: { example: { note: 'For the board' } },
    data: NewQuoteLink,
    status: 201,
    fails: ['limit_reached', 'quote_expired', 'status_not_allowed'],
    features: { secret: true },
    before: {
      // Asks nothing, so that it needs no access check of its own.
      allocates: async ({ ports }) => newLinkSecret(ports.secretKey),
    },
    run: async (ctx, { params, body }, secret) => ({
      data: await linkQuote(ctx, params.id, { body, secret }),
      message: 'Public link created; keep its address, it is not shown again',
    }),
  }),
  route({
    method: 'DELETE',
    path: '/quotes/{id}/links/{link_id}',
    access: org('quotes'),
    purpose: 'Delete a public link of a quote.',
    description:
      'Its address is 404 from then on, for good; so is the one in the mails of the quote, if it is that link. The ' +
      'quote and its other links stay. Revoking it again succeeds.',
    params: Closed({ id: Id, link_id: Id }),
    data: Type.Null(),
    run: async (ctx, { params }) => {
      await revokeLink(ctx, params.id, params.link_id)
      return { data: null, message: 'Public link revoked' }
    },
  }),
  route({
    method: 'GET',
    path: '/public/quotes/{token}',
    access: open,
    purpose: 'Get a quote by its public link.',
    description:
      'Counts as a view. In the language of `Accept-Language`, else that of the organization’s country. The ' +
      'same 404 for a link that is unknown, expired or revoked, or whose organization is deleted.',
    params: ByToken,
    data: PublicQuote,
    features: { limit },
    before: (io, { params }) => shownBy(io, params.token),
    run: (ctx, _input, shown) => viewed(ctx, shown),
  }),
  fileRoute({
    path: '/public/quotes/{token}/pdf',
    access: open,
    purpose: 'Download a quote as PDF by its public link.',
    description: 'Does not count as a view.',
    features: { limit },
    contentType: PDF,
    params: ByToken,
    openapi: { operationId: 'downloadPublicQuote' },
    read: ({ now }, { params }) => row(quoteLinks.byToken(digest(params.token), now)),
    make: publicPdf,
  }),
  route({
    method: 'POST',
    path: '/public/quotes/{token}/preview',
    access: open,
    purpose: 'Preview a quote with other lines and quantities, by its public link.',
    description: 'Writes nothing and does not count as a view.',
    params: ByToken,
    body: QuoteChoice,
    openapi: { example: { line_items: [{ index: 0, quantity: 5 }] } },
    data: PublicQuote,
    features: { limit },
    before: (io, { params, body }) => shownBy(io, params.token, body.line_items),
    run: async (_ctx, _input, { view }) => ({ data: view }),
  }),
  route({
    method: 'POST',
    path: '/public/quotes/{token}/accept',
    access: open,
    purpose: 'Accept a quote by its public link.',
    description:
      'As `POST /quotes/{id}/accept` does. The quote keeps name, e-mail address, time, address and the ' +
      'sentence agreed to, and the PDF that was shown is archived: 409 when `document_sha256` is not its ' +
      'hash, in the language of `Accept-Language`.',
    params: ByToken,
    body: PublicAcceptance,
    openapi: {
      example: {
        ...person,
        consent: true,
        document_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      },
    },
    data: Answered,
    fails: [
      'changed_meanwhile',
      'entitlement_not_renewable',
      'organization_unverified',
      'quote_expired',
      'quote_superseded',
      'status_not_allowed',
      'upload_too_slow',
    ],
    features: { limit },
    before: (io, { params, body }) => prepareAcceptance(io, params.token, body),
    run: async (ctx, { body }, prepared) => ({
      data: answered(await acceptByLink(ctx, body, prepared)),
      message: 'Quote accepted',
    }),
  }),
  route({
    method: 'POST',
    path: '/public/quotes/{token}/reject',
    access: open,
    purpose: 'Reject a quote by its public link.',
    description:
      'As `POST /quotes/{id}/reject` does. `answered_by` of the quote keeps name, e-mail address, time and network ' +
      'address. 404 for a link that is unknown, expired or revoked; 409 unless the quote is sent or viewed.',
    params: ByToken,
    body: PublicRejection,
    openapi: { example: { ...person, reason: 'We chose the smaller plan' } },
    data: Answered,
    fails: ['status_not_allowed'],
    features: { limit },
    before: (io, { params }) => linkedBy(io, params.token),
    run: async (ctx, { body }, linked) => ({
      data: answered(await rejectByLink(ctx, linked, body)),
      message: 'Quote rejected',
    }),
  }),
]

const answered = ({ number, status }: Quote) => ({ number, status })

/** The organization's lock is taken before the link's row, as everywhere. */
async function viewed(ctx: SystemContext, { linked, view }: LinkView) {
  const isFirst = view.status === 'sent'
  const quote = isFirst ? await viewQuote(await ctx.enter(linked.organization_id), { id: linked.quote_id }) : view
  ctx.write(quoteLinks.addView(linked, ctx.now))
  return { data: { ...view, status: quote.status } }
}
