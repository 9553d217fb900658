// What credit notes take back of the taxes that the customer keeps back: in proportion to the total, and the rest with
// the last cent of it. Amounts in minor units; `net` is an amount less what is kept back of it.
import { parseMoney } from '#kernel/values/money.ts'
import type { InvoiceRow } from './invoice.ts'

type Sums = Pick<
  InvoiceRow,
  'status' | 'currency' | 'total' | 'withheld_total' | 'withheld_credited' | 'amount_credited' | 'amount_due'
>
export type Credit = { amount: bigint; withheld: bigint }

/** A credit note of the amount, which is at most what is left of the total. */
export function creditOf(invoice: Sums, amount: bigint): Credit {
  const { total, withheld, credited, taken, due } = minorOf(invoice)
  const share = credited + amount === total ? withheld : divided(withheld * (credited + amount), total)
  // What is owed does not become negative where a part is paid already.
  const leftNet = invoice.status === 'paid' ? total - withheld - (credited - taken) : due
  const most = least(amount, withheld - taken)
  return { amount, withheld: within(share - taken, { from: amount - leftNet, to: most }) }
}

/** The credit note that lowers what is owed by the net amount. */
export function creditOfNet(invoice: Sums, net: bigint): Credit {
  const { total, withheld, credited, taken } = minorOf(invoice)
  const whole = total - withheld
  const after = credited - taken + net
  const share = after === whole ? total : divided(total * after, whole)
  const part = within(share - credited - net, { from: 0n, to: withheld - taken })
  return { amount: net + part, withheld: part }
}

/** The credit note of all that is due. */
export const creditOfDue = (invoice: Sums): Credit => creditOfNet(invoice, minorOf(invoice).due)

function minorOf({ currency, ...invoice }: Sums) {
  const minor = (amount: string) => parseMoney(amount, currency)
  return {
    total: minor(invoice.total),
    withheld: minor(invoice.withheld_total),
    credited: minor(invoice.amount_credited),
    taken: minor(invoice.withheld_credited),
    due: minor(invoice.amount_due),
  }
}

/** Rounded half up; nothing of nothing. */
export const divided = (amount: bigint, by: bigint): bigint => (by === 0n ? 0n : (2n * amount + by) / (2n * by))
export const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)
export const within = (amount: bigint, { from, to }: { from: bigint; to: bigint }): bigint => {
  const lowest = from > 0n ? from : 0n
  return amount < lowest ? lowest : least(amount, to)
}
