// Received bodies as they came: the only statements on provider_events. Rows are inserted once and never changed.
// Imports no area, since the areas that handle them read them here.
import { sql } from '#kernel/data/sql.ts'
import type { Company } from '#kernel/values/schema.ts'
import { storableJson } from '#kernel/values/text.ts'

/** `kind`: what the port recognized the body as. The other fields are what it read, or the reason why it could not. */
export type Received = { kind: string; dedupeKey: string; providerType: string; reason?: string | null }
/** `provider` issued the `dedupeKey`. `company` is empty if the sender serves both legal entities. */
export type Sender = { provider: string; company: Company | '' }

/** No row if the event is stored already. */
export function storeEvent({ provider, company }: Sender, received: Received, body: Buffer) {
  const { kind, dedupeKey, providerType, reason } = received
  const [event, error] = kind === 'unreadable' ? [null, reason] : [storableJson(received), null]
  return sql<{ id: number }>`
    insert into provider_events (source, company, dedupe_key, type, body, event, error)
    values (${provider}, ${company}, ${dedupeKey}, ${providerType}, ${body}, ${event}::jsonb, ${error})
    on conflict (source, company, dedupe_key) do nothing returning id`
}

/** `event` as the sender's adapter read it; null, with the reason in `error`, if it could not. */
export type StoredEvent = {
  source: string
  company: Company
  dedupe_key: string
  type: string
  event: unknown
  error: string | null
}

export const storedEvent = (id: number) => sql<StoredEvent>`
  select source, company, dedupe_key, type, event, error from provider_events where id = ${id}`
