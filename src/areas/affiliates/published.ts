// What customers see of the events of their affiliate accounts. Whom they referred is in none of them.
import { publishedResource } from '#kernel/data/published.ts'
import { sql } from '#kernel/data/sql.ts'
import { Affiliate, affiliatesTable, Commission, commissionsTable } from './affiliate.ts'

export const publishedAffiliates = publishedResource(affiliatesTable, {
  scopes: ['finances'],
  record: Affiliate,
  linkedCodes: sql`select e.data ->> 'code' as code`,
  events: {
    created: 'An affiliate account was opened.',
    updated: 'A field of an affiliate account changed, such as its rate.',
    active: 'A suspended affiliate account is active again.',
    suspended: 'An affiliate account was suspended.',
    closed: 'An affiliate account was closed.',
  },
})

export const publishedCommissions = publishedResource(commissionsTable, {
  scopes: ['finances'],
  record: Commission,
  linkedCodes: sql`
    select a.code from affiliates a
     where a.organization_id = e.organization_id and a.id = (e.data ->> 'affiliate_id')::bigint`,
  events: {
    created: 'A payment earned a commission, which waits for a possible refund.',
    updated: 'The amount of a commission changed, because a part of the payment was refunded.',
    earned: 'A commission is earned.',
    reversed: 'A commission was reversed, because the payment was refunded.',
  },
})
