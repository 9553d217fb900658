// How the lines of an invoice are declared: the service code of each, by its product, else by the fiscal profile.
import type { LineItem } from '#modules/delivery/products/line-item.ts'
import { type TaxTerms, taxTermsOf } from '#modules/delivery/products/offers.ts'
import type { Acting } from '#kernel/data/context.ts'
import type { FiscalProfile, ServiceCode } from '#ports/fiscal-profiles.ts'
import { type KnownParameters, knownOf, withPublishedRate } from './known-parameters.ts'

/** What says how lines are declared. */
export type Codes = { profile: FiscalProfile | null; products: ReadonlyMap<number, TaxTerms>; known: KnownParameters }

export const productsIn = (lines: readonly LineItem[]): number[] => [
  ...new Set(lines.flatMap(({ product_id }) => product_id ?? [])),
]

export async function codesFor(
  ctx: Pick<Acting, 'ask'>,
  lines: readonly LineItem[],
  { profile, competence }: { profile: FiscalProfile | null; competence: string },
): Promise<Codes> {
  const [products, known] = await Promise.all([taxTermsOf(ctx, productsIn(lines)), knownOf(ctx, profile, competence)])
  return { profile, products, known }
}

/** Null without a profile, or if it has no code for the class and no default. */
export function serviceOf({ profile, products, known }: Codes, line: LineItem | null): ServiceCode | null {
  const services: Record<string, ServiceCode> = profile?.services ?? {}
  const ofClass = services[line?.entitlement_class ?? 'default'] ?? services['default']
  const { service_code = null, nbs_code = null, iss_rate = null } = products.get(line?.product_id ?? 0) ?? {}
  // NBS and rate of the class belong to its code, so a product with another code has its own or none.
  const code = service_code === null ? ofClass : codeFrom(service_code)
  return profile === null || !code ? null : withPublishedRate(known, profile, withTerms(code, { nbs_code, iss_rate }))
}

/** Of a stored code: the national one, and the municipal one after it. */
export const codeFrom = (code: string): ServiceCode => ({
  national: code.slice(0, 6),
  ...(code.length > 6 && { municipal: code.slice(6) }),
})

export const withTerms = (
  code: ServiceCode,
  { nbs_code, iss_rate }: Pick<TaxTerms, 'nbs_code' | 'iss_rate'>,
): ServiceCode => ({
  ...code,
  ...(nbs_code !== null && { nbs: nbs_code }),
  ...(iss_rate !== null && { iss_rate }),
})
