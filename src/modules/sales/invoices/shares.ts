// An amount shared out so that the shares add up to it.
import { sum } from '#kernel/values/money.ts'

/** Shares the total in proportion to the weights; the largest share takes the difference of the rounding. */
export function shared(total: bigint, weights: readonly bigint[]): bigint[] {
  const all = sum(weights)
  const amounts = weights.map((weight) => (all === 0n ? 0n : (total * weight) / all))
  const largest = weights.reduce((best, weight, index) => (weight > (weights[best] ?? 0n) ? index : best), 0)
  return amounts.map((amount, index) => (index === largest ? amount + total - sum(amounts) : amount))
}

/**
 * Shares the total in proportion to what is left of each, and no share is more than that; a total of more is cut. The
 * first that have something left take the difference of the rounding.
 */
export function sharedWithin(total: bigint, left: readonly bigint[]): bigint[] {
  const all = sum(left)
  const shares = left.map((one) => (total >= all ? one : (total * one) / all))
  let rest = (total < all ? total : all) - sum(shares)
  return shares.map((share, index) => {
    if (rest === 0n || share >= (left[index] ?? 0n)) return share
    rest -= 1n
    return share + 1n
  })
}
