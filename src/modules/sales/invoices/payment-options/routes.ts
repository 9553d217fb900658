// The routes that say how an invoice is paid.
import { PDF } from '#modules/documents/documents-of-record/parties.ts'
import { org, open } from '#kernel/values/permissions.ts'
import { notFound } from '#kernel/values/errors.ts'
import { fileRoute, parts, route } from '#http/route.ts'
import { ById, Closed } from '#kernel/values/schema.ts'
import { Type } from 'typebox'
import { payableInvoice, paymentOptionsOf } from './options-of.ts'
import { PaymentOptions, PublicInvoice } from './payment-option.ts'
import { publicInvoice, publicInvoicePdf } from './public-invoice.ts'

const ByInvoiceToken = Closed({
  token: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'The end of the link in the mail',
    examples: ['1.42.b1946ac92492d2347c6235b4d2611184c2f1a0b3d4e'],
  }),
})
const limit = { policy: 'public' } as const

export const paymentOptionRoutes = [
  route({
    method: 'GET',
    path: '/invoices/{id}/payment-options',
    access: org('finances'),
    purpose: 'Get how an invoice can be paid.',
    description:
      'What is offered now: a code that has ended is left out, and comes again once the payment provider has made ' +
      'another one. `url` may be given to whoever pays.',
    params: ById,
    data: PaymentOptions,
    read: ({ org: id, ports, now }, { params }) =>
      parts([payableInvoice(id, params.id)], ([[invoice]]) => {
        if (!invoice) throw notFound()
        return paymentOptionsOf(id, invoice, { ports, now })
      }),
  }),
  route({
    method: 'GET',
    path: '/public/invoices/{token}',
    access: open,
    purpose: 'Get an invoice, and how it can be paid, by the link in its mails.',
    description: 'The link does not end. The same 404 for one that is unknown or whose organization is deleted.',
    params: ByInvoiceToken,
    data: PublicInvoice,
    features: { limit },
    before: (io, { params }) => publicInvoice(io, params.token),
    run: async (_ctx, _input, invoice) => ({ data: invoice }),
  }),
  fileRoute({
    path: '/public/invoices/{token}/pdf',
    access: open,
    purpose: 'Download an invoice as PDF by the link in its mails.',
    description:
      'Of the invoice as it is now. The same 404 as `GET /public/invoices/{token}` for a link that opens nothing, ' +
      'and for a draft.',
    features: { limit },
    contentType: PDF,
    params: ByInvoiceToken,
    openapi: { operationId: 'downloadPublicInvoice' },
    read: (_ctx, { params }) => parts([], () => params.token),
    make: publicInvoicePdf,
  }),
]
