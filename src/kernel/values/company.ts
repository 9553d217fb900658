// The legal entity of the vendor that a customer deals with.
import type { Company } from './schema.ts'
import { type Statement, sql } from './sql.ts'

/** `country` is free text; these are the usual spellings, in any case, for the code and the database alike. */
const BRAZIL = '^\\s*(br|bra|brazil|brasil)\\s*$'

export const isInBrazil = (country: string | null): boolean => new RegExp(BRAZIL, 'i').test(country ?? '')

/** Whoever names no country is taken for a customer of the Brazilian entity. */
export const isBrazil = (country: string | null): boolean => country === null || isInBrazil(country)

/** The legal entity that bills a customer of the country. */
export const usualCompany = (country: string | null): Company => (isBrazil(country) ? 'entity_br' : 'entity_global')
export const usualCompanyIn = (country: Statement): Statement => sql`
  case when ${country} is null or ${country} ~* ${BRAZIL} then 'entity_br' else 'entity_global' end`
