// What the PDF and the page of a quote say below the name of a line, in the same words and the same order.
import { textsIn } from '../catalogue.ts'
import type { Language } from '../language.ts'
import { type AdjustedPrice, adjustedText } from './adjusted.ts'
import { featuresText, type GivenFeature } from './features.ts'

export type OfferedTerms = {
  term_months: number | null
  interval?: 'month' | 'year'
  description: string | null
  features?: GivenFeature[]
  adjustment?: AdjustedPrice
  quantity_min: number | null
  quantity_max: number | null
}

/** `isOpen`: the customer may still choose. */
export function offeredTerms(
  language: Language,
  line: OfferedTerms,
  { currency, isOpen }: { currency: string; isOpen: boolean },
): string[] {
  const { quote: words } = textsIn(language).documents
  const { term_months: months, interval, quantity_min: min, quantity_max: max, adjustment } = line
  return [
    months === null ? null : words.termMonths(months),
    interval === undefined ? null : words.intervals[interval],
    line.description,
    featuresText(language, line.features),
    adjustment ? adjustedText(language, adjustment, currency) : null,
    isOpen && min !== null && max !== null ? words.quantityBetween(min, max) : null,
  ].filter((one): one is string => one !== null && one !== '')
}
