// Spec 4.5, refunds; and what docs/interface.md adds (Refunds).
import { org, staff } from '#kernel/access/permissions.ts'
import { route } from '#kernel/http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { approveRefund, rejectRefund, settleByHand } from './decide-refund.ts'
import { refunds } from './queries.ts'
import { NewRefund, Refund, RefundFilters, RefundRejection, RefundStarted } from './refund.ts'
import { refundOrder } from './start-refund.ts'

export const refundRoutes = [
  route({
    method: 'POST',
    path: '/orders/{id}/refund',
    tag: 'orders',
    access: org('orders', 'finances'),
    purpose: 'Refund a completed order.',
    description: 'Whole or in part: without `amount`, all that has not been refunded yet.',
    params: ById,
    body: NewRefund,
    example: { reason: 'Two seats were not used', amount: '60.00' },
    data: RefundStarted,
    fails: ['CONFLICT'],
    dryRun: true,
    run: async (ctx, { params, body }) => ({
      data: await refundOrder(ctx, params.id, body),
      message: 'Refund requested',
    }),
  }),
  route({
    method: 'GET',
    path: '/refunds',
    access: org('orders', 'finances'),
    purpose: 'List the refunds of the organization.',
    query: RefundFilters,
    page: Refund,
    read: ({ org: id }, { query }) => refunds.page(id, query),
  }),
  route({
    method: 'GET',
    path: '/refunds/{id}',
    access: org('orders', 'finances'),
    purpose: 'Get a refund.',
    params: ById,
    data: Refund,
    read: ({ org: id }, { params }) => refunds.byId(id, params.id),
  }),
  route({
    method: 'POST',
    path: '/refunds/{id}/approve',
    access: staff,
    purpose: 'Approve a refund.',
    description: 'An approved refund may be sent to the payment provider.',
    params: ById,
    data: Refund,
    fails: ['CONFLICT'],
    run: async (ctx, { params }) => ({ data: await approveRefund(ctx, params.id), message: 'Refund approved' }),
  }),
  route({
    method: 'POST',
    path: '/refunds/{id}/reject',
    access: staff,
    purpose: 'Reject a refund.',
    description: 'Only a refund that is not approved yet can be rejected.',
    params: ById,
    body: RefundRejection,
    example: { reason: 'The term has been used' },
    data: Refund,
    fails: ['CONFLICT'],
    run: async (ctx, { params, body }) => ({
      data: await rejectRefund(ctx, params.id, body),
      message: 'Refund rejected',
    }),
  }),
  route({
    method: 'POST',
    path: '/refunds/{id}/settle',
    access: staff,
    purpose: 'Record that a refund was paid by hand.',
    description:
      'For approved refunds of invoices that were paid by hand, and for refunds that failed at the provider. The provider confirms all others itself.',
    params: ById,
    data: Refund,
    fails: ['CONFLICT'],
    run: async (ctx, { params }) => ({ data: await settleByHand(ctx, params.id), message: 'Refund recorded' }),
  }),
]
