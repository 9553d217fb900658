// The day of the sale that an invoice bills, by the calendar of its legal entity. No payment of it is earlier, and no
// tax invoice.
import type { Settings } from '#kernel/data/context.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { zoneOf } from '#ports/ports.ts'
import type { InvoiceRow } from './invoice.ts'

/** Its own date, which one that was issued elsewhere keeps; the day of its finalization where it is dated ahead. */
export function soldOn(
  { settings }: { settings: Settings },
  { company, issue_date, finalized_at }: Pick<InvoiceRow, 'company' | 'issue_date' | 'finalized_at'>,
): string {
  const finalizedOn = finalized_at === null ? issue_date : dayIn(new Date(finalized_at), zoneOf({ settings }, company))
  return finalizedOn < issue_date ? finalizedOn : issue_date
}
