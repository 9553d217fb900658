// CNPJs that no test has used yet.
let next = 0

/** 14 characters with valid check digits; with letters among the first twelve on request. */
export function freshCnpj(letters = false): string {
  const base = `${letters ? 'AB1' : '123'}${String(++next).padStart(5, '0')}0001`
  const first = checkDigit(base)
  return `${base}${first}${checkDigit(`${base}${first}`)}`
}

export const masked = (cnpj: string): string => cnpj.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5')

function checkDigit(text: string): number {
  let sum = 0
  for (let at = 0; at < text.length; at++) sum += (text.charCodeAt(text.length - 1 - at) - 48) * (2 + (at % 8))
  return sum % 11 < 2 ? 0 : 11 - (sum % 11)
}
