// The routes that record payments and list them (docs/interface/sales.md, Payments).
import { acrossItem } from '#kernel/data/lists/across.ts'
import { PDF } from '#modules/documents/documents-of-record/parties.ts'
import { Invoice, InvoicePayment } from '#modules/sales/invoices/invoice.ts'
import { org, staff, vendor } from '#kernel/values/permissions.ts'
import { one } from '#kernel/data/context.ts'
import { integrationRoute } from '#http/integration-route.ts'
import { fileRoute, route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { notInFuture } from '#kernel/values/time/time-rules.ts'
import { paymentRecord } from './payment-record.ts'
import { applyCreditBalance, BalanceApplication } from './apply-credit-balance.ts'
import { payByHand } from './pay-by-hand.ts'
import { movePayment, targetElsewhere } from './move-payment.ts'
import {
  MovedPayment,
  NewPayment,
  Payment,
  AdministratorsPaymentFilters,
  PaymentFilters,
  PaymentFiltersOfInvoice,
  PaymentMove,
  paymentsTable,
} from './payment.ts'
import { payments } from './payment-records.ts'
import { receiptFacts, receiptPdf } from './receipt.ts'
import { payInAdvance } from './record-payment.ts'

export const recordRoutes = [
  route({
    method: 'GET',
    path: '/payments',
    access: org('finances'),
    purpose: 'List the payments of the organization.',
    description: '`date_from` and `date_to` filter `payment_date`, both inclusive.',
    query: PaymentFilters,
    page: Payment,
    features: { record: paymentRecord },
    read: ({ org: id }, { query }) => payments.page(id, query),
  }),
  route({
    method: 'GET',
    path: '/admin/payments',
    access: vendor('finances'),
    purpose: 'List the payments of all organizations.',
    description: 'Newest first, each with its organization, also of deleted ones.',
    query: AdministratorsPaymentFilters,
    page: acrossItem(Payment),
    features: { record: paymentRecord, limitsOrganizations: true, mayBeStale: true },
    read: ({ organizations: only }, { query }) => payments.pageOfAll(query, only),
  }),
  route({
    method: 'GET',
    path: '/payments/{id}',
    access: org('finances'),
    purpose: 'Get a payment.',
    description:
      'Amount and day never change. Since `moved_at` it does not count, and another payment was recorded in its ' +
      'place; `surplus` is what went to the credit balance.',
    params: ById,
    data: Payment,
    features: { record: paymentRecord },
    read: ({ org: id }, { params }) => payments.byId(id, params.id),
  }),
  fileRoute({
    path: '/payments/{id}/receipt',
    access: org('finances'),
    purpose: 'Download the receipt of a payment as PDF.',
    description: 'In the language of `Accept-Language`, else that of the organization’s country.',
    params: ById,
    contentType: PDF,
    read: ({ org: id }, { params }) => receiptFacts(id, params.id),
    make: receiptPdf,
  }),
  integrationRoute({
    path: '/payments/{id}',
    access: staff('finances'),
    record: 'a payment',
    table: paymentsTable,
    data: Payment,
    view: (ctx, id) => one(ctx, payments.view(ctx.organizationId, id)),
  }),
  route({
    method: 'POST',
    path: '/payments/{id}/move',
    access: staff('finances'),
    purpose: 'Move a payment to the invoice that it was for.',
    description:
      'Recorded by hand on the wrong invoice, it ends there and is recorded anew, as of its day. The wrong one is ' +
      'owed again; the right one may be of another organization, where the caller, a person, may do the same.',
    params: ById,
    body: PaymentMove,
    openapi: { example: { invoice_id: 2, reason: 'A transfer for another invoice' } },
    data: MovedPayment,
    fails: [
      'balance_too_high',
      'balance_too_low',
      'nothing_owed',
      'payment_moved',
      'payment_not_by_hand',
      'refunded_otherwise',
      'status_not_allowed',
      'NOT_FOUND',
    ],
    features: { dryRun: true },
    before: (io, { body }) => targetElsewhere(io, body),
    run: async (ctx, { params, body }, elsewhere) => ({
      data: await movePayment(ctx, params.id, { body, elsewhere }),
      message: 'Payment moved',
    }),
  }),
  route({
    method: 'GET',
    path: '/invoices/{id}/payments',
    access: org('finances'),
    purpose: 'List the payments of an invoice.',
    description: 'Newest first, those from the credit balance too. One with `moved_at` does not count any more.',
    params: ById,
    query: PaymentFiltersOfInvoice,
    page: Payment,
    features: { record: paymentRecord },
    read: ({ org: id }, { params, query }) => payments.ofInvoice(id, params.id, query),
  }),
  route({
    method: 'POST',
    path: '/payments',
    access: staff('finances'),
    purpose: 'Record a payment in advance.',
    description: 'Made outside the provider and for no invoice yet: it goes to the credit balance.',
    body: NewPayment,
    rules: ({ paid_at }, { now }) => notInFuture('paid_at', paid_at, now),
    openapi: { example: { company: 'entity_br', currency: 'BRL', amount: '500.00', payment_method: 'bank_transfer' } },
    data: Payment,
    status: 201,
    fails: ['balance_too_high', 'external_id_taken'],
    run: async (ctx, { body }) => ({ data: await payInAdvance(ctx, body), message: 'Payment recorded' }),
  }),
  route({
    method: 'POST',
    path: '/invoices/{id}/pay',
    access: staff('finances'),
    purpose: 'Record a payment made outside the provider.',
    description:
      'Of `amount`, or of all that is due. Less leaves the invoice open; what is more goes to the credit ' +
      'balance, as does an `amount` for an invoice that is paid or void.',
    params: ById,
    body: InvoicePayment,
    rules: ({ paid_at }, { now }) => notInFuture('paid_at', paid_at, now),
    openapi: {
      tag: 'invoices',
      example: { amount: '60.00', payment_method: 'bank_transfer', paid_at: '2026-11-20T12:00:00.000Z' },
    },
    data: Invoice,
    fails: ['balance_too_high', 'status_not_allowed', 'external_id_taken'],
    run: async (ctx, { params, body }) => ({
      data: await payByHand(ctx, params.id, body),
      message: 'Payment recorded',
    }),
  }),
  route({
    method: 'POST',
    path: '/invoices/{id}/apply-credit-balance',
    access: org('finances'),
    purpose: 'Pay an invoice from the credit balance.',
    description: 'Of the invoice’s legal entity and currency, whole or in part.',
    params: ById,
    body: BalanceApplication,
    openapi: { tag: 'invoices', example: { amount: '25.00' } },
    data: Invoice,
    fails: ['nothing_to_apply', 'status_not_allowed'],
    run: async (ctx, { params, body }) => ({
      data: await applyCreditBalance(ctx, params.id, body),
      message: 'Credit balance applied',
    }),
  }),
]
