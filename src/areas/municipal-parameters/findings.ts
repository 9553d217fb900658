// What does not fit between the fiscal profile, the products and what the municipality publishes. Nothing is changed by it.
import type { FiscalProfile } from '#ports/tax-authority.ts'
import type { Use } from './codes-in-use.ts'
import { hasAgreement, type Known } from './known-parameters.ts'
import type { Finding } from './municipal-parameters.ts'
import { rateRule, type RateRule } from './rate-rule.ts'

export function findingsOf(profile: FiscalProfile, known: Known, uses: ReadonlyMap<string, readonly Use[]>): Finding[] {
  const rule = rateRule(profile, hasAgreement(known))
  return [
    ...agreementFindings(profile.municipality, known),
    ...[...uses].flatMap(([code, users]) => users.flatMap((use) => rateFindings(code, use, { rule, known }))),
  ]
}

function agreementFindings(municipality: string, { agreement }: Known): Finding[] {
  const about = (code: Finding['code'], message: string): Finding => ({ code, service_code: null, message })
  if (agreement === null)
    return [about('unknown', `Nothing is known of the agreement of municipality ${municipality} yet`)]
  if (agreement.outcome === 'none')
    return [
      about(
        'no_agreement',
        `Municipality ${municipality} has no agreement in force: the national system refuses its declarations (E0037, E0038)`,
      ),
    ]
  if (agreement.national_issuer === false)
    return [
      about(
        'no_national_issuer',
        `Municipality ${municipality} does not issue by the national system: NFSE_BR_URL must be the address of its own`,
      ),
    ]
  return []
}

type About = { rule: RateRule; known: Known }

function rateFindings(service_code: string, { by, iss_rate }: Use, { rule, known }: About): Finding[] {
  const about = (code: Finding['code'], message: string): Finding => ({ code, service_code, message })
  const published = known.rates.get(service_code)?.rate ?? null
  const found: Finding[] = []
  if (iss_rate === null) {
    if (rule === 'own') found.push(about('rate_missing', `${by} has to name the company’s rate in the Simples`))
    if (rule === 'municipal' && published === null)
      found.push(about('rate_missing', `${by} has to name a rate, and the municipality publishes none`))
    return found
  }
  if (rule === 'forbidden')
    found.push(about('rate_forbidden', `${by} names a rate, with which the declaration is refused`))
  if (rule !== 'own' && published !== null && Number(published) !== Number(iss_rate))
    found.push(about('rate_differs', `${by} declares ${iss_rate} %, the municipality publishes ${published} %`))
  return found
}
