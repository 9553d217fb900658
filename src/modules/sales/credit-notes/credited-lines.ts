// What credit notes that name a line of their invoice leave of it.
import type { LineItem } from '#modules/delivery/products/line-item.ts'
import { sql, type Statement } from '#kernel/values/sql.ts'
import { parseMoney } from '#kernel/values/money.ts'
import { shared } from '#modules/sales/invoices/shares.ts'

/** An amount that is credited of a line, whose number counts from 1. */
export type LineCredit = { line: number; total: string }

/** All of an invoice, as one value of JSON. */
export const lineCreditsOf = (org: number, invoiceId: Statement): Statement => sql`
  (select coalesce(json_agg(json_build_object('line', l.one -> 'invoice_line', 'total', l.one ->> 'total')), '[]')
     from credit_notes n cross join lateral jsonb_array_elements(n.line_items) as l (one)
    where n.organization_id = ${org} and n.invoice_id = ${invoiceId} and l.one ->> 'invoice_line' is not null)`

type BilledLines = { line_items: readonly LineItem[]; total: string; currency: string }

/** By line. Lines that do not add up to the total of the invoice share it in proportion. */
export function restOfLines({ line_items, total, currency }: BilledLines, credits: readonly LineCredit[]): bigint[] {
  const minor = (amount: string) => parseMoney(amount, currency)
  const shares = shared(
    minor(total),
    line_items.map((line) => minor(line.total)),
  )
  return shares.map((share, index) => {
    const rest = credits.reduce((left, one) => (one.line === index + 1 ? left - minor(one.total) : left), share)
    return rest > 0n ? rest : 0n
  })
}
