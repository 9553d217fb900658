// All SQL of the commerce platform's orders.
import { inOrganizations, type Only, organizationName } from '#kernel/data/lists/across.ts'
import { OF_ORDER } from '#modules/sales/invoices/invoice.ts'
import type { OrderRow } from '#modules/sales/orders/order.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { sql, when } from '#kernel/values/sql.ts'
import { page, row } from '#http/route.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { PlatformOrder } from '#ports/commerce.ts'
import { type CommerceOrder, type CommerceOrderFilters, commerceOrderListing } from './commerce-order.ts'

/** Which order at which platform. */
export type At = { company: Company; platform: string; reference: string }

export type Counterpart = {
  reference: string
  platform: string
  is_imported: boolean
  agreed_status: string | null
  problem: string | null
}

type CopiedField =
  | 'id'
  | 'number'
  | 'status'
  | 'company'
  | 'currency'
  | 'total'
  | 'line_items'
  | 'date_paid'
  | 'created_at'
export type SyncedOrder = Pick<OrderRow, CopiedField | 'billing_name' | 'billing_email'> & {
  counterpart: Counterpart | null
  /** That succeeded, oldest first; of the invoice that the copy is about, not of a subscription's or of staff's. */
  refunds: { id: number; amount: string; reason: string | null }[]
}

const columns = sql`c.id, c.organization_id, ${organizationName('c')}, c.order_id, o.number, c.company, c.platform,
  c.reference, c.is_imported,
  o.status, c.platform_status, c.problem, c.synced_at, c.created_at`
const joined = sql`from commerce_orders c left join orders o on o.organization_id = c.organization_id
  and o.id = c.order_id`

const one = (id: number) => sql<CommerceOrder>`select ${columns} ${joined} where c.id = ${id}`

export const commerceOrders = {
  pageOfAll: (query: CommerceOrderFilters, only: Only) =>
    page(query, {
      columns,
      id: 'c.id',
      listing: commerceOrderListing,
      from: sql`${joined} where true
        ${when(query.company, (company) => sql`and c.company = ${company}`)}
        ${inOrganizations('c.organization_id', query, only)}
        ${when(query.has_problem, (has) => (has ? sql`and c.problem is not null` : sql`and c.problem is null`))}`,
    }),
  byId: (id: number, only: Only) =>
    row<CommerceOrder>(sql`${one(id)} ${inOrganizations('c.organization_id', {}, only)}`),
  one,
  at: ({ company, platform, reference }: At) => sql<{ organization_id: number; order_id: number }>`
    select organization_id, order_id from commerce_orders
     where company = ${company} and platform = ${platform} and reference = ${reference}`,
  /** Whose order is in the making there: the platform names it before its reference is stored here. */
  marked: (mark: { organizationId: number; orderId: number }, company: Company) => sql<{
    organization_id: number
    order_id: number
  }>`
    select organization_id, id as order_id from orders
     where organization_id = ${mark.organizationId} and id = ${mark.orderId} and company = ${company}`,
  synced: (org: number, orderId: number) => sql<SyncedOrder>`
    select o.id, o.number, o.status, o.company, o.currency, o.total, o.line_items, o.date_paid, o.created_at,
           o.billing_name, o.billing_email,
           c.counterpart,
           coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'amount', r.amount::text, 'reason', r.reason)
             order by r.id)
                       from refunds r join invoices i on i.organization_id = ${org} and i.id = r.invoice_id
                      where r.organization_id = ${org} and r.order_id = o.id and r.status = 'succeeded'
                        and i.origin = ${OF_ORDER}), '[]') as refunds
      from orders o left join (
             select jsonb_build_object('reference', reference, 'platform', platform, 'is_imported', is_imported,
                                       'agreed_status', agreed_status, 'problem', problem) as counterpart
               from commerce_orders where organization_id = ${org} and order_id = ${orderId}) c on true
     where o.organization_id = ${org} and o.id = ${orderId}`,
  /** False if the order at the platform belongs to another of ours. */
  async remember(ctx: OrganizationContext, orderId: number, at: At & { is_imported: boolean }): Promise<boolean> {
    const { company, platform, reference, is_imported } = at
    const stored = await ctx.ask(sql`
      insert into commerce_orders (organization_id, order_id, company, platform, reference, is_imported, synced_at)
      values (${ctx.organizationId}, ${orderId}, ${company}, ${platform}, ${reference}, ${is_imported}, ${ctx.now})
      on conflict do nothing returning id`)
    if (stored.length > 0) return true
    const same = await ctx.ask(sql`
      select id from commerce_orders where organization_id = ${ctx.organizationId} and order_id = ${orderId}
         and company = ${company} and platform = ${platform} and reference = ${reference}`)
    return same.length > 0
  },
  /** `agreed`: the status that both have now; null keeps what they last agreed on. */
  note: (
    ctx: OrganizationContext,
    orderId: number,
    {
      there,
      agreed,
      problem,
    }: { there: Pick<PlatformOrder, 'status' | 'modifiedAt'> | null; agreed: string | null; problem: string | null },
  ) =>
    ctx.ask(sql`
      update commerce_orders
         set platform_status = ${there?.status ?? null}, platform_modified_at = ${there?.modifiedAt ?? null},
           agreed_status = coalesce(${agreed}, agreed_status), problem = ${problem},
             synced_at = ${ctx.now}
       where organization_id = ${ctx.organizationId} and order_id = ${orderId} returning id`),
  /** The lines of an order that have an entitlement. */
  provisionedLines: (org: number, orderId: number) => sql<{ quote_line: number }>`
    select quote_line from entitlements
     where organization_id = ${org} and order_id = ${orderId} and quote_line is not null`,
  /**
   * The organizations whose order this is: the named one, else that of the CNPJ, else those of the buyer's verified
   * address. A CNPJ that nobody has verified counts only together with the address, since anybody can enter one.
   */
  buyers: ({ organizationId, cnpj, email }: Buyer, now: Date) => {
    const hasMember = sql`exists (
      select 1 from collaborators c join users u on u.id = c.user_id
       where c.organization_id = o.id and c.weight >= 50 and u.status = 'ACTIVE' and lower(u.email) = ${email}
         and (c.expired_at is null or c.expired_at > ${now}))`
    return sql<{ id: number }>`
      select o.id from organizations o where o.deleted_at is null and case
      when ${organizationId}::bigint is not null then o.id = ${organizationId}
      when ${cnpj}::text is not null then o.cnpj = ${cnpj} and (o.verification_status = 'verified' or ${hasMember})
      else ${hasMember} end
     order by o.id limit 2`
  },
  /** Those of the changes that are not known here, and that no job is about, waiting or dead. */
  unknownChanges: (
    { company, platform }: Omit<At, 'reference'>,
    changed: readonly { reference: string; modifiedAt: Date }[],
    job: string,
  ) => sql<{ reference: string }>`
    select given.reference from unnest(${changed.map(({ reference }) => reference)}::text[],
                                       ${changed.map(({ modifiedAt }) => modifiedAt)}::timestamptz[]) as given
                                         (reference, modified_at)
     where not exists (select 1 from commerce_orders c where c.company = ${company} and c.platform = ${platform}
              and c.reference = given.reference and c.platform_modified_at >= given.modified_at)
       and not exists (select 1 from jobs j where j.kind = ${job} and j.payload ->> 'company' = ${company}
              and j.payload ->> 'reference' = given.reference)`,
}

export type Buyer = { organizationId: number | null; cnpj: string | null; email: string | null }
