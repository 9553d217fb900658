// Spec 4.5, refunds; and what docs/interface/sales.md adds (Refunds).
import { acrossItem } from '#kernel/data/lists/across.ts'
import { HistoryEntry, HistoryPaging } from '#kernel/data/audit/history.ts'
import { org, staff, vendor } from '#kernel/values/permissions.ts'
import { givenOrIntegration } from '#http/integration-route.ts'
import { route, type Rules } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { refundRecord } from './refund-record.ts'
import { approveRefund, isConfirmedByProvider, rejectRefund, decideByHand } from './decide-refund.ts'
import { decideTaxInvoices } from './decide-tax-invoices.ts'
import { refunds } from './queries.ts'
import {
  AdministratorsRefundFilters,
  NewBalanceRefund,
  NewRefund,
  Refund,
  RefundApproval,
  RefundChange,
  RefundFilters,
  RefundStatus,
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
    access: org('orders', 'finances'),
    purpose: 'Refund a completed order.',
    description:
      'Whole or in part: without `amount`, all that was paid for the latest period, or for the order where ' +
      'it has no periods, payment by payment.',
    params: ById,
    body: NewRefund,
    rules: staffDecide,
    openapi: { tag: 'orders', example: { reason: 'Two seats were not used', amount: '60.00' } },
    data: RefundStarted,
    fails: ['external_id_taken', 'payment_disputed', 'status_not_allowed'],
    features: { dryRun: true },
    run: async (ctx, { params, body }) => ({
      data: await refundOrder(ctx, params.id, body),
      message: 'Refund requested',
    }),
  }),
  route({
    method: 'POST',
    path: '/invoices/{id}/refund',
    access: org('orders', 'finances'),
    purpose: 'Refund what was paid for an invoice.',
    description:
      'With `amount` of one payment: the latest that has enough left; without it all that was paid, payment ' +
      'by payment. Staff also refund what was paid for an invoice that is open or void.',
    params: ById,
    body: NewRefund,
    rules: staffDecide,
    openapi: { tag: 'invoices', example: { reason: 'Two seats were not used', amount: '60.00' } },
    data: RefundStarted,
    fails: ['external_id_taken', 'nothing_to_refund', 'payment_disputed', 'status_not_allowed'],
    features: { dryRun: true },
    run: async (ctx, { params, body }) => ({
      data: await refundInvoice(ctx, params.id, body),
      message: 'Refund requested',
    }),
  }),
  route({
    method: 'POST',
    path: '/credit-balances/{id}/refund',
    access: org('orders', 'finances'),
    purpose: 'Refund a credit balance.',
    description: 'The amount leaves the balance at once, and returns when the refund fails or is rejected.',
    params: ById,
    body: NewBalanceRefund,
    openapi: { tag: 'credit-balances', example: { reason: 'The account is being closed', amount: '60.00' } },
    data: Refund,
    fails: ['external_id_taken', 'nothing_to_refund', 'payment_disputed'],
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
    description:
      'Newest first, those that failed or were rejected too. What each brought about (`steps`) is at `GET ' +
      '/refunds/{id}`.',
    query: RefundFilters,
    page: Refund,
    features: { record: refundRecord },
    read: ({ org: id }, { query }) => refunds.page(id, query),
  }),
  route({
    method: 'GET',
    path: '/admin/refunds',
    access: vendor('orders', 'finances'),
    purpose: 'List the refunds of all organizations.',
    description: 'Newest first, also of deleted organizations. Those that wait for staff are in `GET /admin/queue`.',
    query: AdministratorsRefundFilters,
    page: acrossItem(Refund),
    features: { record: refundRecord, limitsOrganizations: true, mayBeStale: true },
    read: ({ organizations: only }, { query }) => refunds.pageOfAll(query, only),
  }),
  route({
    method: 'GET',
    path: '/refunds/{id}',
    access: org('orders', 'finances'),
    purpose: 'Get a refund, with its steps.',
    description:
      'A step is part of what the refund brings about, and says whose turn it is. What becomes of the tax ' +
      'invoices is `waiting` for staff until they decide.',
    params: ById,
    data: TrackedRefund,
    features: { record: refundRecord },
    read: ({ org: id }, { params }) => trackedRefund(id, params.id),
  }),
  route({
    method: 'GET',
    path: '/refunds/{id}/history',
    access: org('orders', 'finances'),
    purpose: 'List the status history of a refund.',
    description: 'Oldest first.',
    params: ById,
    query: HistoryPaging,
    page: HistoryEntry(RefundStatus),
    read: ({ org: id }, { params, query }) => refunds.history({ org: id, id: params.id }, query),
  }),
  route({
    method: 'PATCH',
    path: '/refunds/{id}',
    access: staff('finances'),
    purpose: 'Update what becomes of the tax invoices of a refund, its external id and metadata.',
    description:
      '`tax_invoice_action`: also after it has succeeded, such as one by a lost dispute. 409 once the ' +
      'authority is being asked, and for a refund that failed or was rejected.',
    params: ById,
    body: RefundChange,
    rules: givenOrIntegration('tax_invoice_action'),
    openapi: { example: { tax_invoice_action: 'cancel' } },
    data: Refund,
    fails: ['already_in_progress', 'external_id_taken', 'status_not_allowed'],
    run: async (ctx, { params, body }) => ({
      data: await decideTaxInvoices(ctx, params.id, body),
      message: 'Refund changed',
    }),
  }),
  route({
    method: 'POST',
    path: '/refunds/{id}/retry',
    access: staff('finances'),
    purpose: 'Restart what has failed of a refund.',
    description: 'The dead letters of its steps, and no others. 409 when there are none.',
    params: ById,
    data: TrackedRefund,
    fails: ['nothing_to_restart'],
    run: async (ctx, { params }) => ({ data: await retryRefund(ctx, params.id), message: 'Restarted' }),
  }),
  route({
    method: 'POST',
    path: '/refunds/{id}/approve',
    access: staff('finances'),
    purpose: 'Approve a refund.',
    description: 'An approved refund may be sent to the payment provider.',
    params: ById,
    body: RefundApproval,
    openapi: { example: { tax_invoice_action: 'cancel' } },
    data: Refund,
    fails: ['payment_disputed', 'refund_approved', 'status_not_allowed'],
    run: async (ctx, { params, body }) => ({
      data: await approveRefund(ctx, params.id, body),
      message: 'Refund approved',
    }),
  }),
  route({
    method: 'POST',
    path: '/refunds/{id}/reject',
    access: staff('finances'),
    purpose: 'Reject a refund.',
    description: 'Only a refund that is not approved yet can be rejected.',
    params: ById,
    body: RefundRejection,
    openapi: { example: { reason: 'The term has been used' } },
    data: Refund,
    fails: ['balance_too_high', 'refund_approved', 'status_not_allowed'],
    run: async (ctx, { params, body }) => ({
      data: await rejectRefund(ctx, params.id, body),
      message: 'Refund rejected',
    }),
  }),
  route({
    method: 'POST',
    path: '/refunds/{id}/settle',
    access: staff('finances'),
    purpose: 'Record the outcome of a refund that the provider does not confirm.',
    description:
      'For approved refunds of payments that were made by hand or at a provider that is not in use any ' +
      'more, and for refunds that failed at the provider. It confirms all others itself.',
    params: ById,
    body: RefundSettlement,
    openapi: { example: { status: 'failed', reason: 'Not found at the provider' } },
    data: Refund,
    fails: [
      'balance_too_high',
      'refund_confirmed_by_provider',
      'refund_failed',
      'refund_not_approved',
      'refunded_otherwise',
      'status_not_allowed',
    ],
    before: (io, { params }) => isConfirmedByProvider(io, params.id),
    run: async (ctx, { params, body }, isConfirmed) => ({
      data: await decideByHand(ctx, params.id, { body, isConfirmed }),
      message: 'Refund recorded',
    }),
  }),
]
