// POST /admin/crm/proposals/{id}/accept and /reject.
import { changeOrganization } from '#modules/identity/organizations/change-organization.ts'
import { organizations } from '#modules/identity/organizations/queries.ts'
import { move } from '#kernel/data/changes.ts'
import { first, one, type OrganizationContext, type SystemContext } from '#kernel/data/context.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { type CrmProposal, crmProposalMoves, crmProposalsTable } from './proposal.ts'
import { crm } from './queries.ts'
import { keyOf, syncCompany } from './sync-jobs.ts'
import { problemOf } from './taken-value.ts'

/** The organization takes the value of the CRM. */
export async function acceptProposal(system: SystemContext, id: number): Promise<CrmProposal> {
  const { ctx, proposal } = await enterOf(system, id)
  const accepted = await move(ctx, crmProposalsTable, id, crmProposalMoves.accept, decision(ctx))
  const { field, current_value, proposed_value } = proposal
  const before = await one(ctx, organizations.rowById(ctx.organizationId))
  if (before[field] !== current_value)
    throw conflict('changed_meanwhile', `The organization has changed its ${field} since`)
  const problem = problemOf(field, proposed_value)
  if (problem !== null) throw conflict('value_not_allowed', `The organization cannot have this ${field}: it ${problem}`)
  await changeOrganization(ctx, { [field]: proposed_value })
  return accepted
}

/** The organization keeps its own value, and the CRM gets it. */
export async function rejectProposal(system: SystemContext, id: number): Promise<CrmProposal> {
  const { ctx, proposal } = await enterOf(system, id)
  const rejected = await move(ctx, crmProposalsTable, id, crmProposalMoves.reject, decision(ctx))
  const { company, field, proposed_value } = proposal
  // What stands there is settled: it is not offered again, and our own value is written over it.
  await ctx.ask(crm.agree(ctx.organizationId, company, { [field]: { here: null, there: proposed_value } }))
  if (ctx.settings.crm[company] !== 'none')
    await enqueue(ctx, syncCompany, { company, creates: false }, { key: keyOf(ctx.organizationId, company) })
  return rejected
}

async function enterOf(
  system: SystemContext,
  id: number,
): Promise<{ ctx: OrganizationContext; proposal: CrmProposal }> {
  const found = await first(system, crm.proposal(id))
  if (!found) throw notFound()
  const ctx = await system.enter(found.organization_id)
  // Once more, with the organization's lock.
  return { ctx, proposal: await one(ctx, crm.proposal(id)) }
}

const decision = ({ caller, now }: OrganizationContext) => ({
  decided_by: caller.userId,
  decided_at: now.toISOString(),
})
