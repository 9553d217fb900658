// What the lists of entitlements are filtered and sorted by.
import { type Static, Type } from 'typebox'
import { acrossFilters } from '#kernel/data/lists/across.ts'
import { listing, OPTIONAL_TIME, TIME } from '#kernel/data/lists/listing.ts'
import { externalIdFilter } from '#kernel/values/integration.ts'
import { AnyOf, Closed, Company, Paging, SearchFilter } from '#kernel/values/schema.ts'
import { EntitlementClass, EntitlementStatus } from './entitlement.ts'

export const entitlementListing = listing(
  { created_at: TIME, updated_at: TIME, expires_at: OPTIONAL_TIME },
  'updated_at',
)
export const EntitlementFilters = Closed({
  ...Paging,
  ...entitlementListing.parameters,
  ...externalIdFilter,
  class: AnyOf(EntitlementClass),
  status: AnyOf(EntitlementStatus),
  search: SearchFilter('the code, the product name or the external id'),
})
export type EntitlementFilters = Static<typeof EntitlementFilters>
export const AdministratorsEntitlementFilters = acrossFilters({
  ...EntitlementFilters.properties,
  company: Type.Optional(Company),
})
export type AdministratorsEntitlementFilters = Static<typeof AdministratorsEntitlementFilters>
