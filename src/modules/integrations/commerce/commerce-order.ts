// The order at the commerce platform that belongs to one of ours (docs/interface/integrations.md, Commerce platform).
import { listing, TIME } from '#kernel/data/lists/listing.ts'
import { Type, type Static } from 'typebox'
import { OrderStatus } from '#modules/sales/orders/order.ts'
import { Closed, Company, Id, Name, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'

export const CommerceOrder = Type.Object(
  {
    id: Id,
    organization_id: Id,
    organization_name: Name,
    order_id: Id,
    number: Type.String({ examples: ['O-42'], description: 'Of the order' }),
    company: Company,
    platform: Type.String({ examples: ['woocommerce'] }),
    reference: Type.String({ examples: ['1087'], description: 'The platform’s id of its order' }),
    is_imported: Type.Boolean({ description: 'Made in the shop; false: the copy of an accepted quote’s order' }),
    status: OrderStatus,
    platform_status: Nullable(
      Type.String({ examples: ['processing'], description: 'At the platform; null: it is not there any more' }),
    ),
    problem: Nullable(
      Type.String({
        examples: ['The order was paid in the shop after it was cancelled here'],
        description: 'Why the two differ; null: they agree, or are about to',
      }),
    ),
    synced_at: { ...Timestamp, description: 'When the platform was last asked' },
    created_at: Timestamp,
  },
  { description: 'An order and its counterpart at the commerce platform' },
)
export type CommerceOrder = Static<typeof CommerceOrder>

export const commerceOrderListing = listing({ created_at: TIME, synced_at: TIME }, 'synced_at')
export const CommerceOrderFilters = Closed({
  ...Paging,
  ...commerceOrderListing.parameters,
  company: Type.Optional(Company),
  organization_id: Type.Optional(Id),
  has_problem: Type.Optional(Type.Boolean({ description: 'Only those that differ, or only those that do not' })),
})
export type CommerceOrderFilters = Static<typeof CommerceOrderFilters>
