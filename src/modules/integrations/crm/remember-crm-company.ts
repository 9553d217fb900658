// Sets the organization's field for its company in the CRM. Whatever was entered there by hand, the company that the
// CRM knows by the organization's id counts.
import { replaceClaims } from '#modules/delivery/customers/claims.ts'
import { organizationsTable } from '#modules/identity/organizations/organization.ts'
import { organizations } from '#modules/identity/organizations/queries.ts'
import { update } from '#kernel/data/changes.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import type { Company } from '#kernel/values/schema.ts'

/** 409, and another attempt of the job, while another organization claims the id: its own job takes it from there. */
export async function rememberCrmCompany(ctx: OrganizationContext, company: Company, id: string | null): Promise<void> {
  const field = company === 'entity_br' ? 'crm_company_id_br' : 'crm_company_id_global'
  const before = await one(ctx, organizations.rowById(ctx.organizationId))
  if (before[field] === id) return
  await replaceClaims(ctx, { [field]: before[field] }, { [field]: id })
  await update(ctx, organizationsTable, ctx.organizationId, { [field]: id })
}
