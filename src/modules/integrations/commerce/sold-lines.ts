// What the lines of a shop's order cost here: lines below zero are discounts of the others, and together they make
// exactly the order's total, which is what the customer paid.
import { PermanentFailure } from '#kernel/jobs/jobs.ts'
import { formatMoney } from '#kernel/values/money.ts'
import type { PlatformLine, PlatformOrder } from '#ports/commerce.ts'

/** In minor units. `subtotal` and `net` are before tax; `net` is less the discount. */
export type SoldLine = Pick<PlatformLine, 'name' | 'sku' | 'quantity'> & { subtotal: bigint; net: bigint; tax: bigint }
type Part = 'net' | 'tax'

/** Sums that are another total become a dead letter. */
export function soldLines({ lines, total, currency, number }: PlatformOrder): SoldLine[] {
  const given = lines.map(({ name, sku, quantity, ...amounts }) => {
    const [subtotal, net, tax] = [amounts.subtotal, amounts.total, amounts.tax].map(minorOf)
    return { name, sku, quantity, subtotal: atLeastZero(subtotal ?? 0n), net: net ?? 0n, tax: tax ?? 0n }
  })
  const sold = given.filter(({ net, tax }) => !(net <= 0n && tax <= 0n) || (net === 0n && tax === 0n))
  takeOffDiscounts(given, sold)
  const made = formatMoney(totalOf(sold), currency)
  const difference = minorOf(total) - totalOf(sold)
  const [largest] = sold.toSorted((one, other) => (other.net > one.net ? 1 : other.net < one.net ? -1 : 0))
  if (difference !== 0n && (!largest || !isOfRounding(difference, sold.length) || largest.net + difference < 0n))
    throw new PermanentFailure(
      `the lines of order ${number} of the shop make ${made} ${currency}, but its field total is ${total}`,
    )
  if (largest) largest.net += difference
  return sold
}

const minorOf = (amount: string): bigint => BigInt(amount.replace('.', ''))
const atLeastZero = (amount: bigint): bigint => (amount > 0n ? amount : 0n)
const totalOf = (lines: readonly SoldLine[]): bigint => lines.reduce((sum, { net, tax }) => sum + net + tax, 0n)

/** A price and its tax are rounded in each line, by half a minor unit at most. */
const isOfRounding = (difference: bigint, lines: number): boolean =>
  (difference < 0n ? -difference : difference) <= BigInt(lines)

function takeOffDiscounts(given: readonly SoldLine[], sold: readonly SoldLine[]): void {
  const [net, tax] = (['net', 'tax'] satisfies Part[]).map((part) =>
    given.reduce((sum, line) => sum + atLeastZero(-line[part]), 0n),
  )
  for (const line of sold) Object.assign(line, { net: atLeastZero(line.net), tax: atLeastZero(line.tax) })
  // What is more than there is of the one is taken from the other.
  const [restOfNet, restOfTax] = [takeOff(sold, 'net', net ?? 0n), takeOff(sold, 'tax', tax ?? 0n)]
  takeOff(sold, 'tax', restOfNet)
  takeOff(sold, 'net', restOfTax)
}

/** Takes the amount off the lines in proportion to what they have, to the minor unit; gives what was left over. */
function takeOff(lines: readonly SoldLine[], part: Part, amount: bigint): bigint {
  const all = lines.reduce((sum, line) => sum + line[part], 0n)
  const taken = amount < all ? amount : all
  if (taken === 0n) return amount
  let [seen, done] = [0n, 0n]
  for (const line of lines) {
    seen += line[part]
    const until = (taken * seen) / all
    line[part] -= until - done
    done = until
  }
  return amount - taken
}
