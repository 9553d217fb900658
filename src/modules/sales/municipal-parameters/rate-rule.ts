// Whether a declaration names the ISS rate (rules E0600 to E0640 of the national layout).
import type { FiscalProfile } from '#ports/fiscal-profiles.ts'

/**
 * `forbidden`; `municipal`: needed, and it is the municipality's; `own`: needed, and it is the company's own one in the
 * Simples, which no municipality publishes; `unknown`: it depends on an agreement of which nothing is known.
 */
export type RateRule = 'forbidden' | 'municipal' | 'own' | 'unknown'

export function rateRule(profile: FiscalProfile, hasAgreement: boolean | null): RateRule {
  const { iss, simples, simples_regime, special_regime, iss_withheld } = profile
  if (iss !== '1' || simples === '2' || special_regime !== '0') return 'forbidden'
  // ISS is part of the Simples: only a recipient that withholds it has to know the rate.
  if (simples === '3' && simples_regime === '1') return iss_withheld === '1' ? 'forbidden' : 'own'
  if (hasAgreement === null) return 'unknown'
  return hasAgreement ? 'forbidden' : 'municipal'
}
