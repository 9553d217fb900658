// All SQL of subscriptions, which are columns of their order.
import type { OrderRow } from '#areas/orders/order.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/http/errors.ts'
import { parts } from '#kernel/http/route.ts'
import { sql } from '#kernel/data/sql.ts'
import type { Subscription } from './subscription.ts'

type Billed = Pick<
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
> & {
  organization_name: string
  organization_email: string | null
  organization_cnpj: string | null
  customer: string | null
}

const ofOrder = (org: number, orderId: number) => sql<Subscription>`
  select id as order_id, company, subscription_status as status, status as order_status,
         subscription_reference as reference, subscription_interval as interval, subscription_amount as amount, currency,
         subscription_url as checkout_url, subscription_requested_at as requested_at
    from orders where organization_id = ${org} and id = ${orderId} and subscription_status is not null`

export const subscriptions = {
  ofOrder: (org: number, orderId: number) =>
    parts(
      [sql`select id from orders where organization_id = ${org} and id = ${orderId}`, ofOrder(org, orderId)],
      ([[order], [subscription]]) => {
        if (!order) throw notFound()
        if (!subscription) throw notFound('The order has no subscription')
        return subscription
      },
    ),
  /** As clients see it, within the change. */
  afterChange: (ctx: OrganizationContext, orderId: number) => one(ctx, ofOrder(ctx.organizationId, orderId)),
  toAsk: (org: number, orderId: number) => sql<Billed>`
    select d.id, d.number, d.status, d.company, d.currency, d.subscription_status, d.subscription_reference,
           d.subscription_interval, d.subscription_amount, d.subscription_requested_at,
           coalesce(o.legal_name, o.name) as organization_name, o.email as organization_email, o.cnpj as organization_cnpj,
           case d.company when 'entity_br' then o.payment_customer_id_br else o.payment_customer_id_global end as customer
      from orders d join organizations o on o.organization_id = ${org} and o.id = d.organization_id
     where d.organization_id = ${org} and d.id = ${orderId}`,
  /** False where the reference is known already, to whichever organization. */
  async remember(ctx: OrganizationContext, { company, reference, resource, resourceId }: Remembered): Promise<boolean> {
    const added = await ctx.ask(sql`
      insert into payment_references (company, reference, organization_id, resource, resource_id)
      values (${company}, ${reference}, ${ctx.organizationId}, ${resource}, ${resourceId})
      on conflict do nothing returning reference`)
    return added.length > 0
  },
  /** Those that the organization does not know yet, in their order. */
  async unknown(ctx: OrganizationContext, company: string, references: string[]): Promise<string[]> {
    const found = await ctx.ask<{ reference: string }>(sql`
      select given.reference from unnest(${references}::text[]) with ordinality as given (reference, place)
       where not exists (select from payment_references p where p.organization_id = ${ctx.organizationId}
                and p.company = ${company} and p.reference = given.reference)
       order by given.place`)
    return found.map(({ reference }) => reference)
  },
}

type Remembered = { company: string; reference: string; resource: 'invoice' | 'subscription'; resourceId: number }
