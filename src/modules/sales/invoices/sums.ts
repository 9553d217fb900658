// The amounts of an invoice that can still be refunded and credited, in minor units.
import { formatMoney, parseMoney } from '#kernel/values/money.ts'
import type { InvoiceRow } from './invoice.ts'

type Sums = Pick<InvoiceRow, 'currency' | 'total' | 'amount_paid' | 'refund_reserved' | 'amount_credited'>

/** The paid amount less all refunds, including those in progress. */
export const refundable = ({ amount_paid, refund_reserved, currency }: Sums): bigint =>
  parseMoney(amount_paid, currency) - parseMoney(refund_reserved, currency)

/** The total less all credit notes. */
export const creditable = ({
  total,
  amount_credited,
  currency,
}: Pick<Sums, 'total' | 'amount_credited' | 'currency'>): bigint =>
  parseMoney(total, currency) - parseMoney(amount_credited, currency)

export const added = (amount: string, more: bigint, currency: string): string =>
  formatMoney(parseMoney(amount, currency) + more, currency)
