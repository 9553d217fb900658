// The service levels for tickets of an entitlement: minutes by priority, from its contract in force, and the business
// hours in which they run.
import type { BusinessHours } from '#modules/delivery/business-hours/business-hours.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'
import type { Company } from '#kernel/values/schema.ts'
import { zoneOf } from '#ports/ports.ts'
import { settingIn } from '#ports/settings-in-force.ts'
import type { Contract } from './contract.ts'

type Minutes = NonNullable<Contract['sla_first_response_minutes']>

export type SlaTerms = {
  firstResponseMinutes: Minutes
  resolutionMinutes: Minutes
  /** Null: round the clock. */
  businessHours: BusinessHours | null
  /** Part of the minutes after which staff are warned. */
  warningPercent: number
}

export type SlaContract = Pick<Contract, 'sla_first_response_minutes' | 'sla_resolution_minutes' | 'business_hours'> & {
  company_hours: BusinessHours | null
  warning_percent: number
}

type Clock = Parameters<typeof zoneOf>[0] & { now: Date }

/**
 * The newest contract in force that has terms, beside the hours of the entitlement's legal entity. A contract that was
 * renewed early is in force until its successor begins.
 */
export function slaContract(org: number, entitlementId: number | null, clock: Clock) {
  const todayOf = (company: Company) => sql`${dayIn(clock.now, zoneOf(clock, company))}::date`
  const today = sql`case c.company when 'entity_br' then ${todayOf('entity_br')} else ${todayOf('entity_global')} end`
  return sql<SlaContract>`
    select t.sla_first_response_minutes, t.sla_resolution_minutes, t.business_hours, h.business_hours as company_hours,
           ${settingIn(clock.settings, 'vendor', 'sla_warning_percent')}::int as warning_percent
      from entitlements e
      left join business_hours h on h.company = e.company
      left join lateral (
        select c.sla_first_response_minutes, c.sla_resolution_minutes, c.business_hours from contracts c
          left join contracts s on s.organization_id = ${org} and s.id = c.successor_id
         where c.organization_id = ${org} and c.entitlement_id = ${entitlementId}
           and (c.status = 'active' or c.status = 'renewed' and s.start_date > ${today})
           and c.start_date <= ${today} and (c.end_date is null or c.end_date >= ${today})
           and (c.sla_first_response_minutes is not null or c.sla_resolution_minutes is not null)
         order by c.id desc limit 1) t on true
     where e.organization_id = ${org} and e.id = ${entitlementId}`
}

export const slaTermsOf = async (ctx: OrganizationContext, entitlementId: number | null): Promise<SlaTerms> =>
  slaTermsBy(await first(ctx, slaContract(ctx.organizationId, entitlementId, ctx)))

/** Without such a contract there are no minutes. */
export function slaTermsBy(found: SlaContract | undefined): SlaTerms {
  return {
    firstResponseMinutes: found?.sla_first_response_minutes ?? {},
    resolutionMinutes: found?.sla_resolution_minutes ?? {},
    businessHours: hoursOf(found),
    warningPercent: found?.warning_percent ?? 100,
  }
}

/**
 * The contract's own hours count as a whole, except that holidays which it leaves open are those of the legal entity.
 */
function hoursOf(found: SlaContract | undefined): BusinessHours | null {
  const { business_hours: own = null, company_hours = null } = found ?? {}
  if (own === null) return company_hours
  return { ...own, holidays: own.holidays ?? company_hours?.holidays ?? [] }
}
