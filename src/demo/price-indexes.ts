// The demo's price indexes: what IBGE (IPCA) and FGV (IGP-M) have published for November 2022 to December 2023.
import { setRates } from '#modules/delivery/price-indexes/set-rates.ts'
import type { SystemContext } from '#kernel/data/context.ts'
import { monthsFrom } from '#kernel/values/time/calendar.ts'

const MONTHS = monthsFrom('2022-11', '2023-12')
const RATES = {
  IPCA: '0.41 0.62 0.53 0.84 0.71 0.61 0.23 -0.08 0.12 0.23 0.26 0.24 0.28 0.56',
  'IGP-M': '-0.56 0.45 0.21 -0.06 0.05 -0.95 -1.84 -1.93 -0.72 -0.14 0.37 0.50 0.59 0.74',
}

export async function demoPriceIndexes(ctx: SystemContext): Promise<void> {
  for (const [name, text] of Object.entries(RATES)) {
    const rates = text.split(' ').map((rate, nth) => ({ month: MONTHS[nth] ?? '', rate }))
    await setRates(ctx, name, rates)
  }
}
