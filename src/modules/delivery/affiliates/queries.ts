// All SQL of affiliate accounts, their commissions and statements.
import { type Only, pageAcross } from '#kernel/data/lists/across.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { Due } from '#kernel/jobs/sweep.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import { withExternalId } from '#kernel/data/external-ids.ts'
import { page, parentIn, row } from '#http/route.ts'
import { isOneOf, raw, sql, type Statement, when } from '#kernel/values/sql.ts'
import {
  Affiliate,
  type AdministratorsAffiliateFilters,
  type AffiliateFilters,
  affiliateListing,
  affiliatesTable,
} from './affiliate.ts'
import { type Commission, CommissionRow, type ReferralFilters } from './commission.ts'
import type { StatementEntry, StatementFilters, StatementPeriod } from './statement.ts'

const commissionColumns = raw(Object.keys(CommissionRow.properties).join(', '))
const columns = sql`${raw(Object.keys(Affiliate.properties).join(', '))}`
const rowColumns = raw(affiliatesTable.visible.join(', '))
type Row = NonNullable<(typeof affiliatesTable)['row']>

/** A payment in the buyer's organization, with the code of the affiliate who referred the buyer. */
export type Payment = {
  organization_id: number
  affiliate_code: string | null
  company: Company
  currency: string
  total: string
  net_total: string
  tax_total: string
  amount_paid: string
  amount_refunded: string
  paid_at: string | null
  payment_date: string | null
}

export type Earning = { id: number; organization_id: number; status: string; commission_rate: string }

const entryColumns = sql`e.id, e.date, e.kind, e.amount, e.balance, e.currency, e.commission_id, e.payout_id,
  p.reference`
const entriesOf = (org: number, id: number, { date_from, date_to }: StatementPeriod): Statement => sql`
  from affiliate_entries e
       left join affiliate_payouts p on p.organization_id = ${org} and p.id = e.payout_id
 where e.organization_id = ${org} and e.affiliate_id = ${id}
   ${when(date_from, (day) => sql`and e.date >= ${day}`)} ${when(date_to, (day) => sql`and e.date <= ${day}`)}`

const filtered = (query: AffiliateFilters): Statement => sql`
  ${withExternalId(query)} ${isOneOf('status', query.status)}`

export const affiliates = {
  page: (org: number, query: AffiliateFilters) =>
    page(query, {
      columns,
      listing: affiliateListing,
      from: sql`from affiliates where organization_id = ${org} ${filtered(query)}`,
    }),
  pageOfAll: (query: AdministratorsAffiliateFilters, only: Only) =>
    pageAcross(query, only, { table: 'affiliates', listing: affiliateListing, columns, filtered: filtered(query) }),
  byId: (org: number, id: number) => row(affiliates.view(org, id)),
  view: (org: number, id: number) =>
    sql<Affiliate>`select ${columns} from affiliates where organization_id = ${org} and id = ${id}`,
  referrals: (org: number, id: number, query: ReferralFilters) =>
    page(query, {
      columns: sql`id, paid_on as date, amount, currency, status, earns_at`,
      from: sql`from commissions where organization_id = ${org} and affiliate_id = ${id}
        ${isOneOf('status', query.status)}`,
      parent: parentIn('affiliates', org, id),
    }),
  /** An entitlement of the class AFL has one account. */
  async ofEntitlement(ctx: OrganizationContext, entitlementId: number): Promise<Row | undefined> {
    const [found] = await ctx.ask<Row>(sql`
      select ${rowColumns} from affiliates
       where organization_id = ${ctx.organizationId} and entitlement_id = ${entitlementId}`)
    return found
  },
  async forChange(ctx: OrganizationContext, id: number): Promise<Row> {
    const [found] = await ctx.ask<Row>(sql`
      select ${rowColumns} from affiliates where organization_id = ${ctx.organizationId} and id = ${id} for update`)
    if (!found) throw notFound()
    return found
  },

  statement: (org: number, id: number, query: StatementFilters) =>
    page(query, {
      columns: entryColumns,
      from: entriesOf(org, id, query),
      id: 'e.id',
      oldestFirst: true,
      parent: parentIn('affiliates', org, id),
    }),
  entries: (org: number, id: number, period: StatementPeriod, limit: number) =>
    sql<StatementEntry>`select ${entryColumns} ${entriesOf(org, id, period)} order by e.id limit ${limit}`,
  /** The last entry before the period. */
  entryBefore: (org: number, id: number, { date_from }: StatementPeriod) => sql<{ balance: string }>`
    select balance from affiliate_entries
     where organization_id = ${org} and affiliate_id = ${id} and date < ${date_from ?? null}::date order by id desc
       limit 1`,

  /** Of one that was paid and is open again nothing is paid, until all of it is. */
  payment: (org: number, invoiceId: number) => sql<Payment>`
    select i.organization_id, o.affiliate_code, i.company, i.currency, i.total, i.net_total, i.tax_total,
           case when i.status = 'paid' then i.amount_paid else i.amount_refunded end as amount_paid, i.amount_refunded,
           i.paid_at, i.payment_date
      from invoices i join orders o on o.organization_id = ${org} and o.id = i.order_id
     where i.organization_id = ${org} and i.id = ${invoiceId}
       and (i.status = 'paid' or i.reopened_at is not null)
       and not exists (select 1 from organizations a where a.organization_id = ${org} and a.id = ${org}
         and a.has_test_clock)`,
  /**
   * A code is unique over all organizations. That of a deleted one earns nothing, but what it has earned is lowered by
   * refunds: it may be restored.
   */
  earning: (code: string) => sql<Earning>`
    select a.id, a.organization_id, case when o.deleted_at is null then a.status else 'closed' end as status,
           a.commission_rate
      from affiliates a join organizations o on o.id = a.organization_id
     where a.code = ${code}`,
  commission: (org: number, affiliateId: number, paymentId: number) => sql<Commission>`
    select ${commissionColumns} from commissions
     where organization_id = ${org} and affiliate_id = ${affiliateId} and payment_id = ${paymentId}
     order by id desc limit 1`,
  /** Of all organizations: pending commissions whose waiting time is over. */
  due: (now: Date) => sql<Due>`
    select organization_id, id, earns_at as due_at from commissions where status = 'pending' and earns_at <= ${now}`,
  isDue: async (ctx: OrganizationContext, id: number): Promise<boolean> =>
    (
      await ctx.ask(sql`select id from commissions
        where organization_id = ${ctx.organizationId} and id = ${id} and status = 'pending' and earns_at <= ${ctx.now}`)
    ).length > 0,
}
