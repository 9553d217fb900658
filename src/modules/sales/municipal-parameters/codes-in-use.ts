// The service codes that the fiscal profile and the products declare, and the rates that they name.
import { completeCode } from '#ports/municipal-parameters.ts'
import type { FiscalProfile, ServiceCode } from '#ports/fiscal-profiles.ts'
import type { DeclaredProduct } from '#modules/delivery/products/offers.ts'

export type Use = { by: string; iss_rate: string | null }

/** By complete code, in the order of the codes. */
export function codesInUse(profile: FiscalProfile, products: readonly DeclaredProduct[]): Map<string, Use[]> {
  const uses: [string, Use][] = Object.entries(profile.services).map(([by, service]) => [
    completeCode(service),
    { by, iss_rate: service.iss_rate ?? null },
  ])
  const services: Record<string, ServiceCode> = profile.services
  for (const { sku, entitlement_class, service_code, iss_rate } of products) {
    const ofClass = services[entitlement_class] ?? services['default']
    const code = service_code?.padEnd(9, '0') ?? (ofClass && completeCode(ofClass))
    if (code !== undefined) uses.push([code, { by: sku, iss_rate }])
  }
  const byCode = new Map<string, Use[]>()
  for (const [code, use] of uses.toSorted(([one], [other]) => one.localeCompare(other)))
    byCode.set(code, [...(byCode.get(code) ?? []), use])
  return byCode
}
