// What the late charges of an invoice are computed from.
import type { Invoice } from '#modules/sales/invoices/invoice.ts'
import { type PaidAmount, paidOf } from '#modules/sales/payments/paid-of.ts'
import { sql, type Statement } from '#kernel/values/sql.ts'
import type { Terms } from './schedule.ts'

type OfInvoice = Pick<
  Invoice,
  'id' | 'company' | 'currency' | 'status' | 'due_date' | 'payment_date' | 'late_charges_of'
>
export type ChargeFacts = OfInvoice &
  Pick<Terms, 'schedule'> & {
    /** The net total less credit notes. */
    owed: string
    paid: PaidAmount[]
    /** By invoices of their own; of one that is void, as it becomes once all of it is credited, what was credited. */
    billed: string
  }

/** Of the invoice `i` and the schedule `s` of its legal entity. */
export const chargeColumns = (org: number): Statement => sql`
  i.id, i.company, i.currency, i.status, i.due_date, i.payment_date, i.late_charges_of, s.schedule,
  i.net_total - (i.amount_credited - i.withheld_credited) as owed,
  ${paidOf(org)} as paid,
  (select coalesce(sum(case l.status when 'void' then l.amount_credited else l.total end), 0) from invoices l
    where l.organization_id = ${org} and l.late_charges_of = i.id) as billed`

export const chargeFacts = (org: number, id: number) => sql<ChargeFacts>`
  select ${chargeColumns(org)} from invoices i join dunning_schedules s on s.company = i.company
   where i.organization_id = ${org} and i.id = ${id}`
