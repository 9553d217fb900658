// Enqueues the jobs of the organizations that a stored event of the CRM concerns. Companies and deals that are not ours
// are the salespeople's own.
import type { InboundSource } from '#http/manifest/module.ts'
import { readStoredEvent } from '#modules/messages/inbound/provider-events.ts'
import type { SystemContext } from '#kernel/data/context.ts'
import { organizations } from '#modules/identity/organizations/queries.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import { type Company, Id } from '#kernel/values/schema.ts'
import { CrmEvent } from '#ports/crm.ts'
import { crm } from './queries.ts'
import { syncCompany, syncDeal, syncLater } from './sync-jobs.ts'

const handleCrmEvent = jobKind('crm/handle-event', { provider_event_id: Id })

export const crmSource: InboundSource = {
  names: ['hubspot', 'hubspot-sandbox'],
  reads: 'finances',
  handle: handleCrmEvent,
}

export const handleCrmEventJob = systemJob(handleCrmEvent, {
  run: async (ctx, { payload: { provider_event_id: id } }) => {
    const { company, event } = await readStoredEvent(ctx, id, CrmEvent)
    if (event.object === 'company') return companyChanged(ctx, company, event)
    for (const { organization_id, quote_id } of await ctx.ask(crm.dealsOf(company, event.ids)))
      await syncLater(ctx, syncDeal, { company, quote_id, creates: false }, organization_id)
  },
})

async function companyChanged(ctx: SystemContext, company: Company, { ids, organizationId }: CrmEvent): Promise<void> {
  const known = await ctx.ask(crm.companiesOf(company, ids))
  const named = organizationId === null ? [] : await ctx.ask(organizations.isLiving(organizationId))
  const concerned = new Set([
    ...known.map(({ organization_id }) => organization_id),
    ...(organizationId !== null && named.length > 0 ? [organizationId] : []),
  ])
  for (const organization of concerned) await syncLater(ctx, syncCompany, { company, creates: false }, organization)
}
