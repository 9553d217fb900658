// Money: decimal strings on the wire and in SQL, bigint minor units in between, never a floating number.

// The minor digits of ISO 4217, as exceptions from 2. Intl is not used: ICU gives the digits of everyday use (0 for
// AFN, ALL, COP, HUF, IDR, IQD, IRR, KPW, LAK, LBP, MGA, MMK, PKR, SLL, SOS, SYP and YER, which have 2 or 3 in ISO),
// payment providers and tax systems follow ISO, and a new version of Node could change the meaning of stored amounts.
const MINOR_DIGITS: ReadonlyMap<string, number> = new Map([
  ...['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF'].map((code) => [code, 0] as const),
  ...['UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'].map((code) => [code, 0] as const),
  ...['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map((code) => [code, 3] as const),
])

// XDR and XSU are units of account that have no minor digits in ISO; nobody is invoiced in them.
const CURRENCIES: ReadonlySet<string> = new Set(
  Intl.supportedValuesOf('currency').filter((code) => /^[A-Z]{3}$/.test(code) && code !== 'XDR' && code !== 'XSU'),
)

/**
 * The largest amount in minor units. 15 digits fit numeric(18, 3) with any number of minor digits (JPY has all 15
 * before the point, KWD 12 and 3), and a payment provider's JSON number holds them exactly (2^53 has 16).
 */
export const MAX_MINOR = 999_999_999_999_999n

/** The message says why a text is no amount and never repeats the text. */
export class InvalidMoney extends Error {}

/** The code of a currency in use: three capitals. */
export const isCurrency = (code: string): boolean => CURRENCIES.has(code)

/** The number of digits after the point: 2 for BRL, 0 for JPY, 3 for KWD. */
export function minorDigits(currency: string): number {
  if (!isCurrency(currency)) throw new InvalidMoney('Not a currency')
  return MINOR_DIGITS.get(currency) ?? 2
}

/** `"150"`, `"150.5"` and `"150.50"` are 15000n, 15050n and 15050n in BRL. No sign, no exponent, no spaces. */
export function parseMoney(text: string, currency: string): bigint {
  const digits = minorDigits(currency)
  // The length is checked first, so that a megabyte of digits never becomes a bigint.
  const match = text.length <= 40 ? /^(\d+)(?:\.(\d+))?$/.exec(text) : null
  if (!match) throw new InvalidMoney('Not an amount: digits, and a point before the minor digits')
  const [, whole = '', fraction = ''] = match
  if (fraction.length > digits) throw new InvalidMoney(`At most ${digits} digits after the point in ${currency}`)
  return inRange(BigInt(whole + fraction.padEnd(digits, '0')))
}

/** Always with all digits of the currency: 15050n is `"150.50"` in BRL and `"15050"` in JPY. */
export function formatMoney(minor: bigint, currency: string): string {
  const digits = minorDigits(currency)
  const sign = minor < 0n ? '-' : ''
  const text = String(minor < 0n ? -minor : minor).padStart(digits + 1, '0')
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** Adds amounts; the caller ensures that they are of one currency. */
export function sum(amounts: Iterable<bigint>): bigint {
  let total = 0n
  for (const amount of amounts) total += amount
  return inRange(total)
}

const HUNDREDTHS = 100n
const WHOLE = 100n * HUNDREDTHS

/** `"12.5"` percent is 1250n hundredths of a percent; from 0 to 100. */
export function parsePercent(text: string): bigint {
  const match = /^(\d{1,3})(?:\.(\d{1,2}))?$/.exec(text)
  const hundredths = match ? BigInt((match[1] ?? '') + (match[2] ?? '').padEnd(2, '0')) : -1n
  if (hundredths < 0n || hundredths > WHOLE) throw new InvalidMoney('Not a percentage: 0 to 100, at most 2 digits')
  return hundredths
}

/** Always with two digits: 1250n is `"12.50"`. */
export function formatPercent(hundredths: bigint): string {
  const size = hundredths < 0n ? -hundredths : hundredths
  return `${hundredths < 0n ? '-' : ''}${size / HUNDREDTHS}.${String(size % HUNDREDTHS).padStart(2, '0')}`
}

/** A percentage of an amount, rounded to the minor unit, half away from zero. */
export function percentOf(amount: bigint, hundredths: bigint): bigint {
  const product = amount * hundredths
  const half = product < 0n ? -WHOLE / 2n : WHOLE / 2n
  return (product + half) / WHOLE
}

function inRange(minor: bigint): bigint {
  if (minor > MAX_MINOR || minor < -MAX_MINOR) throw new InvalidMoney('The amount is too large')
  return minor
}
