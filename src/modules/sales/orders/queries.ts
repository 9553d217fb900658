// All SQL of orders.
import { ofOrganizationNamed, type Only, pageAcross } from '#kernel/data/lists/across.ts'
import { contains } from '#kernel/data/lists/search.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import { page, parentIn, row } from '#http/route.ts'
import { ofOrganization, type OfOrganizations } from '#kernel/data/lists/of-organizations.ts'
import { withExternalId } from '#kernel/data/external-ids.ts'
import { isOneOf, raw, sql, type Statement, when } from '#kernel/values/sql.ts'
import { auditedHistoryPage } from '#kernel/data/audit/history.ts'
import type { Page } from '#kernel/values/schema.ts'
import {
  type AdministratorsOrderFilters,
  Order,
  type OrderFilters,
  OrderListItem,
  orderListing,
  OrderRow,
  ordersTable,
} from './order.ts'

/** What the API calls otherwise than the table, or that is computed. */
const COMPUTED: Readonly<Record<string, string>> = {
  date_created: 'created_at',
  date_modified: 'updated_at',
  items: 'line_items',
  items_count: 'jsonb_array_length(line_items)',
}
const columnsOf = (names: readonly string[]) =>
  raw(names.map((name) => (name in COMPUTED ? `${COMPUTED[name]} as ${name}` : name)).join(', '))

const listColumns = sql`${columnsOf(Object.keys(OrderListItem.properties))}`
const { entitlements: _entitlements, ...ofTheTable } = Order.properties

const filtered = (query: OrderFilters): Statement => sql`
  ${withExternalId(query)}
  ${isOneOf('status', query.status)}
  ${when(query.date_from, (day) => sql`and created_at >= ${day}::date::timestamp at time zone 'UTC'`)}
  ${when(query.date_to, (day) => sql`and created_at < (${day}::date + 1)::timestamp at time zone 'UTC'`)}`

export const orders = {
  /** An order that is not delivered yet and extends, by a term, an entitlement that the order sold. */
  extending: (org: number, id: number) => sql<{ number: string }>`
    select r.number
      from orders d, jsonb_array_elements(d.line_items) sold, orders r, jsonb_array_elements(r.line_items) line
     where d.organization_id = ${org} and d.id = ${id} and r.organization_id = ${org} and r.id <> d.id
       and r.status in ('pending', 'processing', 'on-hold', 'failed') and line ->> 'is_renewal' = 'true'
       and line ->> 'entitlement_code' = sold ->> 'entitlement_code' limit 1`,
  history: (record: { org: number; id: number }, query: Page) =>
    auditedHistoryPage({ table: ordersTable }, record, query),
  page: (org: number, query: OrderFilters) =>
    page(query, {
      listing: orderListing,
      keptFor: org,
      columns: listColumns,
      from: sql`from orders where organization_id = ${org} ${filtered(query)}`,
    }),
  pageOfAll: (query: AdministratorsOrderFilters, only: Only) =>
    pageAcross(query, only, {
      table: 'orders',
      listing: orderListing,
      columns: listColumns,
      filtered: sql`${filtered(query)} ${when(
        query.search,
        (text) => sql`and (${contains('number', text)} or ${contains('billing_name', text)}
          or ${ofOrganizationNamed('orders', contains('o.name', text))})`,
      )}`,
    }),
  ofEntitlement: (org: number, entitlementId: number, query: OrderFilters) =>
    page(query, {
      listing: orderListing,
      columns: listColumns,
      from: sql`from orders where organization_id = ${org} and id = (
        select order_id from entitlements where organization_id = ${org} and id = ${entitlementId}) ${filtered(query)}`,
      parent: parentIn('entitlements', org, entitlementId),
    }),
  byId: (org: number, id: number) => row<Order>(orders.view(org, id)),
  view: (org: number, id: number) => orders.views(ofOrganization(org), [id]),
  views: (of: OfOrganizations, ids: readonly number[]) => sql<Order>`
      select ${columnsOf(Object.keys(ofTheTable))},
             coalesce((select jsonb_agg(jsonb_build_object('id', e.id, 'code', e.code, 'class', e.class, 'status',
               e.status,
                                                           'product_name', e.product_name) order by e.id)
                         from entitlements e where ${of('e.organization_id', 'orders')} and e.order_id = orders.id),
                           '[]') as entitlements
        from orders where ${of('organization_id')} and id = any(${ids}::bigint[])`,
  async forChange(ctx: OrganizationContext, id: number): Promise<OrderRow> {
    const columns = raw(Object.keys(OrderRow.properties).join(', '))
    const [order] = await ctx.ask<OrderRow>(sql`
      select ${columns} from orders where organization_id = ${ctx.organizationId} and id = ${id} for update`)
    if (!order) throw notFound()
    return order
  },
  /** No row where the access check has refused, so that it takes no id. */
  nextId: (org: number) => sql<{ id: number }>`
    select nextval('orders_id_seq') as id from event_sequences where organization_id = ${org}`,
}
