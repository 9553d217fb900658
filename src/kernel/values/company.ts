// The legal entity of the vendor that a customer deals with.
import type { Company } from './schema.ts'

export const isBrazil = (country: string | null): boolean =>
  country === null || /^(br|bra|brazil|brasil)$/i.test(country)

/** The legal entity that bills a customer of the country. */
export const usualCompany = (country: string | null): Company => (isBrazil(country) ? 'entity_br' : 'entity_global')
