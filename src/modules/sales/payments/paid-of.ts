// What was paid of an invoice, and when.
import { sql, type Statement } from '#kernel/values/sql.ts'

export type PaidAmount = { amount: string; on: string }

/**
 * Of the invoice `i`, as JSON: the earliest first, whatever of it was refunded; without what was more than was due, and
 * what was moved away.
 */
export const paidOf = (org: number): Statement => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('amount', (p.amount - p.surplus)::text, 'on', p.payment_date)
                            order by p.payment_date, p.id), '[]')
    from payments p where p.organization_id = ${org} and p.invoice_id = i.id and p.moved_at is null)`
