// The orders at the commerce platform, for administrators (docs/interface/integrations.md, Commerce platform).
import { vendor } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { CommerceOrder, CommerceOrderFilters } from './commerce-order.ts'
import { pushOrder } from './push-order.ts'
import { commerceOrders } from './queries.ts'

export const commerceRoutes = [
  route({
    method: 'GET',
    path: '/admin/commerce/orders',
    access: vendor('orders'),
    purpose: 'List the orders that the commerce platform has too.',
    description:
      'Newest first: copies of our orders, and orders that were made in the shop (`is_imported`). With ' +
      '`has_problem=true` those that differ until staff decide.',
    query: CommerceOrderFilters,
    page: CommerceOrder,
    features: { limitsOrganizations: true },
    read: ({ organizations }, { query }) => commerceOrders.pageOfAll(query, organizations),
  }),
  route({
    method: 'GET',
    path: '/admin/commerce/orders/{id}',
    access: vendor('orders'),
    purpose: 'Get an order that the commerce platform has too.',
    description:
      '`id` is that of the pair, `order_id` the order’s. `problem` is why the two differ and stay so, null where ' +
      'they agree or are about to.',
    params: ById,
    data: CommerceOrder,
    features: { limitsOrganizations: true },
    read: ({ organizations }, { params }) => commerceOrders.byId(params.id, organizations),
  }),
  route({
    method: 'POST',
    path: '/admin/commerce/orders/{id}/push',
    access: vendor('orders'),
    purpose: 'Overwrite the status at the platform with ours.',
    description: 'For two that differ. A job does it; the record shows the result a moment later.',
    params: ById,
    data: CommerceOrder,
    status: 202,
    run: async (ctx, { params }) => ({ data: await pushOrder(ctx, params.id), message: 'To be pushed' }),
  }),
]
