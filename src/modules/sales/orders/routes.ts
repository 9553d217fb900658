// Spec 4.5. Cancelling and the staff's change of status are routes of payments, since they undo a payment.
import { acrossItem } from '#kernel/data/lists/across.ts'
import { HistoryEntry, HistoryPaging } from '#kernel/data/audit/history.ts'
import { org, staff, staffNeed, vendor } from '#kernel/values/permissions.ts'
import { one } from '#kernel/data/context.ts'
import { integrationRoute } from '#http/integration-route.ts'
import { route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { AdministratorsOrderFilters, Order, OrderFilters, OrderStatus, OrderListItem, ordersTable } from './order.ts'
import { orderRecord } from './order-record.ts'
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
    features: { record: orderRecord },
    read: ({ org: id }, { query }) => orders.page(id, query),
  }),
  route({
    method: 'GET',
    path: '/admin/orders',
    access: vendor('orders'),
    purpose: 'List the orders of all organizations.',
    description:
      'Newest first, each with its organization, also of deleted ones. `search` looks in number, billing name and ' +
      'name of the organization.',
    query: AdministratorsOrderFilters,
    page: acrossItem(OrderListItem),
    features: { record: orderRecord, limitsOrganizations: true, mayBeStale: true },
    read: ({ organizations: only }, { query }) => orders.pageOfAll(query, only),
  }),
  route({
    method: 'GET',
    path: '/orders/{id}',
    access: org('orders'),
    purpose: 'Get an order.',
    description:
      '`line_items` and `items` are the same list. `entitlements` are those that it sold; the lines of a renewal ' +
      'name the code that they extend.',
    params: ById,
    data: Order,
    features: { record: orderRecord },
    read: ({ org: id }, { params }) => orders.byId(id, params.id),
  }),
  integrationRoute({
    path: '/orders/{id}',
    access: staff('orders'),
    record: 'an order',
    table: ordersTable,
    data: Order,
    view: (ctx, id) => one(ctx, orders.view(ctx.organizationId, id)),
  }),
  route({
    method: 'GET',
    path: '/orders/{id}/history',
    access: org('orders'),
    purpose: 'List the status history of an order.',
    description: 'Oldest first.',
    params: ById,
    query: HistoryPaging,
    page: HistoryEntry(OrderStatus),
    read: ({ org: id }, { params, query }) => orders.history({ org: id, id: params.id }, query),
  }),
  route({
    method: 'GET',
    path: '/entitlements/{id}/orders',
    access: staffNeed(org('entitlements'), 'orders'),
    purpose: 'List the orders of an entitlement.',
    description: 'The order that sold it, so one at most. Orders that renewed it are at `GET /orders`.',
    params: ById,
    query: OrderFilters,
    page: OrderListItem,
    features: { record: orderRecord },
    read: ({ org: id }, { params, query }) => orders.ofEntitlement(id, params.id, query),
  }),
]
