// A price index: its name, and a rate in percent for each month.
import { Type, type Static } from 'typebox'
import type { Fields } from '#kernel/values/validation/problems.ts'
import { Closed, Id, Month, Paging, Timestamp } from '#kernel/values/schema.ts'

export const PriceIndex = Type.String({
  pattern: '^[A-Z][A-Z0-9-]{1,19}$',
  maxLength: 20,
  description: 'Name of a price index',
  examples: ['IPCA'],
})

const Rate = Type.String({
  pattern: '^-?\\d{1,2}(\\.\\d{1,4})?$',
  maxLength: 8,
  description: 'In percent, as published; four digits after the point at most',
  examples: ['0.56'],
})

export const PriceIndexRate = Type.Object(
  { id: Id, price_index: PriceIndex, month: Month, rate: Rate, created_at: Timestamp, updated_at: Timestamp },
  { description: 'By how much a price index has changed in a month' },
)
export type PriceIndexRate = Static<typeof PriceIndexRate>

export const RateFilters = Closed({ ...Paging, price_index: Type.Optional(PriceIndex) })
export type RateFilters = Static<typeof RateFilters>

export const RateChange = Closed({ rate: Rate })

export const MonthRate = Closed({ month: Month, rate: Rate })
export type MonthRate = Static<typeof MonthRate>

export const ManyRates = Closed({ rates: Type.Array(MonthRate, { minItems: 1, maxItems: 1200 }) })
export type ManyRates = Static<typeof ManyRates>

const months = (description: string) => Type.Array(Month, { description })

export const RatesSet = Type.Object(
  {
    price_index: PriceIndex,
    created: months('Months that had no rate'),
    updated: months('Months that had another rate'),
    unchanged: months('Months that had this rate already'),
  },
  { description: 'What became of the rates that were given' },
)
export type RatesSet = Static<typeof RatesSet>

export const ByIndex = Closed({ price_index: PriceIndex })
export const ByMonth = Closed({ price_index: PriceIndex, month: Month })

export function rateRules({ rates = [] }: Partial<ManyRates>): Fields {
  const problems: Fields = {}
  const given = new Set<string>()
  for (const [index, { month }] of rates.entries()) {
    if (given.has(month)) problems[`rates.${index}.month`] = 'is given twice'
    given.add(month)
  }
  return problems
}
