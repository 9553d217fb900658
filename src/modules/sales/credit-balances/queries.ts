// All SQL of credit balances.
import { type Only, pageAcross } from '#kernel/data/lists/across.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { raw, sql } from '#kernel/values/sql.ts'
import { page, parentIn, row } from '#http/route.ts'
import type { Company, Page } from '#kernel/values/schema.ts'
import {
  CreditBalance,
  CreditBalanceEntry,
  type AdministratorsCreditBalanceFilters,
  type CreditBalanceFilters,
  creditBalanceListing,
} from './credit-balance.ts'

const columns = raw(Object.keys(CreditBalance.properties).join(', '))
const entryColumns = raw(Object.keys(CreditBalanceEntry.properties).join(', '))

export const creditBalances = {
  page: (org: number, query: CreditBalanceFilters) =>
    page(query, {
      keptFor: org,
      columns: sql`${columns}`,
      listing: creditBalanceListing,
      from: sql`from credit_balances where organization_id = ${org}`,
    }),
  pageOfAll: (query: AdministratorsCreditBalanceFilters, only: Only) =>
    pageAcross(query, only, { table: 'credit_balances', listing: creditBalanceListing, columns: sql`${columns}` }),
  byId: (org: number, id: number) =>
    row<CreditBalance>(sql`select ${columns} from credit_balances where organization_id = ${org} and id = ${id}`),
  /** Newest first. */
  entries: (org: number, id: number, query: Page) =>
    page(query, {
      columns: sql`${entryColumns}`,
      from: sql`from credit_balance_entries where organization_id = ${org} and credit_balance_id = ${id}`,
      parent: parentIn('credit_balances', org, id),
    }),
  forChange: async (ctx: OrganizationContext, id: number): Promise<CreditBalance | undefined> =>
    (
      await ctx.ask<CreditBalance>(sql`
        select ${columns} from credit_balances where organization_id = ${ctx.organizationId} and id = ${id} for update`)
    )[0],
  at: async (ctx: OrganizationContext, company: Company, currency: string): Promise<CreditBalance | undefined> =>
    (
      await ctx.ask<CreditBalance>(sql`
        select ${columns} from credit_balances
         where organization_id = ${ctx.organizationId} and company = ${company} and currency = ${currency} for update`)
    )[0],
  /** What is left; none while the organization is not deleted. */
  ofDeleted: (ctx: OrganizationContext): Promise<Pick<CreditBalance, 'company' | 'amount' | 'currency'>[]> =>
    ctx.ask(sql`
      select c.company, c.amount, c.currency from credit_balances c
        join (select * from organizations where organization_id = ${ctx.organizationId}
          and id = ${ctx.organizationId}) o on true
       where c.organization_id = ${ctx.organizationId} and c.amount > 0 and o.deleted_at is not null
       order by c.company, c.currency`),
}
