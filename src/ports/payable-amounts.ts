// Amounts that the payment provider of a legal entity cannot take are refused where a price is set, so that nobody
// accepts what cannot be paid. Adapters refuse what comes nevertheless.
import { invalid } from '#kernel/values/errors.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import { isCurrency, minorDigits, parseMoney } from '#kernel/values/money.ts'
import type { Company } from '#kernel/values/schema.ts'

/** `none`: staff record payments by hand, of any amount. The sandbox is an imitation of Stripe. */
export type PaymentProvider = 'none' | 'stripe' | 'sandbox'

/** Currencies of which Stripe takes whole amounts only though they have digits (docs.stripe.com/currencies). */
const WHOLE: readonly string[] = ['MGA']

/** In minor units. At Stripe the last of three digits is 0. */
export function stepOf(provider: PaymentProvider, currency: string): bigint {
  if (provider === 'none' || !isCurrency(currency)) return 1n
  if (WHOLE.includes(currency)) return 10n ** BigInt(minorDigits(currency))
  return minorDigits(currency) === 3 ? 10n : 1n
}

export type PayableChoice = { settings: { payments: Readonly<Record<Company, PaymentProvider>> } }

/** 422 names each field whose amount cannot be paid. */
export function assertPayable(
  { settings }: PayableChoice,
  { company, currency }: { company: Company; currency: string },
  amounts: Readonly<Record<string, string>>,
): void {
  const step = stepOf(settings.payments[company], currency)
  const takes = step === 10n ? 'amounts with 0 as the last digit' : 'whole amounts'
  const problems: Fields = {}
  for (const [field, amount] of Object.entries(amounts))
    if (step > 1n && parseMoney(amount, currency) % step !== 0n)
      problems[field] = `comes to ${amount} ${currency}, but the payment provider takes only ${takes}`
  if (Object.keys(problems).length > 0) throw invalid(problems)
}
