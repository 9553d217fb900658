// Idempotency-Key (docs/interface/general.md, Limits): the answer is stored in the transaction of its effect. The
// only file that touches idempotency_keys.
import { hash } from 'node:crypto'
import { AppError, conflict } from '#kernel/values/errors.ts'
import { type Statement, sql } from '#kernel/values/sql.ts'
import { storableJson } from '#kernel/values/text/text.ts'

export type IdempotentRequest = {
  /** Scoped to caller, organization and route. */
  digest: Buffer
  organizationId: number | null
  /** Hash of the body: the same key with another body is refused. */
  body: Buffer
}

type StoredAnswer = { status: number; answer: unknown }

const WINDOW = '24 hours'
const WINDOW_MS = 86_400_000

/** A structured-field string or the bare key; 1 to 255 visible characters. */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  const key = typeof header === 'string' ? header.replace(/^"(.*)"$/, '$1') : ''
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new AppError('BAD_REQUEST', { message: 'Idempotency-Key must be one key of 1 to 255 visible characters' })
  return key
}

export function idempotentRequest(
  key: string,
  { organizationId, scope }: { organizationId: number | null; scope: (string | number | null)[] },
  body: Buffer,
): IdempotentRequest {
  const digest = hash('sha256', JSON.stringify([key, ...scope]), 'buffer')
  return { digest, organizationId, body: hash('sha256', body, 'buffer') }
}

/** Tries an advisory lock that ends with the transaction; it never waits. */
export const claimStatement = ({ digest }: IdempotentRequest): Statement<{ claimed: boolean }> =>
  sql`select pg_try_advisory_xact_lock(${digest.readBigInt64BE().toString()}::bigint) as claimed`

export const storedStatement = ({ digest, organizationId }: IdempotentRequest, now: Date): Statement =>
  sql`select status, answer, body_digest from idempotency_keys
       where organization_id is not distinct from ${organizationId}::bigint and digest = ${digest}
         and created_at > ${now}::timestamptz - ${WINDOW}::interval`

/** The stored answer, or null when the request is the first with its key. */
export function judgeClaim(claimed: boolean, stored: unknown, request: IdempotentRequest): StoredAnswer | null {
  const found = stored as (StoredAnswer & { body_digest: Buffer }) | undefined
  if (found && !found.body_digest.equals(request.body))
    throw new AppError('VALIDATION_ERROR', {
      reason: 'idempotency_key_reused',
      fields: { 'Idempotency-Key': 'was used with another body within the last 24 hours' },
    })
  if (found) return { status: found.status, answer: found.answer }
  if (!claimed) throw conflict('request_in_progress', 'A request with this Idempotency-Key is still running')
  return null
}

/** An answer that is stored already stays. */
export const storeStatement = (
  { digest, organizationId, body }: IdempotentRequest,
  { status, answer }: StoredAnswer,
  now: Date,
): Statement =>
  sql`insert into idempotency_keys (digest, organization_id, body_digest, status, answer, created_at)
      values (${digest}, ${organizationId}, ${body}, ${status}, ${storableJson(answer)}::jsonb, ${now})
      on conflict (digest) do update set body_digest = excluded.body_digest, status = excluded.status,
             answer = excluded.answer, created_at = excluded.created_at
       where idempotency_keys.created_at <= ${new Date(now.getTime() - WINDOW_MS)}`

/** What the daily sweep removes. */
export const expiredStatement = (now: Date): Statement =>
  sql`delete from idempotency_keys where created_at < ${now}::timestamptz - ${WINDOW}::interval`
