// All SQL of contracts.
import type { Due, SweepTime } from '#kernel/jobs/sweep.ts'
import { dayOfMomentIn, startOfDayIn, type Today, todayOf } from '#ports/ports.ts'
import { longestWarningIn, warningDaysIn } from '#ports/settings-in-force.ts'
import { type Only, pageAcross } from '#kernel/data/lists/across.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import { withExternalId } from '#kernel/data/external-ids.ts'
import { page, parentIn, row } from '#http/route.ts'
import type { Company } from '#kernel/values/schema.ts'
import { isOneOf, raw, sql, type Statement } from '#kernel/values/sql.ts'
import { type AdministratorsContractFilters, Contract, type ContractFilters, contractListing } from './contract.ts'

const columns = sql`${raw(Object.keys(Contract.properties).join(', '))}`

/** For the legal entity of the row. */
export const todayThere = (today: Today) =>
  sql`case company when 'entity_br' then ${today.entity_br}::date else ${today.entity_global}::date end`
/** The earlier and the later of the two dates, for conditions that the index can use. */
const earliest = (today: Today) => (today.entity_br < today.entity_global ? today.entity_br : today.entity_global)
const latest = (today: Today) => (today.entity_br < today.entity_global ? today.entity_global : today.entity_br)

const filtered = (query: ContractFilters): Statement => sql`${withExternalId(query)} ${isOneOf('status', query.status)}`

export const contracts = {
  page: (org: number, query: ContractFilters) =>
    page(query, {
      listing: contractListing,
      keptFor: org,
      columns,
      from: sql`from contracts where organization_id = ${org} ${filtered(query)}`,
    }),
  pageOfAll: (query: AdministratorsContractFilters, only: Only) =>
    pageAcross(query, only, { table: 'contracts', listing: contractListing, columns, filtered: filtered(query) }),
  ofEntitlement: (org: number, entitlementId: number, query: ContractFilters) =>
    page(query, {
      listing: contractListing,
      columns,
      from: sql`from contracts where organization_id = ${org} and entitlement_id = ${entitlementId} ${filtered(query)}`,
      parent: parentIn('entitlements', org, entitlementId),
    }),
  byId: (org: number, id: number) =>
    row<Contract>(sql`select ${columns} from contracts where organization_id = ${org} and id = ${id}`),

  /** The row, locked, or 404. */
  async forChange(ctx: OrganizationContext, id: number): Promise<Contract & Marks> {
    const [contract] = await ctx.ask<Contract & Marks>(sql`
      select ${columns}, warned_days, noticed_at from contracts
       where organization_id = ${ctx.organizationId} and id = ${id} for update`)
    if (!contract) throw notFound()
    return contract
  },
  /** Those of an entitlement that are or were in force, locked. */
  followingForChange: (ctx: OrganizationContext, entitlementId: number) =>
    ctx.ask<Contract>(sql`
      select ${columns} from contracts
       where organization_id = ${ctx.organizationId} and entitlement_id = ${entitlementId}
         and status in ('active', 'suspended', 'expired') order by id for update`),
  /** Of an expired one that is locked: its status until then. */
  expiredFrom: async (ctx: OrganizationContext, id: number): Promise<string | undefined> =>
    (
      await first(
        ctx,
        sql<{ from_status: string }>`
          select from_status from contract_history
           where organization_id = ${ctx.organizationId} and contract_id = ${id} order by id desc limit 1`,
      )
    )?.from_status,
  /** The entitlement of a contract, or 404. */
  async entitlement(ctx: OrganizationContext, id: number): Promise<{ id: number; code: string; company: Company }> {
    const [found] = await ctx.ask<{ id: number; code: string; company: Company }>(sql`
      select id, code, company from entitlements where organization_id = ${ctx.organizationId} and id = ${id}`)
    if (!found) throw notFound('Entitlement not found')
    return found
  },
  country: async (ctx: OrganizationContext): Promise<string | null> =>
    (
      await ctx.ask<{ country: string | null }>(sql`
        select country from organizations where organization_id = ${ctx.organizationId} and id = ${ctx.organizationId}`)
    )[0]?.country ?? null,

  /** Of all organizations: contracts whose last day is over. */
  over: ({ now, settings }: SweepTime, today = todayOf({ now, settings })) => sql<Due>`
    select organization_id, id, ${startOfDayIn(settings, sql`end_date + 1`)} as due_at from contracts
     where status in ('active', 'suspended') and end_date < ${latest(today)}::date and end_date < ${todayThere(today)}`,
  /** Of all organizations: contracts with a warning due that was not sent yet, or whose notice window has opened. */
  warnable: ({ now, settings }: SweepTime, today = todayOf({ now, settings })) => sql<Due>`
    select organization_id, id, ${startOfDayIn(settings, sql`end_date`)} as due_at from contracts c
     where status in ('active', 'suspended') and end_date >= ${earliest(today)}::date
       and end_date <= ${latest(today)}::date + greatest(${longestWarningIn(settings)}, 3650)
       and end_date >= ${todayThere(today)}
       and (noticed_at is null and notice_date <= ${todayThere(today)}
         or exists (select 1 from (select min(d) as days from unnest(${warningDaysIn(settings)}) d
           where d >= end_date - ${todayThere(today)}) near
                     where near.days < coalesce(warned_days, 1000)
                       and end_date - near.days > greatest(start_date,
                         ${dayOfMomentIn(settings, sql`activated_at`)})))`,
  /** The days on which a warning may be due, or the notice window opens. */
  warningDays: ({ settings }: SweepTime) => sql<Due>`
    select c.organization_id, ${startOfDayIn(settings, sql`w.day`)} as due_at
      from contracts c, lateral (select c.notice_date as day union all
                                 select c.end_date - d from unnest(${warningDaysIn(settings)}) d) w
     where c.status in ('active', 'suspended') and w.day is not null`,

  /** The facts of its mails. */
  mailFacts: (org: number, id: number) => sql<Pick<Contract, 'id' | 'title' | 'status' | 'end_date'>>`
    select id, title, status, end_date from contracts where organization_id = ${org} and id = ${id}`,
}

export type Marks = { warned_days: number | null; noticed_at: string | null }
