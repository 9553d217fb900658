// The organization as the recipient in a declaration, and texts without what a declaration cannot hold.
import type { TaxRecipient } from '#ports/tax-authority.ts'
import { countryCode } from './country.ts'

export type OrganizationFacts = Record<
  | 'legal_name'
  | 'cnpj'
  | 'id_number'
  | 'municipal_registration'
  | 'email'
  | 'tax_email'
  | 'phone'
  | 'address'
  | 'address_number'
  | 'address2'
  | 'neighborhood'
  | 'city'
  | 'state'
  | 'ibge_code'
  | 'zipcode'
  | 'country'
  | 'tax_param1'
  | 'tax_param2'
  | 'tax_param3'
  | 'tax_param4'
  | 'tax_param5',
  string | null
> & { name: string }

/** An unknown country: a declaration to this recipient is not sent. */
export const NO_COUNTRY = ''

export function recipientFrom(facts: OrganizationFacts): TaxRecipient {
  const country = countryCode(facts.country) ?? NO_COUNTRY
  const isBrazil = country === 'BR'
  const { cnpj, tax_param1, tax_param2, tax_param3, tax_param4, tax_param5 } = facts
  const given = line(facts.id_number)
  return {
    name: line(facts.legal_name) ?? line(facts.name) ?? facts.name,
    taxId: cnpj ?? (isBrazil ? cpfIn(given) : null),
    foreignTaxId: isBrazil || cnpj !== null ? null : given,
    municipalRegistration: line(facts.municipal_registration),
    email: line(facts.tax_email) ?? line(facts.email),
    phone: line(facts.phone),
    address: {
      street: line(facts.address),
      number: line(facts.address_number),
      complement: line(facts.address2),
      district: line(facts.neighborhood),
      city: line(facts.city),
      state: line(facts.state),
      cityCode: line(facts.ibge_code),
      zipcode: isBrazil ? digitsOf(facts.zipcode) : line(facts.zipcode),
      country,
    },
    parameters: [tax_param1, tax_param2, tax_param3, tax_param4, tax_param5].map(line),
  }
}

/** The CPF of a person: eleven digits, with or without punctuation. */
function cpfIn(given: string | null): string | null {
  const digits = given?.replaceAll(/[\s./-]/g, '') ?? ''
  return /^\d{11}$/.test(digits) ? digits : null
}

const digitsOf = (text: string | null): string | null => text?.replaceAll(/\D/g, '') || null

/** The text as one line that XML can hold; null if nothing is left. */
export const line = (text: string | null): string | null =>
  storable(text ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim() || null

/** Replaces the characters that XML 1.0 does not allow. */
export const storable = (text: string): string => text.toWellFormed().replaceAll(/[^\P{Cc}\t\n]|[\ufffe\uffff]/gu, ' ')
