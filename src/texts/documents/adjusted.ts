// The sentence that says how the price of a line was adjusted by an index.
import { textsIn } from '../catalogue.ts'
import { formatMoney, formatMonth, formatPercent } from '../format.ts'
import type { Language } from '../language.ts'

export type AdjustedPrice = {
  price_index: string
  from_month: string
  until_month: string
  accumulated_percent: string
  applied_percent: string
  unit_price_before: string
}

export function adjustedText(language: Language, adjusted: AdjustedPrice, currency: string): string {
  const { price_index, from_month, until_month, accumulated_percent, applied_percent, unit_price_before } = adjusted
  return textsIn(language).documents.quote.adjusted({
    priceIndex: price_index,
    from: formatMonth(language, from_month),
    until: formatMonth(language, until_month),
    accumulated: formatPercent(language, accumulated_percent),
    applied: applied_percent === accumulated_percent ? null : formatPercent(language, applied_percent),
    before: formatMoney(language, unit_price_before, currency),
  })
}
