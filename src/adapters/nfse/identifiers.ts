// The identifiers of declarations, tax invoices and events in the national NFS-e system. They contain the CNPJ as text,
// which may have letters.

export const ACCESS_KEY = /^[0-9]{7}[12](1[0-9]{14}|2[0-9A-Z]{14})[0-9]{27}$/
export const DECLARATION_ID = /^DPS[0-9]{7}(1[0-9]{14}|2[0-9A-Z]{14})[0-9]{20}$/

const CPF = /^[0-9]{11}$/
const CNPJ = /^[0-9A-Z]{12}[0-9]{2}$/

export type DeclarationNumber = { municipality: string; taxId: string; series: string; number: number }

/** 45 characters. Type 1 is a CPF, 2 a CNPJ; null when a part is too long. */
export function declarationId({ municipality, taxId, series, number }: DeclarationNumber): string | null {
  const inscription = inscriptionOf(taxId)
  if (inscription === null || !/^[0-9]{7}$/.test(municipality) || !/^[0-9]{1,5}$/.test(series)) return null
  if (!Number.isSafeInteger(number) || number < 1 || number > 999_999_999_999_999) return null
  return `DPS${municipality}${inscription}${series.padStart(5, '0')}${String(number).padStart(15, '0')}`
}

function inscriptionOf(taxId: string): string | null {
  if (CNPJ.test(taxId)) return `2${taxId}`
  return CPF.test(taxId) ? `1${taxId.padStart(14, '0')}` : null
}

/** `CNPJ` or `CPF`, the name of the element; null for other text. */
export function kindOfTaxId(taxId: string): 'CNPJ' | 'CPF' | null {
  if (CNPJ.test(taxId)) return 'CNPJ'
  return CPF.test(taxId) ? 'CPF' : null
}

/** Whether both check digits of a CPF are right: weights 2 and more from the right. */
export function isCpf(text: string): boolean {
  if (!CPF.test(text) || /^(.)\1*$/.test(text)) return false
  return text.endsWith(cpfDigit(text.slice(0, 9)) + cpfDigit(text.slice(0, 10)))
}

function cpfDigit(text: string): string {
  const sum = text.split('').reduce((all, one, index) => all + Number(one) * (text.length + 1 - index), 0)
  return String(((sum * 10) % 11) % 10)
}

/** Codes of municipalities that IBGE gave with another check digit, and keeps. */
const IBGE_EXCEPTIONS = '2201919 2201988 2202251 2611533 3117836 3152131 4305871 5203939 5203962'.split(' ')

/** Seven digits; the last one checks the others: weights 1 and 2 in turn, the digits of each product added. */
export function isCityCode(text: string): boolean {
  if (!/^[0-9]{7}$/.test(text)) return false
  const sum = Array.from(text.slice(0, 6), Number).reduce((all, digit, index) => {
    const product = digit * (1 + (index % 2))
    return all + (product > 9 ? product - 9 : product)
  }, 0)
  return text.endsWith(String((10 - (sum % 10)) % 10)) || IBGE_EXCEPTIONS.includes(text)
}

/** Whether shape and check digit are valid. */
export const isAccessKey = (key: string): boolean => ACCESS_KEY.test(key) && key.endsWith(checkDigit(key.slice(0, 49)))

/** The rule of the CNPJ: values are ASCII codes minus 48, weights 2 to 9 from the right. */
export function checkDigit(text: string): string {
  let sum = 0
  for (const [index, character] of text.split('').toReversed().entries())
    sum += (character.charCodeAt(0) - 48) * (2 + (index % 8))
  const rest = sum % 11
  return String(rest < 2 ? 0 : 11 - rest)
}

export const CANCELLATION = '101101'

export const eventRequestId = (accessKey: string, type: string): string => `PRE${accessKey}${type}`
