// The document of an invoice, which says so while it is overdue, with the fine and the interest until today.
import type { Archivable } from '#modules/documents/documents-of-record/archive-document.ts'
import { invoiceDocument } from '#modules/sales/invoices/archive.ts'
import { type InvoiceFacts, invoiceFacts } from '#modules/sales/invoices/document.ts'
import { both } from '#http/route.ts'
import { addDays } from '#kernel/values/time/calendar.ts'
import { parseMoney } from '#kernel/values/money.ts'
import { type LateCharges, lateChargesOf } from './late-charges-of.ts'

/** Archived invoices are paid or void, so this changes nothing in them. */
export const overdueDocument: Archivable<InvoiceFacts> = {
  ...invoiceDocument,
  facts: (org, id) => both(invoiceFacts(org, id), lateChargesOf(org, id), withOverdue),
}

function withOverdue(facts: InvoiceFacts, { as_of: asOf, days_overdue, due, currency }: LateCharges): InvoiceFacts {
  const { status, amount_due, due_date } = facts.invoice
  if (status !== 'open' || days_overdue === 0 || parseMoney(amount_due, currency) === 0n) return facts
  const lateCharges = parseMoney(due, currency) === 0n ? null : due
  return { ...facts, overdue: { since: addDays(due_date, 1), asOf, lateCharges } }
}
