// What the jobs of payments read from invoices, refunds and jobs.
import type { InvoiceRow } from '#modules/sales/invoices/invoice.ts'
import type { IoContext } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'
import type { ProviderReference } from '#ports/payments.ts'
import type { CodesRequest } from '#ports/payment-codes.ts'
import type { PaymentMethod } from '#ports/payment-settings.ts'
import { settingIn } from '#ports/settings-in-force.ts'
import { type KnownCustomer, knownCustomer } from './payment-customer.ts'

type BilledOrganization = KnownCustomer & {
  organization_name: string
  organization_email: string | null
  organization_cnpj: string | null
  organization_address: CodesRequest['payer']['address']
}
/** The latest payment that was moved away from it; null: none was. */
type MovedPayments = { moved_payment_id: number | null }
/** What its legal entity offers now. */
type OfferedMethods = { payment_methods: readonly PaymentMethod[] }
export type BilledInvoice = InvoiceRow & MovedPayments & OfferedMethods & BilledOrganization

/** Null where a part is missing that a boleto has to name. */
const ADDRESS = sql`
  case when o.address <> '' and o.city <> '' and o.state <> '' and o.zipcode <> '' then jsonb_build_object(
    'line', concat_ws(', ', o.address, o.address_number), 'city', o.city, 'state', o.state, 'zipcode', o.zipcode) end`

/**
 * The invoice, and the data of its organization that the payment provider gets. A cluster has the two on different
 * servers.
 */
export async function billedInvoice(
  { read, organizationId, ports: { settings } }: IoContext,
  id: number,
): Promise<BilledInvoice | undefined> {
  const [invoice] = await read(sql<InvoiceRow & MovedPayments & OfferedMethods>`
    select id, number, status, total, amount_due, amount_paid, amount_refunded, currency, company, line_items,
      created_at, payment_invoice_id, payment_codes,
           order_id, issue_date, due_date, due_date_changed_at,
           (select max(p.id) from payments p where p.organization_id = ${organizationId} and p.invoice_id = ${id}
               and p.moved_at is not null) as moved_payment_id,
           ${settingIn(settings, sql`company`, 'payment_methods')} as payment_methods
      from invoices where organization_id = ${organizationId} and id = ${id}`)
  const [organization] = invoice
    ? await read(sql<BilledOrganization>`
        select o.cnpj as organization_cnpj, coalesce(o.legal_name, o.name) as organization_name,
          o.email as organization_email, ${ADDRESS} as organization_address,
               ${knownCustomer(sql`${invoice.company}::text`)}
          from organizations o where o.organization_id = ${organizationId} and o.id = ${organizationId}`)
    : []
  return invoice && organization && { ...invoice, ...organization }
}

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
    from payments p join credit_balance_entries c on c.organization_id = ${org} and c.payment_id = p.id
      and c.kind = 'overpaid'
    left join invoices i on i.organization_id = ${org} and i.id = p.invoice_id
   where p.organization_id = ${org} and p.id = ${id} and p.surplus > 0 and p.moved_at is null
     and p.source <> 'import'`

/** Of a payment that was moved away; `newNumber`: of the invoice of the organization that it counts for now. */
export const movedFacts = (org: number, id: number) => sql<{
  invoice_id: number | null
  number: string | null
  status: string | null
  due: string | null
  dueDate: string | null
  total: string
  currency: string
  paidOn: string
  newNumber: string | null
}>`
  select p.invoice_id, i.number, i.status, i.amount_due as due, i.due_date as "dueDate", p.amount as total, p.currency,
         p.payment_date as "paidOn", t.number as "newNumber"
    from payments p left join invoices i on i.organization_id = ${org} and i.id = p.invoice_id
    left join payments n on n.organization_id = ${org} and n.moved_from_id = p.id
    left join invoices t on t.organization_id = ${org} and t.id = n.invoice_id
   where p.organization_id = ${org} and p.id = ${id} and p.moved_at is not null`

/** A job of one of the kinds about the reference, waiting or a dead letter. */
export const jobAbout = (kinds: readonly string[], { company, provider, reference }: ProviderReference) => sql<{
  id: number
}>`
  select id from jobs
   where kind = any(${kinds}::text[]) and payload ->> 'reference' = ${reference} and payload ->> 'company' = ${company}
     and payload ->> 'provider' = ${provider} limit 1`
