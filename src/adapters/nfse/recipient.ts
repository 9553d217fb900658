// The recipient of the service: the group `toma`, for one in Brazil or abroad.
import type { FiscalProfile } from '#ports/fiscal-profiles.ts'
import type { TaxRecipient } from '#ports/tax-authority.ts'
import { isCityCode, isCpf, kindOfTaxId } from './identifiers.ts'
import type { Problems } from './problems.ts'
import { latin, line } from './wording.ts'
import type { XmlValues } from './xml-writer.ts'

/** `whole`: missing data is a problem; `as-known`: missing data is left out. */
export type RecipientRule = 'whole' | 'as-known'

export type RecipientContext = {
  rule: RecipientRule
  /** Then the address has to be known. */
  isIssWithheld: boolean
  profile: FiscalProfile
  problems: Problems
}

export const isAbroad = ({ address }: TaxRecipient): boolean => address.country !== 'BR'

export function recipientValues(recipient: TaxRecipient, context: RecipientContext): XmlValues {
  const { problems } = context
  const name = line(recipient.name, 300)
  if (!/^[A-Z]{2}$/.test(recipient.address.country))
    problems.add('RECIPIENT_COUNTRY', 'The country of the recipient is no ISO code of two letters', 'country')
  return {
    ...identity(recipient, context),
    IM: recipient.taxId === null ? null : line(recipient.municipalRegistration, 15),
    xNome: problems.need(name, 'RECIPIENT_NAME', 'The recipient has no name', 'legal_name'),
    end: isAbroad(recipient) ? addressAbroad(recipient, context) : addressInBrazil(recipient, context),
    fone: phone(recipient.phone),
    email: email(recipient.email),
  }
}

function identity(recipient: TaxRecipient, { rule, profile, problems }: RecipientContext): XmlValues {
  const { taxId, foreignTaxId } = recipient
  if (taxId !== null) {
    const kind = kindOfTaxId(taxId)
    if (kind === 'CPF' && !isCpf(taxId))
      problems.add('RECIPIENT_TAX_ID', 'The CPF of the recipient has wrong check digits', 'id_number')
    if (kind) return { [kind]: taxId }
    problems.add('RECIPIENT_TAX_ID', 'The tax number of the recipient is neither a CNPJ nor a CPF', 'cnpj')
    return {}
  }
  const foreign = isAbroad(recipient) ? line(foreignTaxId, 40) : null
  if (foreign !== null) return { NIF: foreign }
  if (isAbroad(recipient) && profile.missing_foreign_tax_id) return { cNaoNIF: profile.missing_foreign_tax_id }
  if (rule === 'as-known') return { cNaoNIF: '0' }
  if (isAbroad(recipient))
    problems.add('RECIPIENT_FOREIGN_TAX_ID', 'The recipient abroad has no tax number of its country', 'id_number')
  else problems.add('RECIPIENT_TAX_ID', 'The recipient has no CNPJ or CPF', 'cnpj')
  return {}
}

function addressInBrazil(
  { address }: TaxRecipient,
  { rule, isIssWithheld, problems }: RecipientContext,
): XmlValues | null {
  const zipcode = (address.zipcode ?? '').replaceAll(/\D/g, '')
  const known = {
    cMun: address.cityCode !== null && isCityCode(address.cityCode) ? address.cityCode : null,
    CEP: /^[0-9]{8}$/.test(zipcode) ? zipcode : null,
    xLgr: latin(address.street, 255),
    xBairro: latin(address.district, 60),
  }
  const { cMun, CEP, ...rest } = known
  const nothingIsGiven = [address.street, address.zipcode, address.district, address.cityCode].every(
    (part) => line(part, 255) === null,
  )
  if (nothingIsGiven && !isIssWithheld) return null
  const missing = Object.values(known).includes(null)
  if (missing && rule === 'as-known') return null
  const need = (value: string | null, what: string, field: string) =>
    problems.need(value, `RECIPIENT_${field.toUpperCase()}`, `The address of the recipient has no ${what}`, field)
  need(cMun, 'IBGE code of the city (seven digits, the last one checks the others)', 'ibge_code')
  need(CEP, 'postal code (eight digits)', 'zipcode')
  need(rest.xLgr, 'street', 'address')
  need(rest.xBairro, 'neighborhood', 'neighborhood')
  return {
    endNac: { cMun, CEP },
    ...rest,
    nro: latin(address.number, 60) ?? 'S/N',
    xCpl: latin(address.complement, 156),
  }
}

/** The layout requires parts that addresses of many countries do not have; they are a dash. */
function addressAbroad({ address }: TaxRecipient, { rule, problems }: RecipientContext): XmlValues | null {
  const street = latin(address.street, 255)
  const city = line(address.city, 60)
  if (rule === 'as-known' && (street === null || city === null)) return null
  problems.need(street, 'RECIPIENT_ADDRESS', 'The address of the recipient has no street', 'address')
  problems.need(city, 'RECIPIENT_CITY', 'The address of the recipient has no city', 'city')
  return {
    endExt: {
      cPais: address.country,
      cEndPost: line(address.zipcode, 11) ?? '-',
      xCidade: city,
      xEstProvReg: line(address.state, 60) ?? city,
    },
    xLgr: street,
    nro: latin(address.number, 60) ?? 'S/N',
    xCpl: latin(address.complement, 156),
    xBairro: latin(address.district, 60) ?? '-',
  }
}

/** Without an extension, which is no part of the number. */
function phone(given: string | null): string | null {
  const [number = ''] = (given ?? '').split(/(?:ramal|ext(?:ension)?|r|x)\b|[x#]/i)
  const digits = number.replaceAll(/\D/g, '')
  return /^[0-9]{6,20}$/.test(digits) ? digits : null
}

/** Left out when too long or not ASCII, since a part of it would be another address. */
function email(given: string | null): string | null {
  const text = line(given, 81)
  return text !== null && /^[!-~]{1,80}$/.test(text) ? text : null
}
