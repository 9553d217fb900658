// The numbers that the sandbox tax authority expects and gives, computed without the taxpayer's code, so that each
// tests the other.

/** Modulo 11 over ASCII codes minus 48, as for the CNPJ. */
export function controlDigit(base: string): string {
  const weights = [2, 3, 4, 5, 6, 7, 8, 9]
  let total = 0
  for (let back = 0; back < base.length; back++) {
    const value = base.charCodeAt(base.length - 1 - back) - 48
    total += value * (weights[back % weights.length] ?? 0)
  }
  const digit = 11 - (total % 11)
  return digit >= 10 ? '0' : String(digit)
}

export type Emitter = { municipality: string; taxId: string }

const inscription = (taxId: string): string => (taxId.length === 14 ? '2' : '1') + taxId.padStart(14, '0')

export const declarationIdOf = ({ municipality, taxId }: Emitter, series: string, number: string): string =>
  `DPS${municipality}${inscription(taxId)}${series.padStart(5, '0')}${number.padStart(15, '0')}`

export function accessKeyOf({ municipality, taxId }: Emitter, number: number, month: string, salt: number): string {
  const [serial, random] = [String(number).padStart(13, '0'), String(salt).padStart(9, '0')]
  const base = `${municipality}2${inscription(taxId)}${serial}${month}${random}`
  return base + controlDigit(base)
}

/** The number inside an access key, and its emitter. */
export const numberIn = (key: string): number => Number(key.slice(23, 36))
export const emitterIn = (key: string): string => key.slice(8, 23)
export const emitterOf = ({ taxId }: Emitter): string => inscription(taxId)

/** A percentage of the price, rounded to cents half away from zero. */
export function partOf(amount: string, percent: string): string {
  const cents = BigInt(amount.replace('.', ''))
  const part = (cents * BigInt(percent.replace('.', '')) + 5_000n) / 10_000n
  return centsAsText(part)
}

export const less = (amount: string, part: string): string =>
  centsAsText(BigInt(amount.replace('.', '')) - BigInt(part.replace('.', '')))

export const added = (amounts: readonly string[]): string =>
  centsAsText(amounts.reduce((sum, amount) => sum + BigInt(amount.replace('.', '')), 0n))

const centsAsText = (cents: bigint): string => {
  const text = String(cents).padStart(3, '0')
  return `${text.slice(0, -2)}.${text.slice(-2)}`
}
