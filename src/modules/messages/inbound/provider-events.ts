// Received bodies as they came: what is stored, handled, set aside and removed. Otherwise rows never change. Imports no
// area, since the areas that handle them read them here.
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { type Acting, first } from '#kernel/data/context.ts'
import { raw, sql, type Statement } from '#kernel/values/sql.ts'
import { PermanentFailure } from '#kernel/jobs/jobs.ts'
import type { Company } from '#kernel/values/schema.ts'
import { storable, storableJson } from '#kernel/values/text/text.ts'

/** `kind`: what the port recognized the body as. The other fields are what it read, or the reason why it could not. */
export type ReceivedBody = { kind: string; dedupeKey: string; providerType: string; reason?: string | null }
/** `provider` issued the `dedupeKey`. `company` is empty if the sender serves both legal entities. */
export type Sender = { provider: string; company: Company | '' }

/** No row if the event is stored already. */
export function storeEvent(
  { provider, company }: Sender,
  received: ReceivedBody,
  { body, now }: { body: Buffer; now: Date },
) {
  const { kind, dedupeKey, providerType, reason } = received
  const [event, error] = kind === 'unreadable' ? [null, reason] : [storableJson(received), null]
  return sql<{ id: number }>`
    insert into provider_events (source, company, dedupe_key, type, body, event, error, received_at)
    values (${provider}, ${company}, ${storable(dedupeKey)}, ${storable(providerType)}, ${body}, ${event}::jsonb,
      ${error}, ${now})
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

export const storedBody = (id: number) => sql<{ body: Buffer }>`select body from provider_events where id = ${id}`

/** For the job that handles it. One that cannot be read becomes a dead letter, so that staff see it. */
export async function readStoredEvent<Shape extends TSchema>(
  ctx: Pick<Acting, 'ask'>,
  id: number,
  shape: Shape,
): Promise<Omit<StoredEvent, 'event'> & { event: Static<Shape> }> {
  const stored = await first(ctx, storedEvent(id))
  if (!stored) throw new PermanentFailure(`provider event ${id} is not there`)
  const { company, source, dedupe_key, type, event, error } = stored
  if (Value.Check(shape, event)) return { ...stored, event }
  const why = error ?? 'not in a shape that this version knows'
  const of = company ? `${company}: ` : ''
  throw new PermanentFailure(`${of}event ${dedupe_key} (${type}) of ${source} cannot be read: ${why}`)
}

const isOf = (id: number): Statement =>
  sql`payload ? 'provider_event_id' and payload ->> 'provider_event_id' = ${String(id)}`

/** Its unfinished job, if there is one. */
export const jobOfEvent = (id: number) => sql<{ id: number }>`select id from jobs where ${isOf(id)} limit 1`

/** Due at once, with its attempts counted from 0 again; one that a worker runs now stays with it. */
export const retryJobOfEvent = (id: number, now: Date) => sql`
  update jobs set dead_at = null, failing_since = null, attempts = 0, run_at = ${now}
   where ${isOf(id)} and (leased_until is null or leased_until < ${now}) returning id`

/** Whether the job is of an event that could not be read, which waits in the queue itself. */
export const isOfUnreadEvent = (job: string): Statement => sql`exists (
  select 1 from provider_events e where e.event is null and e.set_aside_at is null
     and e.id::text = ${raw(job)}.payload ->> 'provider_event_id')`

/** No row unless it could not be read and is not set aside yet. */
export const setAside = (id: number, reason: string, now: Date) => sql<{ id: number }>`
  update provider_events set set_aside_at = ${now}, set_aside_reason = ${reason}
   where id = ${id} and event is null and set_aside_at is null returning id`

/** For an event that could not be read: one that a worker runs now can only fail, and would be a dead letter again. */
export const removeJobsOfEvent = (id: number) => sql`delete from jobs where ${isOf(id)} returning id`

/** Not those whose job is unfinished. */
export const removeOldEvents = (before: Date, limit: number) => sql`
  delete from provider_events where id in (
    select e.id from provider_events e
     where e.received_at < ${before} and not exists (
       select 1 from jobs j where j.payload ? 'provider_event_id' and j.payload ->> 'provider_event_id' = e.id::text)
     order by e.received_at, e.id limit ${limit})
  returning id`
