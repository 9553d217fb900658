// The legal entity of the vendor that a customer deals with.

/** `country` is free text; these are the usual spellings in any case, for the database (`~*`) and the code alike. */
export const BRAZIL = String.raw`^\s*(br|bra|brazil|brasil)\s*$`

export const isInBrazil = (country: string | null): boolean => new RegExp(BRAZIL, 'i').test(country ?? '')

/** The legal entity that bills a customer of the country; whoever names none is taken for one in Brazil. */
export const usualCompany = (country: string | null) => (isInBrazil(country ?? 'BR') ? 'entity_br' : 'entity_global')
