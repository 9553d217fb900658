// Spec 4.5. Cancelling and the staff's change of status are routes of payments, since they undo a payment.
import { org } from '#kernel/access/permissions.ts'
import { route } from '#kernel/http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { Order, OrderFilters, OrderListItem } from './order.ts'
import { orders } from './queries.ts'

export const orderRoutes = [
  route({
    method: 'GET',
    path: '/orders',
    access: org('orders'),
    purpose: 'List the orders of the organization.',
    description: '`date_from` and `date_to` are days in UTC, both inclusive.',
    query: OrderFilters,
    page: OrderListItem,
    read: ({ org: id }, { query }) => orders.page(id, query),
  }),
  route({
    method: 'GET',
    path: '/orders/{id}',
    access: org('orders'),
    purpose: 'Get an order.',
    params: ById,
    data: Order,
    read: ({ org: id }, { params }) => orders.byId(id, params.id),
  }),
  route({
    method: 'GET',
    path: '/entitlements/{id}/orders',
    access: org('entitlements'),
    purpose: 'List the orders of an entitlement.',
    params: ById,
    query: OrderFilters,
    page: OrderListItem,
    read: ({ org: id }, { params, query }) => orders.ofEntitlement(id, params.id, query),
  }),
]
