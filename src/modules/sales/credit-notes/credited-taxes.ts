// What credit notes take back of the taxes that the customer keeps back of an invoice, by tax.
import { sharedWithin } from '#modules/sales/invoices/shares.ts'
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

/** Shares what a credit note takes back over the taxes, in proportion to what is left of each. */
export function creditedTaxes(
  invoice: Withholding,
  credits: readonly CreditedWithheldTax[],
  taken: bigint,
): CreditedWithheldTax[] {
  const left = taxesLeft(invoice, credits)
  const amounts = left.map(({ amount }) => amount)
  return sharedWithin(taken, amounts).flatMap((share, index) => {
    const { tax, base = 0n, amount = 0n } = left[index] ?? {}
    if (!tax || share === 0n) return []
    return {
      tax: tax.tax,
      percent: tax.percent,
      base: formatMoney((base * share) / amount, invoice.currency),
      amount: formatMoney(share, invoice.currency),
    }
  })
}
