// Sets the owner in the organization's row, after a transfer or when an invite to be the owner is accepted.
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { type Organization, type OrganizationRow, organizationsTable } from './organization.ts'

export async function setOwner(ctx: OrganizationContext, userId: number): Promise<Organization> {
  return viewOrganization(
    await update(
      ctx,
      organizationsTable,
      ctx.organizationId,
      { owner_id: userId },
      organizationsTable.events.ownership_transferred,
    ),
  )
}

export const viewOrganization = ({
  deleted_at: _deletedAt,
  sso_domains: _ssoDomains,
  tax_withholding: _taxWithholding,
  payment_customer_provider_br: _providerBr,
  payment_customer_provider_global: _providerGlobal,
  ...organization
}: OrganizationRow): Organization => organization
