// Rates of price indexes as they were published, and their months.
import { expect } from 'vitest'
import { monthsFrom } from '#kernel/values/time/calendar.ts'
import type { Organization } from '#test/harness/world.ts'

/** IBGE: 4.62 % in the year. */
export const IPCA_2023 = '0.53 0.84 0.71 0.61 0.23 -0.08 0.12 0.23 0.26 0.24 0.28 0.56'.split(' ')
/** FGV: -3.18 % in the year. */
export const IGPM_2023 = '0.21 -0.06 0.05 -0.95 -1.84 -1.93 -0.72 -0.14 0.37 0.50 0.59 0.74'.split(' ')

export const ratesFrom = (first: string, rates: readonly string[]) => {
  const months = monthsFrom(first, '2199-12')
  return rates.map((rate, nth) => ({ month: months[nth] ?? '', rate }))
}

export async function publish(at: Organization, index: string, first: string, rates: readonly string[]): Promise<void> {
  const answer = await at.staff.patch(`/admin/price-indexes/${index}/rates`, { rates: ratesFrom(first, rates) })
  expect(answer.status, answer.raw.body).toBe(200)
}
