// All SQL of sessions and refresh tokens. When a session ends, so do all of its refresh tokens.
import type { Credential } from '#kernel/access/credentials.ts'
import { sql } from '#kernel/data/sql.ts'

export const LIFETIME_SECONDS = 7 * 86_400
const LIFETIME = `${LIFETIME_SECONDS} seconds`
/** For so long a rotated token still gets its successor, because the first answer may have been lost. */
const GRACE = '10 seconds'

export type NewSession = { userId: number; ip: string | null; userAgent: string | null; now: Date }

export const sessions = {
  openBearer: ({ userId, ip, userAgent, now }: NewSession, refreshDigest: Buffer) => sql<{ id: number }>`
    with opened as (
      insert into sessions (user_id, ip, user_agent, created_at, expires_at)
      values (${userId}, ${ip}, ${userAgent}, ${now}, ${now}::timestamptz + ${LIFETIME}::interval) returning id, expires_at
    ), family as (
      insert into refresh_tokens (digest, session_id, expires_at) select ${refreshDigest}, id, expires_at from opened
    )
    select id from opened`,
  openBrowser: ({ userId, ip, userAgent, now }: NewSession, secretDigest: Buffer) => sql<{ id: number }>`
    insert into sessions (user_id, secret_digest, ip, user_agent, created_at, expires_at)
    values (${userId}, ${secretDigest}, ${ip}, ${userAgent}, ${now}, ${now}::timestamptz + ${LIFETIME}::interval) returning id`,

  isLive: (of: Exclude<Credential, { kind: 'api_key' }>, now: Date) => sql`
    select id from sessions where id = ${of.sessionId} and user_id = ${of.userId} and ended_at is null and expires_at > ${now}
       and secret_digest is not distinct from ${of.kind === 'session' ? of.secret : null}::bytea`,
  /** Ends one session and returns whether it belongs to a browser's cookie. */
  end: (id: number, now: Date) => sql<{ is_browser: boolean }>`
    update sessions set ended_at = ${now} where id = ${id} and ended_at is null
    returning secret_digest is not null as is_browser`,
  endAllOf: (userId: number, now: Date, but: number | null = null) => sql`
    update sessions set ended_at = ${now}
     where user_id = ${userId} and ended_at is null and id is distinct from ${but}::bigint returning id`,

  /** Of several callers at once only one gets the row; the others find the token rotated. */
  rotate: (presented: Buffer, successor: Buffer, now: Date) => sql<{ session_id: number; user_id: number }>`
    with rotated as (
      update refresh_tokens r set rotated_at = ${now}
        from sessions s join users u on u.id = s.user_id
       where r.digest = ${presented} and r.rotated_at is null and r.expires_at > ${now}
         and s.id = r.session_id and s.ended_at is null and u.disabled_at is null
      returning r.session_id, s.user_id
    ), kept as (
      insert into refresh_tokens (digest, session_id, expires_at)
      select ${successor}, session_id, ${now}::timestamptz + ${LIFETIME}::interval from rotated
    ), prolonged as (
      update sessions s set expires_at = ${now}::timestamptz + ${LIFETIME}::interval from rotated where s.id = rotated.session_id
    )
    select session_id, user_id from rotated`,
  /** A token that was rotated before, of a live session. */
  rotatedBefore: (presented: Buffer, now: Date) => sql<{
    session_id: number
    user_id: number
    in_grace: boolean
  }>`
    select r.session_id, s.user_id, r.rotated_at > ${now}::timestamptz - ${GRACE}::interval as in_grace
      from refresh_tokens r join sessions s on s.id = r.session_id join users u on u.id = s.user_id
     where r.digest = ${presented} and r.rotated_at is not null and s.ended_at is null and s.expires_at > ${now}
       and u.disabled_at is null`,

  /** Ended and expired sessions; their refresh tokens are deleted by a cascade. */
  removeOver: (now: Date) => sql`
    delete from sessions where ended_at is not null or expires_at <= ${now}`,
  removeOverTokens: (now: Date) => sql`delete from refresh_tokens where expires_at <= ${now}`,
}
