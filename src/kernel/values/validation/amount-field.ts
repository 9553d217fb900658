// Reads an amount that a client sent, in minor units.
import { invalid } from '#kernel/values/errors.ts'
import { InvalidMoney, parseMoney } from '#kernel/values/money.ts'

/** 422 that names the field when the text is no amount in the currency. */
export function amountField(field: string, text: string, currency: string): bigint {
  try {
    return parseMoney(text, currency)
  } catch (error) {
    if (error instanceof InvalidMoney) throw invalid({ [field]: error.message })
    throw error
  }
}
