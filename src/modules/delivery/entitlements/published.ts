// What customers see of the events of entitlements.
import { publishedResource } from '#kernel/data/published.ts'
import { sql } from '#kernel/values/sql.ts'
import { Entitlement, entitlementsTable } from './entitlement.ts'

export const publishedEntitlements = publishedResource(entitlementsTable, {
  scopes: ['entitlements'],
  record: Entitlement,
  linkedCodes: () => sql`select e.data ->> 'code' as code`,
  events: {
    created: 'An entitlement came into being.',
    updated: 'A field of an entitlement changed.',
    suspended: 'An entitlement was suspended.',
    resumed: 'A suspended entitlement is active again.',
    expiring: 'An entitlement is about to expire.',
    expired: 'An entitlement has expired.',
    renewed: 'An expired entitlement is active again.',
    cancelled: 'An entitlement was cancelled.',
  },
})
