// What is known of a municipality on a day: what its declarations are made by.
import type { Acting } from '#kernel/data/context.ts'
import { completeCode } from '#ports/municipal-parameters.ts'
import type { FiscalProfile, ServiceCode } from '#ports/fiscal-profiles.ts'
import type { MunicipalParameters } from './municipal-parameters.ts'
import { municipalParameters } from './queries.ts'
import { rateRule } from './rate-rule.ts'

export type KnownParameters = { agreement: MunicipalParameters | null; rates: ReadonlyMap<string, MunicipalParameters> }

export const NOTHING_KNOWN: KnownParameters = { agreement: null, rates: new Map() }

export const knownFrom = (
  agreement: MunicipalParameters | undefined,
  rates: readonly MunicipalParameters[],
): KnownParameters => ({
  agreement: agreement ?? null,
  rates: new Map(rates.map((one) => [one.service_code ?? '', one])),
})

export async function knownOf(
  ctx: Pick<Acting, 'ask'>,
  profile: FiscalProfile | null,
  competence: string,
): Promise<KnownParameters> {
  if (profile === null) return NOTHING_KNOWN
  const [[agreement], rates] = await Promise.all([
    ctx.ask(municipalParameters.agreementAt(profile.municipality, competence)),
    ctx.ask(municipalParameters.ratesAt(profile.municipality, competence)),
  ])
  return knownFrom(agreement, rates)
}

export const hasAgreement = ({ agreement }: KnownParameters): boolean | null =>
  agreement === null ? null : agreement.outcome === 'published'

/** The rate that holds for the code; undefined when none is known, or ISS is not levied. */
export function publishedRate({ rates }: KnownParameters, service: ServiceCode): string | undefined {
  const { levied = null, rate = null } = rates.get(completeCode(service)) ?? {}
  return levied === false || rate === null ? undefined : rate
}

/** With the published rate where the declaration needs the municipality's, and nobody has named one. */
export function withPublishedRate(known: KnownParameters, profile: FiscalProfile, service: ServiceCode): ServiceCode {
  if (service.iss_rate !== undefined || rateRule(profile, hasAgreement(known)) !== 'municipal') return service
  const iss_rate = publishedRate(known, service)
  return iss_rate === undefined ? service : { ...service, iss_rate }
}

/** The rows that the declaration of the service is made by, for its record. */
export const rowsOf = ({ agreement, rates }: KnownParameters, service: ServiceCode | null) => ({
  agreement_id: agreement?.id ?? null,
  rate_id: (service && rates.get(completeCode(service))?.id) ?? null,
})
