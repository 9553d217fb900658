// All SQL of payouts.
import { inOrganizations, type Only } from '#kernel/data/lists/across.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import { page, parentIn, row } from '#http/route.ts'
import { isOneOf, raw, sql } from '#kernel/values/sql.ts'
import { type AdministratorsPayoutFilters, Payout, type PayoutFilters, payoutListing } from './payout.ts'

const names = Object.keys(Payout.properties)
const columns = sql`${raw(names.join(', '))}`
const joined = sql`${raw(names.map((column) => `p.${column}`).join(', '))}`

export const payouts = {
  page: (org: number, affiliateId: number, query: PayoutFilters) =>
    page(query, {
      columns,
      from: sql`from affiliate_payouts where organization_id = ${org} and affiliate_id = ${affiliateId}
        ${isOneOf('status', query.status)}`,
      parent: parentIn('affiliates', org, affiliateId),
    }),
  /** Of all organizations, for administrators. Left joins are left out of the count. */
  pageOfAll: (query: AdministratorsPayoutFilters, only: Only) =>
    page(query, {
      columns: sql`${joined}, o.name as organization_name, a.code as affiliate_code`,
      id: 'p.id',
      listing: payoutListing,
      from: sql`from affiliate_payouts p left join organizations o on o.id = p.organization_id
          left join affiliates a on a.organization_id = p.organization_id and a.id = p.affiliate_id where true
        ${inOrganizations('p.organization_id', query, only)}
        ${isOneOf('p.status', query.status)}`,
    }),
  byId: (org: number, affiliateId: number, id: number) =>
    row<Payout>(sql`select ${columns} from affiliate_payouts
      where organization_id = ${org} and affiliate_id = ${affiliateId} and id = ${id}`),
  /** 404 when the payout is not of the account. */
  async assertThere(ctx: OrganizationContext, at: { id: number; payout_id: number }): Promise<void> {
    const found = await first(
      ctx,
      sql`select id from affiliate_payouts
        where organization_id = ${ctx.organizationId} and affiliate_id = ${at.id} and id = ${at.payout_id}`,
    )
    if (!found) throw notFound()
  },
  mailFacts: (org: number, id: number) => sql<{
    affiliate_id: number
    code: string
    amount: string
    currency: string
    reference: string | null
    rejection_reason: string | null
  }>`
    select p.affiliate_id, a.code, p.amount, p.currency, p.reference, p.rejection_reason
      from affiliate_payouts p join affiliates a on a.organization_id = ${org} and a.id = p.affiliate_id
     where p.organization_id = ${org} and p.id = ${id}`,
}
