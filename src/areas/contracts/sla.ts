// What a contract promises for tickets: minutes by priority, of the active contract on an entitlement.
import { first, type OrganizationContext } from '#kernel/context.ts'
import { sql } from '#kernel/sql.ts'

export type SlaTerms = {
  firstResponseMinutes: Readonly<Record<string, number>>
  resolutionMinutes: Readonly<Record<string, number>>
}

type Row = {
  sla_first_response_minutes: Record<string, number> | null
  sla_resolution_minutes: Record<string, number> | null
}

/** Nothing is promised where there is no active contract; the newest counts where there are several. */
export async function slaTermsOf(ctx: OrganizationContext, entitlementId: number): Promise<SlaTerms> {
  const found = await first(
    ctx,
    sql<Row>`
      select sla_first_response_minutes, sla_resolution_minutes from contracts
       where organization_id = ${ctx.organizationId} and entitlement_id = ${entitlementId} and status = 'active'
       order by id desc limit 1`,
  )
  return {
    firstResponseMinutes: found?.sla_first_response_minutes ?? {},
    resolutionMinutes: found?.sla_resolution_minutes ?? {},
  }
}
