// Stripe's minor units, which are ISO's but for a few currencies (docs.stripe.com/currencies); computed without floats.
import { stepOf } from '#ports/payable-amounts.ts'
import { formatMoney, InvalidMoney, minorDigits, parseMoney } from '#kernel/values/money.ts'

/** The currencies that differ from ISO at Stripe: with two digits that are always 00, or without digits. */
const STRIPE_DIGITS: ReadonlyMap<string, number> = new Map([
  ['ISK', 2],
  ['UGX', 2],
  ['MGA', 0],
])

const digitsOf = (currency: string): number => STRIPE_DIGITS.get(currency) ?? minorDigits(currency)

/** `"150.50"` in BRL is 15050, `"500"` in ISK is 50000. Throws InvalidMoney for an amount that Stripe cannot take. */
export function toStripe(amount: string, currency: string): number {
  const minor = parseMoney(amount, currency)
  const shift = digitsOf(currency) - minorDigits(currency)
  const scaled = shift >= 0 ? minor * 10n ** BigInt(shift) : minor / 10n ** BigInt(-shift)
  if (shift < 0 && scaled * 10n ** BigInt(-shift) !== minor)
    throw new InvalidMoney(`Stripe takes whole amounts only in ${currency}`)
  if (minor % stepOf('stripe', currency) !== 0n)
    throw new InvalidMoney(`Stripe takes at most 2 digits after the point in ${currency}, followed by 0`)
  // Amounts have up to 15 digits and at most two zeros are added; Stripe's own limits are lower than 2^53.
  if (scaled > BigInt(Number.MAX_SAFE_INTEGER)) throw new InvalidMoney('The amount is too large')
  return Number(scaled)
}

/** The amount of Stripe's minor units; throws InvalidMoney where the currency has no such amount. */
export function fromStripe(minor: number, currency: string): string {
  const given = BigInt(minor)
  const shift = digitsOf(currency) - minorDigits(currency)
  if (shift <= 0) return formatMoney(given * 10n ** BigInt(-shift), currency)
  if (given % 10n ** BigInt(shift) !== 0n) throw new InvalidMoney(`Not a whole amount of ${currency}`)
  return formatMoney(given / 10n ** BigInt(shift), currency)
}
