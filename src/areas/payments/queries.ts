// What the jobs of payments read from invoices, refunds and jobs.
import type { InvoiceRow } from '#areas/invoices/invoice.ts'
import { sql } from '#kernel/data/sql.ts'
import type { ProviderReference } from '#ports/payments.ts'
import { type KnownCustomer, knownCustomer } from './payment-customer.ts'

export type BilledInvoice = InvoiceRow &
  KnownCustomer & {
    organization_name: string
    organization_email: string | null
    organization_cnpj: string | null
  }

export const billedInvoice = (org: number, id: number) => sql<BilledInvoice>`
  select i.id, i.number, i.status, i.total, i.amount_due, i.amount_paid, i.amount_refunded, i.currency, i.company, i.line_items, i.created_at, i.payment_invoice_id,
         i.order_id, i.issue_date, i.due_date, i.due_date_changed_at, o.cnpj as organization_cnpj,
         coalesce(o.legal_name, o.name) as organization_name, o.email as organization_email,
         ${knownCustomer(sql`i.company`)}
    from invoices i join (select * from organizations where organization_id = ${org} and id = ${org}) o on true
   where i.organization_id = ${org} and i.id = ${id}`

/** Of a payment of more than was due; `balance` is that after it. */
export const surplusFacts = (org: number, id: number) => sql<{
  invoice_id: number | null
  number: string | null
  total: string
  currency: string
  surplus: string
  balance: string
}>`
  select p.invoice_id, i.number, p.amount as total, p.currency, p.surplus, c.balance
    from payments p join credit_balance_entries c on c.organization_id = ${org} and c.payment_id = p.id and c.kind = 'overpaid'
    left join invoices i on i.organization_id = ${org} and i.id = p.invoice_id
   where p.organization_id = ${org} and p.id = ${id} and p.surplus > 0`

/** A job of one of the kinds about the reference, waiting or a dead letter. */
export const jobAbout = (kinds: readonly string[], { company, provider, reference }: ProviderReference) => sql<{
  id: number
}>`
  select id from jobs
   where kind = any(${kinds}::text[]) and payload ->> 'reference' = ${reference} and payload ->> 'company' = ${company}
     and payload ->> 'provider' = ${provider} limit 1`
