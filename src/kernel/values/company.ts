// The legal entity of the vendor that a customer deals with.
import type { Company } from './schema.ts'

/** `country` is free text; these are the usual spellings. */
export const isInBrazil = (country: string | null): boolean => /^\s*(br|bra|brazil|brasil)\s*$/i.test(country ?? '')

/** Whoever names no country is taken for a customer of the Brazilian entity. */
export const isBrazil = (country: string | null): boolean => country === null || isInBrazil(country)

/** The legal entity that bills a customer of the country. */
export const usualCompany = (country: string | null): Company => (isBrazil(country) ? 'entity_br' : 'entity_global')
