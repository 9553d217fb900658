// The legal entity of the vendor that a customer deals with.

/** Written out, since a database has fewer blanks than the code. */
const BLANKS = String.raw`[\s\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*`

/** `country` is free text; these are the usual spellings in any case, for the database (`~*`) and the code alike. */
export const BRAZIL = String.raw`^${BLANKS}(br|bra|brazil|brasil)${BLANKS}$`

export const isInBrazil = (country: string | null): boolean => new RegExp(BRAZIL, 'i').test(country ?? '')

/** The legal entity that bills a customer of the country; whoever names none is taken for one in Brazil. */
export const usualCompany = (country: string | null) => (isInBrazil(country ?? 'BR') ? 'entity_br' : 'entity_global')
