// All SQL of affiliates.
import type { OrganizationContext } from '#kernel/data/context.ts'
import { page, parentIn, row } from '#kernel/http/route.ts'
import { raw, sql, type Statement, when } from '#kernel/data/sql.ts'
import {
  type Affiliate,
  type AffiliateFilters,
  AffiliateRow,
  CommissionRow,
  type Commission,
  type ReferralFilters,
} from './affiliate.ts'

const commissionColumns = raw(Object.keys(CommissionRow.properties).join(', '))

/** The balance is in the account's currency; commissions in other currencies appear among the referrals only. */
const columns = (org: number): Statement => sql`
  ${raw(Object.keys(AffiliateRow.properties).join(', '))},
  round(coalesce((select sum(c.amount) from commissions c
    where c.organization_id = ${org} and c.affiliate_id = affiliates.id and c.status = 'earned'
      and c.currency = affiliates.currency), 0), currency_digits(currency)) as balance`

/** A payment in the buyer's organization, with the code of the affiliate who referred the buyer. */
export type Payment = {
  organization_id: number
  affiliate_code: string | null
  currency: string
  total: string
  tax_total: string
  amount_paid: string
  amount_refunded: string
  paid_at: string | null
  payment_date: string | null
}

export type Earning = { id: number; organization_id: number; status: string; commission_rate: string }

export const affiliates = {
  page: (org: number, query: AffiliateFilters) =>
    page(query, {
      columns: columns(org),
      from: sql`from affiliates where organization_id = ${org} ${when(query.status, (status) => sql`and status = ${status}`)}`,
    }),
  byId: (org: number, id: number) => row(affiliates.view(org, id)),
  view: (org: number, id: number) =>
    sql<Affiliate>`select ${columns(org)} from affiliates where organization_id = ${org} and id = ${id}`,
  referrals: (org: number, id: number, query: ReferralFilters) =>
    page(query, {
      columns: sql`id, paid_on as date, amount, currency, status, earns_at`,
      from: sql`from commissions where organization_id = ${org} and affiliate_id = ${id}
        ${when(query.status, (status) => sql`and status = ${status}`)}`,
      parent: parentIn('affiliates', org, id),
    }),

  payment: (org: number, invoiceId: number) => sql<Payment>`
    select i.organization_id, o.affiliate_code, i.currency, i.total, i.tax_total, i.amount_paid, i.amount_refunded,
           i.paid_at, i.payment_date
      from invoices i join orders o on o.organization_id = ${org} and o.id = i.order_id
     where i.organization_id = ${org} and i.id = ${invoiceId} and i.status = 'paid'`,
  /** A code is unique over all organizations. */
  earning: (code: string) => sql<Earning>`
    select a.id, a.organization_id, a.status, a.commission_rate from affiliates a
      join organizations o on o.id = a.organization_id and o.deleted_at is null
     where a.code = ${code}`,
  async commission(ctx: OrganizationContext, affiliateId: number, paymentId: number): Promise<Commission | undefined> {
    const [found] = await ctx.ask<Commission>(sql`
      select ${commissionColumns} from commissions
       where organization_id = ${ctx.organizationId} and affiliate_id = ${affiliateId} and payment_id = ${paymentId} for update`)
    return found
  },
  /** Of all organizations: pending commissions whose waiting time is over. */
  due: (now: Date, limit: number) => sql<{ organization_id: number; id: number }>`
    select organization_id, id from commissions where status = 'pending' and earns_at <= ${now} order by earns_at limit ${limit}`,
  isDue: async (ctx: OrganizationContext, id: number): Promise<boolean> =>
    (
      await ctx.ask(sql`select id from commissions
        where organization_id = ${ctx.organizationId} and id = ${id} and status = 'pending' and earns_at <= ${ctx.now}`)
    ).length > 0,
}
