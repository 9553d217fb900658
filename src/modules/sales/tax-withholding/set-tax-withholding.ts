// PUT /tax-withholding: staff say which taxes the organization keeps back.
import { organizationsTable } from '#modules/identity/organizations/organization.ts'
import type { NewTaxWithholding, TaxWithholding } from '#modules/identity/organizations/tax-withholding.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { ownBody } from '#http/organization-body.ts'

export async function setTaxWithholding(ctx: OrganizationContext, body: NewTaxWithholding): Promise<TaxWithholding> {
  const { federal = [], iss_municipalities = [] } = ownBody(ctx, body)
  const withholding = { federal, iss_municipalities }
  const isNone = federal.length === 0 && iss_municipalities.length === 0
  await update(ctx, organizationsTable, ctx.organizationId, { tax_withholding: isNone ? null : withholding })
  return withholding
}
