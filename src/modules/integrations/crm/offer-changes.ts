// Keeps the open proposals of an organization as what the CRM has otherwise. Two fields that decide nothing are filled
// directly where they are empty, if staff have verified who the organization is: until then the CRM's values could be
// told to a stranger who entered another company's CNPJ.
import { changeOrganization } from '#modules/identity/organizations/change-organization.ts'
import { insert, move, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { CompanyField } from '#ports/crm.ts'
import type { ComparedField } from './compare.ts'
import { type CrmProposal, crmProposalMoves, crmProposalsTable } from './proposal.ts'
import { crm, type SyncedOrganization } from './queries.ts'
import { problemOf } from './taken-value.ts'

/** The others decide taxes, the legal entity, or whose name stands on documents. */
const FILLED: readonly CompanyField[] = ['phone', 'website']

export async function offerChanges(
  ctx: OrganizationContext,
  company: Company,
  { of, compared }: { of: SyncedOrganization; compared: readonly ComparedField[] },
): Promise<void> {
  const open = await ctx.ask(crm.openProposals(ctx.organizationId, company))
  const offered = compared.filter(({ verdict }) => verdict === 'offer')
  const filled = offered.filter((one) => of.verification_status === 'verified' && isFilled(one))
  for (const { field, there } of filled) await changeOrganization(ctx, { [field]: there })
  const left = offered.filter((one) => !filled.includes(one))
  for (const proposal of open) if (!left.some(({ field }) => field === proposal.field)) await withdraw(ctx, proposal)
  for (const one of left)
    await offer(ctx, company, { ...one, known: open.find((proposal) => proposal.field === one.field) })
}

export async function withdrawOffers(ctx: OrganizationContext, company: Company): Promise<void> {
  for (const proposal of await ctx.ask(crm.openProposals(ctx.organizationId, company))) await withdraw(ctx, proposal)
}

const isFilled = ({ field, here, there }: ComparedField): boolean =>
  FILLED.includes(field) && here === null && problemOf(field, there) === null

const withdraw = (ctx: OrganizationContext, { id }: CrmProposal) =>
  move(ctx, crmProposalsTable, id, crmProposalMoves.withdraw, { decided_at: ctx.now.toISOString() })

type Offer = ComparedField & { known: CrmProposal | undefined }

async function offer(ctx: OrganizationContext, company: Company, { field, here, there, known }: Offer): Promise<void> {
  if (there === null) return
  const values = { current_value: here, proposed_value: there }
  if (!known) await insert(ctx, crmProposalsTable, { company, field, ...values })
  else if (known.current_value !== here || known.proposed_value !== there)
    await update(ctx, crmProposalsTable, known.id, values)
}
