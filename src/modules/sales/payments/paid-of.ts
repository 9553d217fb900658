// What was paid of an invoice, and when.
import { sql } from '#kernel/values/sql.ts'

export type PaidAmount = { amount: string; on: string }

/** The latest first, without what was more than was due. */
export const paidOf = (org: number, invoiceId: number) => sql<PaidAmount>`
  select amount - surplus as amount, payment_date as on from payments
   where organization_id = ${org} and invoice_id = ${invoiceId} and moved_at is null
   order by payment_date desc, id desc`
