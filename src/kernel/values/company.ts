// The legal entity of the vendor that a customer deals with.

/** Written out, since a database has fewer blanks than the code. */
const BLANKS = String.raw`[\s\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*`

/** `country` is free text; these are the usual spellings in any case, for the database (`~*`) and the code alike. */
export const BRAZIL = String.raw`^${BLANKS}(br|bra|brazil|brasil)${BLANKS}$`

/** Whoever names no country is taken for a customer of the Brazilian entity. */
export const isBrazil = (country: string | null): boolean => country === null || new RegExp(BRAZIL, 'i').test(country)

/** The legal entity that bills a customer of the country. */
export const usualCompany = (country: string | null) => (isBrazil(country) ? 'entity_br' : 'entity_global')
