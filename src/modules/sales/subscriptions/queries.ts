// All SQL of subscriptions, which are columns of their order.
import { type Only, pageAcross } from '#kernel/data/lists/across.ts'
import type { Due } from '#kernel/jobs/sweep.ts'
import type { OrderRow } from '#modules/sales/orders/order.ts'
import { type KnownCustomer, knownCustomer } from '#modules/sales/payments/payment-customer.ts'
import { one, type OrganizationContext, type Ports } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import { page, parts } from '#http/route.ts'
import { isOneOf, sql, type Statement } from '#kernel/values/sql.ts'
import { selfServiceOf } from './self-service.ts'
import type { Subscription, SubscriptionFilters, AdministratorsSubscriptionFilters } from './subscription.ts'

type BilledOrder = Pick<
  OrderRow,
  | 'id'
  | 'number'
  | 'status'
  | 'company'
  | 'currency'
  | 'subscription_status'
  | 'subscription_reference'
  | 'subscription_interval'
  | 'subscription_amount'
  | 'subscription_requested_at'
> &
  KnownCustomer & {
    organization_name: string
    organization_email: string | null
    organization_cnpj: string | null
  }

export type FailedCharge = Pick<OrderRow, 'id' | 'number' | 'company' | 'currency'> & {
  total: string
  link: string | null
  has_failed: boolean
}

export type Cancellation = Pick<OrderRow, 'id' | 'number' | 'company'> & {
  cancelled_by: OrderRow['subscription_cancelled_by']
  reason: string | null
  ends_at: string | null
  status: string | null
}

const columnsFor = (org: number | Statement, settings: Ports['settings']) => sql`
  id as order_id, company, subscription_status as status, status as order_status,
         subscription_collection_method as collection_method, subscription_reference as reference,
         subscription_interval as interval, subscription_amount as amount, currency,
         coalesce(subscription_line_items,
           case when jsonb_path_exists(line_items, '$[*].interval')
             then jsonb_path_query_array(line_items, '$[*] ? (exists (@.interval))') else line_items end) as line_items,
         subscription_url as checkout_url, subscription_requested_at as requested_at,
         subscription_trial_ends_at as trial_ends_at, subscription_ends_at as ends_at,
           subscription_invoiced_until as invoiced_until, subscription_cancelled_by as cancelled_by,
         subscription_cancel_reason as cancel_reason, subscription_paused_by as paused_by,
         ${selfServiceOf(org, settings, sql`company`)} as self_service,
         case when subscription_ends_at is null then subscription_next_at end as next_invoice_at`

const ofOrder = (org: number, orderId: number, settings: Ports['settings']) => sql<Subscription>`
  select ${columnsFor(org, settings)}
    from orders where organization_id = ${org} and id = ${orderId} and subscription_status is not null`

export const subscriptions = {
  page: (org: number, query: SubscriptionFilters, settings: Ports['settings']) =>
    page(query, {
      keptFor: org,
      columns: columnsFor(org, settings),
      from: sql`from orders where organization_id = ${org} and subscription_status is not null
        ${isOneOf('subscription_status', query.status)}`,
    }),
  pageOfAll: (query: AdministratorsSubscriptionFilters, only: Only, settings: Ports['settings']) =>
    pageAcross(query, only, {
      table: 'orders',
      columns: sql`organization_id, ${columnsFor(sql`orders.organization_id`, settings)}`,
      filtered: sql`and subscription_status is not null ${isOneOf('subscription_status', query.status)}`,
    }),
  ofOrder: (org: number, orderId: number, settings: Ports['settings']) =>
    parts(
      [sql`select id from orders where organization_id = ${org} and id = ${orderId}`, ofOrder(org, orderId, settings)],
      ([[order], [subscription]]) => {
        if (!order) throw notFound()
        if (!subscription) throw notFound('The order has no subscription')
        return subscription
      },
    ),
  /** The subscription as clients get it, read within the change. */
  afterChange: (ctx: OrganizationContext, orderId: number) =>
    one(ctx, ofOrder(ctx.organizationId, orderId, ctx.settings)),
  /** Whether the organization pays against invoices only. */
  requiresInvoice: async (ctx: OrganizationContext): Promise<boolean> =>
    (
      await one(
        ctx,
        sql<{ requires_invoice_for_payment: boolean }>`
          select requires_invoice_for_payment from organizations
           where organization_id = ${ctx.organizationId} and id = ${ctx.organizationId}`,
      )
    ).requires_invoice_for_payment,
  /** Orders of all organizations that have something due in the service's own billing. */
  due: (now: Date) => sql<Due>`
    select d.organization_id, d.id, d.subscription_next_at as due_at from orders d
      join organizations o on o.organization_id = d.organization_id and o.id = d.organization_id
        and o.deleted_at is null
     where d.subscription_next_at <= ${now}`,
  /** Of an order that the payment provider could not charge. */
  failedCharge: (org: number, orderId: number) => sql<FailedCharge>`
    select id, number, company,
           coalesce(nullif(split_part(subscription_failed_attempt, ' ', 3), ''), subscription_amount::text) as total,
           currency, subscription_url as link, subscription_failed_attempt is not null as has_failed
      from orders where organization_id = ${org} and id = ${orderId} and subscription_amount is not null`,
  cancellation: (org: number, orderId: number) => sql<Cancellation>`
    select id, number, company, subscription_cancelled_by as cancelled_by, subscription_cancel_reason as reason,
           subscription_ends_at as ends_at, subscription_status as status
      from orders where organization_id = ${org} and id = ${orderId}`,
  eventAt: (org: number, id: number) =>
    sql<{ at: string }>`select at from events where organization_id = ${org} and id = ${id}`,
  toAsk: (org: number, orderId: number) => sql<BilledOrder>`
    select d.id, d.number, d.status, d.company, d.currency, d.subscription_status, d.subscription_reference,
           d.subscription_interval, d.subscription_amount, d.subscription_requested_at,
           coalesce(o.legal_name, o.name) as organization_name, o.email as organization_email,
             o.cnpj as organization_cnpj,
           ${knownCustomer(sql`d.company`)}
      from orders d join (select * from organizations where organization_id = ${org} and id = ${org}) o on true
     where d.organization_id = ${org} and d.id = ${orderId}`,
}
