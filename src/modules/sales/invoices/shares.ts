// An amount shared out so that the shares add up to it.
import { sum } from '#kernel/values/money.ts'

/** Shares the total in proportion to the weights; the largest share takes the difference of the rounding. */
export function shared(total: bigint, weights: readonly bigint[]): bigint[] {
  const all = sum(weights)
  const amounts = weights.map((weight) => (all === 0n ? 0n : (total * weight) / all))
  const largest = weights.reduce((best, weight, index) => (weight > (weights[best] ?? 0n) ? index : best), 0)
  return amounts.map((amount, index) => (index === largest ? amount + total - sum(amounts) : amount))
}
