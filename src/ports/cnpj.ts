// The number of a Brazilian company: fourteen positions, letters allowed in the first twelve since July 2026.

import { formatCnpj as mask } from '@brazilian-utils/brazilian-utils/format-cnpj'
import { isValidCnpj } from '@brazilian-utils/brazilian-utils/is-valid-cnpj'

/** The stored form (14 upper-case characters, no mask) of a number whose check digits are right; null for anything else. */
export function normalizeCnpj(input: string): string | null {
  const cnpj = unmaskCnpj(input)
  return cnpj !== null && hasRightCheckDigits(cnpj) ? cnpj : null
}

/** The stored form of anything shaped like a number, its check digits still unproven; null for anything else. */
export function unmaskCnpj(input: string): string | null {
  // Only the mask's own characters go: dropping others would turn a typing mistake into another company's number.
  const bare = input.trim().replace(/[ \t./-]/g, '')
  // Tested before upper-casing, which would fold letters such as "ı" into ASCII ones.
  return /^[0-9A-Za-z]{12}[0-9]{2}$/.test(bare) ? bare.toUpperCase() : null
}

/** `12ABC34501DE35` → `12.ABC.345/01DE-35`. */
export function formatCnpj(cnpj: string): string {
  return mask(cnpj, { version: 2 })
}

function hasRightCheckDigits(cnpj: string): boolean {
  return !/^([0-9])\1{13}$/.test(cnpj) && isValidCnpj(cnpj, { version: 2 })
}
