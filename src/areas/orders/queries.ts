// All SQL of orders.
import type { OrganizationContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/http/errors.ts'
import { page, parentIn, row } from '#kernel/http/route.ts'
import { raw, sql, type Statement, when } from '#kernel/data/sql.ts'
import { type Order, type OrderFilters, OrderRow } from './order.ts'

const listColumns = sql`id, number, status, total, currency, created_at as date_created, updated_at as date_modified,
  date_paid, date_completed, payment_method, payment_method_title, customer_id, billing_email, billing_name,
  organization_id, company, quote_id, line_items as items, jsonb_array_length(line_items) as items_count, notes`

const filtered = (query: OrderFilters): Statement => sql`
  ${when(query.status, (status) => sql`and status = ${status}`)}
  ${when(query.date_from, (day) => sql`and created_at >= ${day}::date::timestamp at time zone 'UTC'`)}
  ${when(query.date_to, (day) => sql`and created_at < (${day}::date + 1)::timestamp at time zone 'UTC'`)}`

export const orders = {
  page: (org: number, query: OrderFilters) =>
    page(query, {
      keptFor: org,
      columns: listColumns,
      from: sql`from orders where organization_id = ${org} ${filtered(query)}`,
    }),
  ofEntitlement: (org: number, entitlementId: number, query: OrderFilters) =>
    page(query, {
      columns: listColumns,
      from: sql`from orders where organization_id = ${org} and id = (
        select order_id from entitlements where organization_id = ${org} and id = ${entitlementId}) ${filtered(query)}`,
      parent: parentIn('entitlements', org, entitlementId),
    }),
  byId: (org: number, id: number) =>
    row<Order>(sql`
      select ${listColumns}, subtotal, discount_total, tax_total, purchase_order, affiliate_code, billing_address, line_items,
             coalesce((select jsonb_agg(jsonb_build_object('id', e.id, 'code', e.code, 'class', e.class, 'status', e.status,
                                                           'product_name', e.product_name) order by e.id)
                         from entitlements e where e.organization_id = ${org} and e.order_id = ${id}), '[]') as entitlements
        from orders where organization_id = ${org} and id = ${id}`),
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
