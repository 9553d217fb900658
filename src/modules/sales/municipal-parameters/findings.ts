// What does not fit between the fiscal profile, the products and what the municipality publishes. Nothing is changed by
// it.
import type { FiscalProfile } from '#ports/fiscal-profiles.ts'
import type { Use } from './codes-in-use.ts'
import { hasAgreement, type KnownParameters } from './known-parameters.ts'
import type { Finding } from './municipal-parameters.ts'
import { rateRule } from './rate-rule.ts'

export function findingsOf(
  profile: FiscalProfile,
  known: KnownParameters,
  uses: ReadonlyMap<string, readonly Use[]>,
): Finding[] {
  return [
    ...agreementFindings(profile.municipality, known),
    ...[...uses].flatMap(([code, users]) => users.flatMap((use) => rateFindings(code, use, { profile, known }))),
  ]
}

function agreementFindings(municipality: string, { agreement }: KnownParameters): Finding[] {
  if (agreement === null)
    return [finding('unknown', null, `Nothing is known of the agreement of municipality ${municipality} yet`)]
  if (agreement.outcome === 'none') {
    const consequence = 'the national system refuses its declarations (E0037, E0038)'
    return [finding('no_agreement', null, `Municipality ${municipality} has no agreement in force: ${consequence}`)]
  }
  if (agreement.national_issuer === false) {
    const consequence = 'NFSE_BR_URL must be the address of its own'
    const message = `Municipality ${municipality} does not issue by the national system: ${consequence}`
    return [finding('no_national_issuer', null, message)]
  }
  return []
}

const finding = (code: Finding['code'], service_code: string | null, message: string): Finding => ({
  code,
  service_code,
  message,
})

type About = { profile: FiscalProfile; known: KnownParameters }

function rateFindings(service_code: string, { by, iss_rate }: Use, { profile, known }: About): Finding[] {
  const rule = rateRule(profile, hasAgreement(known))
  const { levied = null, rate: published = null } = known.rates.get(service_code) ?? {}
  const found: Finding[] = []
  const find = (code: Finding['code'], message: string) => void found.push(finding(code, service_code, message))
  if (profile.iss === '1' && levied === false)
    find('not_levied', `${by} is declared as taxable, and the municipality levies no ISS on it`)
  if (iss_rate === null) {
    if (rule === 'own') find('rate_missing', `${by} has to name the company’s rate in the Simples`)
    if (rule === 'municipal' && published === null)
      find('rate_missing', `${by} has to name a rate, and the municipality publishes none`)
    return found
  }
  if (rule === 'forbidden') find('rate_forbidden', `${by} names a rate, with which the declaration is refused`)
  if (rule !== 'own' && published !== null && Number(published) !== Number(iss_rate))
    find('rate_differs', `${by} declares ${iss_rate} %, the municipality publishes ${published} %`)
  return found
}
