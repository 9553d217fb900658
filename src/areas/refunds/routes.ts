// Spec 4.5, refunds; and what docs/interface.md adds (Refunds).
import { org, staff } from '#kernel/access/permissions.ts'
import { route, type Rules } from '#kernel/http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { approveRefund, isConfirmedByProvider, rejectRefund, settleByHand } from './decide-refund.ts'
import { refunds } from './queries.ts'
import {
  NewBalanceRefund,
  NewRefund,
  Refund,
  RefundApproval,
  RefundFilters,
  RefundRejection,
  RefundSettlement,
  RefundStarted,
} from './refund.ts'
import { TrackedRefund } from './refund-steps.ts'
import { retryRefund, trackedRefund } from './track-refund.ts'
import { refundCreditBalance } from './refund-credit-balance.ts'
import { refundInvoice, refundOrder } from './start-refund.ts'

/** The vendor answers for what it has declared to the authority. */
const staffDecide: Rules<NewRefund> = ({ tax_invoice_action: action }, { isStaff }): Record<string, string> =>
  action === undefined || isStaff ? {} : { tax_invoice_action: 'only staff may set this' }

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
    rules: staffDecide,
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
    method: 'POST',
    path: '/invoices/{id}/refund',
    tag: 'invoices',
    access: org('orders', 'finances'),
    purpose: 'Refund what was paid for an invoice.',
    description:
      'Of one payment: the latest that has enough left. Staff also refund what was paid for an invoice that is open or void.',
    params: ById,
    body: NewRefund,
    rules: staffDecide,
    example: { reason: 'Two seats were not used', amount: '60.00' },
    data: RefundStarted,
    fails: ['CONFLICT'],
    dryRun: true,
    run: async (ctx, { params, body }) => ({
      data: await refundInvoice(ctx, params.id, body),
      message: 'Refund requested',
    }),
  }),
  route({
    method: 'POST',
    path: '/credit-balances/{id}/refund',
    tag: 'credit-balances',
    access: org('orders', 'finances'),
    purpose: 'Refund a credit balance.',
    description: 'The amount leaves the balance at once, and returns when the refund fails or is rejected.',
    params: ById,
    body: NewBalanceRefund,
    example: { reason: 'The account is being closed', amount: '60.00' },
    data: Refund,
    fails: ['CONFLICT'],
    run: async (ctx, { params, body }) => ({
      data: await refundCreditBalance(ctx, params.id, body),
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
    purpose: 'Get a refund, with its steps.',
    description:
      'A step is part of what the refund brings about, and says whose turn it is. What becomes of the tax invoices is `waiting` for staff until they decide.',
    params: ById,
    data: TrackedRefund,
    read: ({ org: id }, { params }) => trackedRefund(id, params.id),
  }),
  route({
    method: 'POST',
    path: '/refunds/{id}/retry',
    access: staff,
    purpose: 'Restart what has failed of a refund.',
    description: 'The dead letters of its steps, and no others. 409 when there are none.',
    params: ById,
    data: TrackedRefund,
    fails: ['CONFLICT'],
    run: async (ctx, { params }) => ({ data: await retryRefund(ctx, params.id), message: 'Restarted' }),
  }),
  route({
    method: 'POST',
    path: '/refunds/{id}/approve',
    access: staff,
    purpose: 'Approve a refund.',
    description: 'An approved refund may be sent to the payment provider.',
    params: ById,
    body: RefundApproval,
    example: { tax_invoice_action: 'cancel' },
    data: Refund,
    fails: ['CONFLICT'],
    run: async (ctx, { params, body }) => ({
      data: await approveRefund(ctx, params.id, body),
      message: 'Refund approved',
    }),
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
    purpose: 'Record the outcome of a refund that the provider does not confirm.',
    description:
      'For approved refunds of payments that were made by hand or at a provider that is not in use any more, and for refunds that failed at the provider. It confirms all others itself.',
    params: ById,
    body: RefundSettlement,
    example: { status: 'failed', reason: 'Not found at the provider' },
    data: Refund,
    fails: ['CONFLICT'],
    before: (io, { params }) => isConfirmedByProvider(io, params.id),
    run: async (ctx, { params, body }, isConfirmed) => ({
      data: await settleByHand(ctx, params.id, { body, isConfirmed }),
      message: 'Refund recorded',
    }),
  }),
]
