// The payment provider's customer of an organization, stored at the first checkout: later payments must come from it.
// It is valid only at the provider that created it. One entered by hand is valid at the provider in use, and belongs to
// the provider that first answers with it (docs/decisions/0035).
import { replaceClaims } from '#modules/delivery/customers/claims.ts'
import { organizationsTable } from '#modules/identity/organizations/organization.ts'
import { update } from '#kernel/data/changes.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { sql, type Statement } from '#kernel/values/sql.ts'
import type { Company } from '#kernel/values/schema.ts'

export type KnownCustomer = { customer: string | null; customer_provider: string | null }

/** Columns of the organization `o` for the legal entity in `company`. */
export const knownCustomer = (company: Statement): Statement => sql`
  case ${company} when 'entity_br' then o.payment_customer_id_br else o.payment_customer_id_global end as customer,
  case ${company} when 'entity_br' then o.payment_customer_provider_br else o.payment_customer_provider_global end
    as customer_provider`

export const customerAt = (provider: string, { customer, customer_provider }: KnownCustomer): string | null =>
  customer_provider === null || customer_provider === provider ? customer : null

export async function customerOf(ctx: OrganizationContext, company: Company, provider: string): Promise<string | null> {
  return customerAt(provider, await known(ctx, company))
}

/** Keeps the customer that is known at this provider, and replaces one of another provider. */
export async function rememberPaymentCustomer(
  ctx: OrganizationContext,
  { company, provider }: { company: Company; provider: string },
  customer: string,
): Promise<void> {
  const before = await known(ctx, company)
  const isNew = customerAt(provider, before) === null
  if (!isNew && (before.customer_provider !== null || before.customer !== customer)) return
  const field = company === 'entity_br' ? 'payment_customer_id_br' : 'payment_customer_id_global'
  const providerField = company === 'entity_br' ? 'payment_customer_provider_br' : 'payment_customer_provider_global'
  if (isNew) await replaceClaims(ctx, { [field]: before.customer }, { [field]: customer })
  await update(ctx, organizationsTable, ctx.organizationId, { [field]: customer, [providerField]: provider })
}

const known = (ctx: OrganizationContext, company: Company): Promise<KnownCustomer> =>
  one(
    ctx,
    sql<KnownCustomer>`
      select ${knownCustomer(sql`${company}::text`)} from organizations o
       where o.organization_id = ${ctx.organizationId} and o.id = ${ctx.organizationId}`,
  )
