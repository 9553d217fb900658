// What customers see of the events of their affiliate accounts, commissions and payouts. Whom they referred is in none
// of them.
import type { OfOrganizations } from '#kernel/data/lists/of-organizations.ts'
import { publishedResource } from '#kernel/data/published.ts'
import { sql } from '#kernel/values/sql.ts'
import { Affiliate, affiliatesTable } from './affiliate.ts'
import { Commission, commissionsTable } from './commission.ts'
import { Payout, payoutsTable } from './payout.ts'

const codeOfAccount = (of: OfOrganizations) => sql`
  select a.code from affiliates a
   where ${of('a.organization_id')} and a.id = (e.data ->> 'affiliate_id')::bigint`

export const publishedAffiliates = publishedResource(affiliatesTable, {
  scopes: ['finances'],
  record: Affiliate,
  linkedCodes: () => sql`select e.data ->> 'code' as code`,
  events: {
    created: 'An affiliate account was opened.',
    updated: 'A field of an affiliate account changed, such as its rate or its balance.',
    active: 'A suspended affiliate account is active again.',
    suspended: 'An affiliate account was suspended.',
    closed: 'An affiliate account was closed.',
  },
})

export const publishedCommissions = publishedResource(commissionsTable, {
  scopes: ['finances'],
  record: Commission,
  linkedCodes: codeOfAccount,
  events: {
    created: 'A payment earned a commission, which waits for a possible refund.',
    updated: 'The amount of a commission changed, because a part of the payment was refunded.',
    earned: 'A commission is earned.',
    reversed: 'A commission was reversed, because the payment was refunded.',
  },
})

export const publishedPayouts = publishedResource(payoutsTable, {
  scopes: ['finances'],
  record: Payout,
  linkedCodes: codeOfAccount,
  events: {
    created: 'A payout was requested.',
    approved: 'A payout was approved.',
    paid: 'A payout was paid.',
    rejected: 'A payout was rejected.',
    cancelled: 'A payout was cancelled by the affiliate.',
  },
})
