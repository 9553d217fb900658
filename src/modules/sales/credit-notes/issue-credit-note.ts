// Issues a credit note: allocates its number and raises the invoice's credited amount, in the caller's transaction.
import { type InvoiceRow, invoicesTable } from '#modules/sales/invoices/invoice.ts'
import { added } from '#modules/sales/invoices/sums.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { insert, update } from '#kernel/data/changes.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { formatMoney } from '#kernel/values/money.ts'
import type { Integration } from '#kernel/values/integration.ts'
import { nextNumber } from '#modules/documents/documents-of-record/number-series.ts'
import type { Company } from '#kernel/values/schema.ts'
import { zoneOf } from '#ports/ports.ts'
import type { Credit } from '#modules/sales/invoices/withheld-of-credit.ts'
import { creditedTaxes } from './credited-taxes.ts'
import { creditNotes } from './queries.ts'
import { type CreditLine, type CreditNoteRow, creditNotesTable } from './credit-note.ts'

/** The first series of each legal entity; after a restore `BRC2`, `GLC2` and so on follow. */
const SERIES: Record<Company, string> = { entity_br: 'BRC', entity_global: 'GLC' }
const NUMBER_DIGITS = 6

type NewCredit = Credit & { reason: string | null; lines?: CreditLine[]; refundId?: number; given?: Integration }

/** At most what is left of the invoice, and `withheld` of its taxes, which database constraints also check. */
export async function issueCreditNote(
  ctx: OrganizationContext,
  invoice: InvoiceRow,
  { amount, withheld, reason, lines = [], refundId, given = {} }: NewCredit,
): Promise<CreditNoteRow> {
  const { company, currency } = invoice
  const before = invoice.withheld.length > 0 ? await creditNotes.withheldOf(ctx, invoice.id) : []
  const taken = creditedTaxes(invoice, before, { amount, withheld })
  await update(
    ctx,
    invoicesTable,
    invoice.id,
    {
      amount_credited: added(invoice.amount_credited, amount, currency),
      withheld_credited: added(invoice.withheld_credited, withheld, currency),
    },
    invoicesTable.events.credited,
  )
  const { series, last } = await one(ctx, nextNumber('credit_note', company, SERIES[company]))
  return insert(ctx, creditNotesTable, {
    ...given,
    number: `${series}-${String(last).padStart(NUMBER_DIGITS, '0')}`,
    company,
    series,
    invoice_id: invoice.id,
    refund_id: refundId ?? null,
    reason,
    currency,
    total: formatMoney(amount, currency),
    withheld: taken,
    withheld_total: formatMoney(withheld, currency),
    line_items: lines,
    issue_date: dayIn(ctx.now, zoneOf(ctx, company)),
  })
}
