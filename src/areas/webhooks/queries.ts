// All SQL of inbound webhooks: the store of events, and whose payment a provider's reference is.
import { sql } from '#kernel/sql.ts'
import type { PaymentEvent } from '#ports/payments.ts'
import type { ProvisioningReport } from '#ports/provisioning.ts'

type Stored = { dedupeKey: string; providerType: string }

/** No row when the event was there already. `company` is empty where the source serves both legal entities. */
export const storeEvent = (source: string, company: string, event: Stored, body: Buffer) => sql<{ id: number }>`
  insert into provider_events (source, company, dedupe_key, type, body, event)
  values (${source}, ${company}, ${event.dedupeKey}, ${event.providerType}, ${body}, ${JSON.stringify(event)}::jsonb)
  on conflict (source, company, dedupe_key) do nothing returning id`

export const storedEvent = (id: unknown) => sql<{ company: string; event: PaymentEvent }>`
  select company, event from provider_events where id = ${id}`

/** As the source's adapter read it when it came. */
export const storedReport = (id: unknown) => sql<{ event: ProvisioningReport }>`
  select event from provider_events where id = ${id}`

export type PaymentReference = { organization_id: number; resource: 'invoice' | 'refund'; resource_id: number }

export const referenceOf = (company: string, reference: string) => sql<PaymentReference>`
  select organization_id, resource, resource_id from payment_references where company = ${company} and reference = ${reference}`
