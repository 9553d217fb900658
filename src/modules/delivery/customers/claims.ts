// Values that only one organization that is not deleted may have: its CNPJ, its ids in other systems, and the keys of
// licenses that it brought. The only file that writes claims. Their key is unique across organizations, so an insert
// fails on another's claim without showing it.
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import { sql } from '#kernel/values/sql.ts'

/** Always inserted in this order, so that two organizations that exchange values cannot deadlock. */
export const CLAIMED = [
  'cnpj',
  'crm_company_id_br',
  'crm_company_id_global',
  'external_id',
  'payment_customer_id_br',
  'payment_customer_id_global',
] as const
type ClaimValues = { readonly [Kind in (typeof CLAIMED)[number]]?: string | null }

/**
 * Releases the values that changed and claims the new ones; 409 when another organization has one, without saying
 * which.
 */
export async function replaceClaims(ctx: OrganizationContext, before: ClaimValues, after: ClaimValues): Promise<void> {
  const changed = CLAIMED.filter((kind) => kind in after && (after[kind] ?? null) !== (before[kind] ?? null))
  await release(ctx, changed, before)
  const kinds = changed.filter((kind) => typeof after[kind] === 'string')
  if (kinds.length === 0) return
  const taken = await ctx.ask<{ kind: string }>(sql`
    insert into claims (kind, value, organization_id)
    select c.kind, c.value, ${ctx.organizationId}
      from unnest(${kinds}::text[], ${kinds.map((kind) => after[kind])}::text[]) as c(kind, value)
    on conflict do nothing returning kind`)
  const missed = kinds.find((kind) => !taken.some((claim) => claim.kind === kind))
  if (missed) throw conflict('identifier_taken', `The ${missed} belongs to an organization already`)
}

/** Claims a value that is no field of the organization; false when any organization has it already. */
export async function claimValue(ctx: OrganizationContext, kind: 'license_key', value: string): Promise<boolean> {
  const taken = await ctx.ask(sql`
    insert into claims (kind, value, organization_id) values (${kind}, ${value}, ${ctx.organizationId})
    on conflict do nothing returning kind`)
  return taken.length > 0
}

export const releaseClaims = (ctx: OrganizationContext, of: ClaimValues): Promise<void> => release(ctx, CLAIMED, of)

async function release(ctx: OrganizationContext, kinds: readonly (typeof CLAIMED)[number][], of: ClaimValues) {
  const held = kinds.filter((kind) => typeof of[kind] === 'string')
  if (held.length === 0) return
  await ctx.ask(sql`
    delete from claims using unnest(${held}::text[], ${held.map((kind) => of[kind])}::text[]) as c(kind, value)
     where claims.organization_id = ${ctx.organizationId} and claims.kind = c.kind and claims.value = c.value`)
}
