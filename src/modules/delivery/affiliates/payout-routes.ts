// The routes of an affiliate's payouts (docs/interface/delivery.md, Affiliates).
import { vendor, org, staff } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { notInFuture } from '#kernel/values/time/time-rules.ts'
import { approvePayout, cancelPayout, payPayout, rejectPayout } from './decide-payout.ts'
import {
  AdministratorsPayout,
  AdministratorsPayoutFilters,
  ByPayout,
  NewPayout,
  Payout,
  PayoutFilters,
  PayoutPayment,
  PayoutRejection,
} from './payout.ts'
import { payouts } from './payout-queries.ts'
import { requestPayout } from './request-payout.ts'

export const payoutRoutes = [
  route({
    method: 'GET',
    path: '/affiliates/{id}/payouts',
    access: org('finances'),
    purpose: 'List the payouts of an affiliate account.',
    description: 'Newest first, in every status. The amount of a requested or approved one is reserved.',
    params: ById,
    query: PayoutFilters,
    page: Payout,
    read: ({ org: id }, { params, query }) => payouts.page(id, params.id, query),
  }),
  route({
    method: 'POST',
    path: '/affiliates/{id}/payouts',
    access: org('finances'),
    purpose: 'Request a payout of an affiliate’s balance.',
    description: 'Without `amount`, of all that is available. The amount is reserved until the payout is decided.',
    params: ById,
    body: NewPayout,
    openapi: { example: { amount: '50.00' } },
    data: Payout,
    status: 201,
    fails: ['organization_unverified'],
    run: async (ctx, { params, body }) => ({
      data: await requestPayout(ctx, params.id, body),
      message: 'Payout requested',
    }),
  }),
  route({
    method: 'GET',
    path: '/affiliates/{id}/payouts/{payout_id}',
    access: org('finances'),
    purpose: 'Get a payout.',
    description:
      '`reference` and `paid_at` are those of the transfer that staff recorded; `rejection_reason` is what they ' +
      'wrote to the affiliate.',
    params: ByPayout,
    data: Payout,
    read: ({ org: id }, { params }) => payouts.byId(id, params.id, params.payout_id),
  }),
  route({
    method: 'POST',
    path: '/affiliates/{id}/payouts/{payout_id}/cancel',
    access: org('finances'),
    purpose: 'Cancel a payout that is not approved yet.',
    description:
      'Its amount is available again, and can be requested anew. It stays cancelled. 409 unless it is `requested`.',
    params: ByPayout,
    data: Payout,
    fails: ['status_not_allowed'],
    run: async (ctx, { params }) => ({ data: await cancelPayout(ctx, params), message: 'Payout cancelled' }),
  }),
  route({
    method: 'POST',
    path: '/affiliates/{id}/payouts/{payout_id}/approve',
    access: staff('finances'),
    purpose: 'Approve a payout.',
    description:
      'No money moves, and nobody is mailed: staff pay it elsewhere and record that (`/pay`), or still reject it. ' +
      'The affiliate cannot cancel it any more. 409 unless it is `requested`.',
    params: ByPayout,
    data: Payout,
    fails: ['status_not_allowed'],
    run: async (ctx, { params }) => ({ data: await approvePayout(ctx, params), message: 'Payout approved' }),
  }),
  route({
    method: 'POST',
    path: '/affiliates/{id}/payouts/{payout_id}/pay',
    access: staff('finances'),
    purpose: 'Record that an approved payout was paid.',
    description: '409 while the balance is less than the amount, after a refund since the request.',
    params: ByPayout,
    body: PayoutPayment,
    rules: ({ paid_at }, { now }) => notInFuture('paid_at', paid_at, now),
    openapi: { example: { reference: 'PIX-E1234567820261201' } },
    data: Payout,
    fails: ['balance_too_low', 'status_not_allowed'],
    run: async (ctx, { params, body }) => ({ data: await payPayout(ctx, params, body), message: 'Payout paid' }),
  }),
  route({
    method: 'POST',
    path: '/affiliates/{id}/payouts/{payout_id}/reject',
    access: staff('finances'),
    purpose: 'Reject a payout that is not paid yet.',
    description:
      'Its amount is available again, and members with the scope `finances` get a mail with the reason. It stays ' +
      'rejected. 409 unless it is `requested` or `approved`.',
    params: ByPayout,
    body: PayoutRejection,
    openapi: { example: { reason: 'The invoice for the commission is missing' } },
    data: Payout,
    fails: ['status_not_allowed'],
    run: async (ctx, { params, body }) => ({ data: await rejectPayout(ctx, params, body), message: 'Payout rejected' }),
  }),
  route({
    method: 'GET',
    path: '/admin/affiliates/payouts',
    access: vendor('finances'),
    purpose: 'List the payouts of all organizations.',
    description:
      'Newest first, each with its organization and the code of its account. With `status=requested` those that ' +
      'wait for approval.',
    query: AdministratorsPayoutFilters,
    page: AdministratorsPayout,
    features: { limitsOrganizations: true },
    read: ({ organizations }, { query }) => payouts.pageOfAll(query, organizations),
  }),
]
