// Rates and what they accumulate to: bigint all the way, rounded once at the end.

const DIGITS = 4
/** 100 percent in ten-thousandths of a percent. */
const WHOLE = 1_000_000n
/** Hundredths of a percent in the whole. */
const HUNDREDTHS = 10_000n

/** `"0.53"` is 5300n ten-thousandths of a percent. */
export function parseRate(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const rate = BigInt(whole + fraction.padEnd(DIGITS, '0'))
  return text.startsWith('-') ? -rate : rate
}

/** Two digits after the point, or as many more as it has. */
export function formatRate(rate: bigint): string {
  const text = String(rate < 0n ? -rate : rate).padStart(DIGITS + 1, '0')
  const fraction = text.slice(-DIGITS).replace(/0{1,2}$/, '')
  return `${rate < 0n ? '-' : ''}${text.slice(0, -DIGITS)}.${fraction}`
}

/**
 * The product of what each month has changed, in hundredths of a percent, as it is published: 0.5 % and 0.5 % are 100n.
 */
export function accumulated(rates: readonly string[]): bigint {
  let product = 1n
  for (const rate of rates) product *= WHOLE + parseRate(rate)
  const unit = WHOLE ** BigInt(rates.length)
  const doubled = 2n * (product - unit) * HUNDREDTHS
  return (doubled + (doubled < 0n ? -unit : unit)) / (2n * unit)
}
