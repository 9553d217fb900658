// The service levels for tickets of an entitlement: minutes by priority, from its contract in force.
import { dayIn } from '#kernel/values/calendar.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { sql } from '#kernel/data/sql.ts'
import type { Company } from '#kernel/values/schema.ts'
import { zoneOf } from '#ports/ports.ts'

export type SlaTerms = {
  firstResponseMinutes: Readonly<Record<string, number>>
  resolutionMinutes: Readonly<Record<string, number>>
}

type Row = {
  sla_first_response_minutes: Record<string, number> | null
  sla_resolution_minutes: Record<string, number> | null
}

type Clock = Parameters<typeof zoneOf>[0] & { now: Date }

/** The newest contract in force that has terms. One that was renewed early is in force until its successor begins. */
export function slaContract(org: number, entitlementId: number, clock: Clock) {
  const todayOf = (company: Company) => sql`${dayIn(clock.now, zoneOf(clock, company))}::date`
  const today = sql`case c.company when 'entity_br' then ${todayOf('entity_br')} else ${todayOf('entity_global')} end`
  return sql<Row>`
    select c.sla_first_response_minutes, c.sla_resolution_minutes from contracts c
      left join contracts s on s.organization_id = ${org} and s.id = c.successor_id
     where c.organization_id = ${org} and c.entitlement_id = ${entitlementId}
       and (c.status = 'active' or c.status = 'renewed' and s.start_date > ${today})
       and c.start_date <= ${today} and (c.end_date is null or c.end_date >= ${today})
       and (c.sla_first_response_minutes is not null or c.sla_resolution_minutes is not null)
     order by c.id desc limit 1`
}

/** Empty without such a contract. */
export async function slaTermsOf(ctx: OrganizationContext, entitlementId: number): Promise<SlaTerms> {
  const found = await first(ctx, slaContract(ctx.organizationId, entitlementId, ctx))
  return {
    firstResponseMinutes: found?.sla_first_response_minutes ?? {},
    resolutionMinutes: found?.sla_resolution_minutes ?? {},
  }
}
