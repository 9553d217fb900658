// CNPJ, the number of a Brazilian company: fourteen positions, letters allowed in the first twelve since July 2026.

/** The stored form (14 upper-case characters, no mask) of a number with valid check digits; null for other text. */
export function normalizeCnpj(input: string): string | null {
  const cnpj = unmaskCnpj(input)
  return cnpj !== null && hasRightCheckDigits(cnpj) ? cnpj : null
}

/** The stored form of text in the shape of a CNPJ, without checking its check digits; null for other text. */
export function unmaskCnpj(input: string): string | null {
  // Only the mask's own characters are removed: without others, a typing mistake could become another company's number.
  const bare = input.trim().replace(/[ \t./-]/g, '')
  // Tested before upper-casing, which would fold letters such as "ı" into ASCII ones.
  return /^[0-9A-Za-z]{12}[0-9]{2}$/.test(bare) ? bare.toUpperCase() : null
}

/** `12ABC34501DE35` → `12.ABC.345/01DE-35`. */
export const formatCnpj = (cnpj: string): string => cnpj.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5')

/** Fourteen times the same digit has valid check digits too, but such numbers are not issued. */
const hasRightCheckDigits = (cnpj: string): boolean =>
  !/^([0-9])\1{13}$/.test(cnpj) && [12, 13].every((at) => checkDigit(cnpj.slice(0, at)) === Number(cnpj[at]))

const WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]

/** Modulo 11; a character counts as its code less that of 0, so that A is 17. */
function checkDigit(base: string): number {
  const weights = WEIGHTS.slice(-base.length)
  const sum = weights.reduce((total, weight, at) => total + weight * (base.charCodeAt(at) - 48), 0)
  return sum % 11 < 2 ? 0 : 11 - (sum % 11)
}
