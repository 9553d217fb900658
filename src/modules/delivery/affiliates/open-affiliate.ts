// Opens the account of an AFL entitlement, under the entitlement's code.
import { insert } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { formatMoney } from '#kernel/values/money.ts'
import type { Integration } from '#kernel/values/integration.ts'
import type { Company } from '#kernel/values/schema.ts'
import { type Affiliate, affiliatesTable } from './affiliate.ts'

/** Until staff set a rate, the account earns nothing. */
const NO_RATE = '0.00'
/** For an entitlement that was not sold, and so has no currency. */
export const USUAL_CURRENCY: Readonly<Record<Company, string>> = { entity_br: 'BRL', entity_global: 'USD' }

type OpenAffiliateOptions = {
  entitlement_id: number
  entitlement_code: string
  company: Company
  currency: string
  commission_rate?: string
  given?: Integration
}

export async function openAffiliate(ctx: OrganizationContext, opened: OpenAffiliateOptions): Promise<Affiliate> {
  const { entitlement_id, entitlement_code: code, company, currency, commission_rate = NO_RATE, given } = opened
  const zero = formatMoney(0n, currency)
  const sums = { earned: zero, reversed: zero, paid_out: zero, reserved: zero }
  const account = { code, status: 'active', entitlement_id, company, commission_rate, currency } as const
  return insert(ctx, affiliatesTable, { ...given, ...account, ...sums, suspended_with_entitlement: false })
}
