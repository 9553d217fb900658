// The demo's CRM: a company, the deal of the first quote in a stage that a salesperson chose, and a change that staff
// are offered. Only where no CRM is configured, whose jobs would not find these records there.
import { compare } from '#modules/integrations/crm/compare.ts'
import { offerChanges } from '#modules/integrations/crm/offer-changes.ts'
import { crm } from '#modules/integrations/crm/queries.ts'
import { rememberCrmCompany } from '#modules/integrations/crm/remember-crm-company.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'
import type { Company } from '#kernel/values/schema.ts'

const STAGES = { stage: 'closedwon', crm_stage: 'contractsent' }

export async function demoCrm(ctx: OrganizationContext): Promise<void> {
  const { organizationId, now, settings } = ctx
  const { id: quote_id, company } = await one(
    ctx,
    sql<{ id: number; company: Company }>`
      select id, company from quotes where organization_id = ${organizationId} and sent_at is not null order by id
        limit 1`,
  )
  if (settings.crm[company] !== 'none') return
  const at = { company, provider: 'hubspot' }
  const crm_id = String(9_000_000_000 + organizationId)
  await ctx.ask(crm.rememberCompany(organizationId, at, { crmId: crm_id, agreed: {}, now }))
  await rememberCrmCompany(ctx, company, crm_id)
  await ctx.ask(crm.rememberDeal(organizationId, { ...at, ...STAGES, quote_id, crm_id, sent: {} }, now))
  const of = await one(ctx, crm.organization(organizationId, at))
  await offerChanges(ctx, company, { of, compared: compare(of, { ...of, phone: '+55 11 5555-0199' }, {}) })
}
