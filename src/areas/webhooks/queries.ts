// All SQL of inbound webhooks: the store of events, whose payment a provider's reference is, and which of them to ask about.
import type { Company } from '#kernel/values/schema.ts'
import { sql } from '#kernel/data/sql.ts'
import { storableJson } from '#kernel/values/text.ts'
import type { PaymentEvent, Watched } from '#ports/payments.ts'
import type { ProvisioningReport } from '#ports/provisioning.ts'

type Stored = { dedupeKey: string; providerType: string }

/** No row when the event was there already. `company` is empty where the source serves both legal entities. */
export const storeEvent = (source: string, company: string, event: Stored, body: Buffer) => sql<{ id: number }>`
  insert into provider_events (source, company, dedupe_key, type, body, event)
  values (${source}, ${company}, ${event.dedupeKey}, ${event.providerType}, ${body}, ${storableJson(event)}::jsonb)
  on conflict (source, company, dedupe_key) do nothing returning id`

export const storedEvent = (id: unknown) => sql<{ company: Company; event: PaymentEvent }>`
  select company, event from provider_events where id = ${id}`

/** As the source's adapter read it when it came. */
export const storedReport = (id: unknown) => sql<{ event: ProvisioningReport }>`
  select event from provider_events where id = ${id}`

export type PaymentReference = { organization_id: number; resource: Watched; resource_id: number }

export const referenceOf = (company: string, reference: string) => sql<PaymentReference>`
  select organization_id, resource, resource_id from payment_references where company = ${company} and reference = ${reference}`

/** What a refund gives back, where we have not heard of its payment yet. */
export const unpaidOf = (org: number, refundId: unknown) => sql<{ id: number; reference: string }>`
  select i.id, i.payment_invoice_id as reference
    from refunds f join invoices i on i.organization_id = ${org} and i.id = f.invoice_id
   where f.organization_id = ${org} and f.id = ${refundId} and i.status in ('open', 'uncollectible') and i.payment_invoice_id is not null`

/** `status` is ours, of the invoice or the refund. `is_paid_so`: the invoice by this reference, not by another way. */
export type Unsettled = PaymentReference & {
  company: Company
  reference: string
  status: string | null
  is_paid_so: boolean
}

/** Those that have waited longest first: no old one is asked about twice before a newer one was once. */
export const unsettled = (before: Date, limit: number) => sql<Unsettled>`
  select r.company, r.reference, r.organization_id, r.resource, r.resource_id, coalesce(i.status, f.status) as status,
         coalesce(i.status = 'paid' and i.is_paid_by_provider and i.payment_invoice_id = r.reference, false) as is_paid_so
    from payment_references r
    left join invoices i on r.resource = 'invoice' and i.organization_id = r.organization_id and i.id = r.resource_id
    left join refunds f on r.resource = 'refund' and f.organization_id = r.organization_id and f.id = r.resource_id
   where r.check_after <= ${before}
   order by r.check_after, r.company, r.reference limit ${limit}`

type Name = { company: string; reference: string }

/** After a while again: the older the longer, at most a day. */
export const checkLater = ({ company, reference }: Name, now: Date) => sql`
  update payment_references set check_after = ${now}::timestamptz + least((${now}::timestamptz - created_at) / 10, interval '23 hours')
   where company = ${company} and reference = ${reference} and check_after is not null returning reference`

export const checkNoMore = ({ company, reference }: Name) => sql`
  update payment_references set check_after = null where company = ${company} and reference = ${reference} returning reference`

/** Whether somebody is at it, or has given up and waits for a person. */
export const settling = (kind: string, { company, reference }: Name) => sql<{ id: number }>`
  select id from jobs where kind = ${kind} and payload ->> 'reference' = ${reference} and payload ->> 'company' = ${company} limit 1`
