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
    days_until_due: number
  }

export const billedInvoice = (org: number, id: number) => sql<BilledInvoice>`
  select i.id, i.number, i.status, i.total, i.amount_due, i.amount_paid, i.amount_refunded, i.currency, i.company, i.line_items, i.created_at, i.payment_invoice_id,
         i.order_id, i.due_date - i.issue_date as days_until_due, o.cnpj as organization_cnpj,
         coalesce(o.legal_name, o.name) as organization_name, o.email as organization_email,
         ${knownCustomer(sql`i.company`)}
    from invoices i join organizations o on o.organization_id = ${org} and o.id = i.organization_id
   where i.organization_id = ${org} and i.id = ${id}`

/** A job of one of the kinds about the reference, waiting or a dead letter. */
export const jobAbout = (kinds: readonly string[], { company, provider, reference }: ProviderReference) => sql<{
  id: number
}>`
  select id from jobs
   where kind = any(${kinds}::text[]) and payload ->> 'reference' = ${reference} and payload ->> 'company' = ${company}
     and payload ->> 'provider' = ${provider} limit 1`
