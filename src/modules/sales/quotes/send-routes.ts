// The routes by which staff send a quote, and give it another date.
import { staff } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { newLinkSecret } from './links/link-quote.ts'
import { Quote, QuoteSending, ValidUntilChange } from './quote.ts'
import { changeValidUntil, sendQuote } from './send-quote.ts'

export const sendRoutes = [
  route({
    method: 'POST',
    path: '/quotes/{id}/send',
    access: staff('quotes'),
    purpose: 'Send a quote to the customer.',
    description:
      'Its mails have a public link, at which it can be accepted without an account. They go to the members with the ' +
      'scope, to whoever is invited, and to `recipients`. An open one is mailed to `recipients` alone.',
    params: ById,
    body: QuoteSending,
    openapi: { example: { recipients: ['ana@acme.example'] } },
    data: Quote,
    fails: ['quote_expired', 'replaced_quote_closed', 'status_not_allowed', 'RATE_LIMIT'],
    before: {
      // Asks nothing, so that it needs no access check of its own.
      allocates: async ({ ports }) => newLinkSecret(ports.secretKey),
    },
    run: async (ctx, { params, body }, secret) => ({
      data: await sendQuote(ctx, params.id, { body, secret }),
      message: 'Quote sent',
    }),
  }),
  route({
    method: 'PUT',
    path: '/quotes/{id}/valid-until',
    access: staff('quotes'),
    purpose: 'Update until when an open quote is valid.',
    description: 'Its mailed links last as long. 409 unless it can be accepted.',
    params: ById,
    body: ValidUntilChange,
    openapi: { example: { valid_until: '2999-12-31' } },
    data: Quote,
    fails: ['status_not_allowed'],
    run: async (ctx, { params, body }) => ({
      data: await changeValidUntil(ctx, params.id, body),
      message: 'Quote updated',
    }),
  }),
]
