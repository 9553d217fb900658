// The payment provider's customer of an organization, learnt from the first checkout: later payments must come from it.
import { update } from '#kernel/data/changes.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import type { Company } from '#kernel/values/schema.ts'
import { sql } from '#kernel/data/sql.ts'
import { replaceClaims } from './claims.ts'
import { organizationsTable, type OrganizationValues } from './organization.ts'

/** Does nothing when one is known already: the provider's word changes no setting. */
export async function rememberPaymentCustomer(
  ctx: OrganizationContext,
  company: Company,
  customer: string,
): Promise<void> {
  const field = company === 'entity_br' ? 'payment_customer_id_br' : 'payment_customer_id_global'
  const { organizationId } = ctx
  const known = await first(
    ctx,
    sql<OrganizationValues>`
    select payment_customer_id_br, payment_customer_id_global from organizations
     where organization_id = ${organizationId} and id = ${organizationId}`,
  )
  if (!known || known[field]) return
  await replaceClaims(ctx, {}, { [field]: customer })
  await update(ctx, organizationsTable, organizationId, { [field]: customer })
}
