// What credit notes take back of the taxes that the customer keeps back of an invoice, by tax.
import { sharedWithin } from '#modules/sales/invoices/shares.ts'
import { type Credit, divided, least, within } from '#modules/sales/invoices/withheld-of-credit.ts'
import type { CreditedWithheldTax, InvoiceWithheldTax } from '#modules/sales/tax-withholding/withheld-tax.ts'
import { formatMoney, parseMoney, sum } from '#kernel/values/money.ts'
import { sql, type Statement } from '#kernel/values/sql.ts'

/** Those of all credit notes of an invoice, as one value of JSON. */
export const taxCreditsOf = (org: number, invoiceId: Statement): Statement => sql`
  (select coalesce(json_agg(w.one), '[]')
     from credit_notes n cross join lateral jsonb_array_elements(n.withheld) as w (one)
    where n.organization_id = ${org} and n.invoice_id = ${invoiceId})`

type Withholding = { withheld: readonly InvoiceWithheldTax[]; currency: string }
type Key = Pick<CreditedWithheldTax, 'tax' | 'percent'>
const isSame = (one: Key, other: Key): boolean => one.tax === other.tax && one.percent === other.percent

/** What credit notes have left of each tax. */
export function taxesLeft({ withheld, currency }: Withholding, credits: readonly CreditedWithheldTax[]) {
  const minor = (amount: string) => parseMoney(amount, currency)
  return withheld.map((tax) => {
    const taken = credits.filter((one) => isSame(one, tax))
    const left = (field: 'base' | 'amount') => minor(tax[field]) - sum(taken.map((one) => minor(one[field])))
    return { tax, base: left('base'), amount: left('amount') }
  })
}

/** An invoice before the credit note. */
type CreditedInvoice = Withholding & { total: string; amount_credited: string }

/**
 * Shares what a credit note takes back over the taxes, in proportion to what is left of each. The bases are in
 * proportion to the total: they come from no amount, since those are rounded to the cent. A tax of which a note takes
 * back 0.00 is named too, so that the bases of all credit notes add up to the invoice's.
 */
export function creditedTaxes(
  invoice: CreditedInvoice,
  credits: readonly CreditedWithheldTax[],
  { amount: credited, withheld }: Credit,
): CreditedWithheldTax[] {
  const left = taxesLeft(invoice, credits)
  const amounts = sharedWithin(
    withheld,
    left.map(({ amount }) => amount),
  )
  return left.flatMap(({ tax, base: rest }, index) => {
    const base = creditedBase(invoice, { of: tax.base, left: rest, credited })
    const amount = amounts[index] ?? 0n
    if (base === 0n && amount === 0n) return []
    return {
      tax: tax.tax,
      percent: tax.percent,
      base: formatMoney(base, invoice.currency),
      amount: formatMoney(amount, invoice.currency),
    }
  })
}

type Base = { of: string; left: bigint; credited: bigint }

/** Rounded with all that was credited before, so that the last credit note takes what is left. */
function creditedBase({ total, amount_credited, currency }: CreditedInvoice, { of, left, credited }: Base): bigint {
  const minor = (amount: string) => parseMoney(amount, currency)
  const keptAfter = minor(total) - minor(amount_credited) - credited
  return within(left - divided(minor(of) * keptAfter, minor(total)), { from: 0n, to: least(credited, left) })
}
