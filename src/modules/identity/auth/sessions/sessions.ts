// All SQL of sessions and refresh tokens. When a session ends, so do all of its refresh tokens.
import type { Credential } from '#kernel/access/credentials.ts'
import { page } from '#kernel/data/lists/page.ts'
import { sql } from '#kernel/values/sql.ts'
import type { Page } from '#kernel/values/schema.ts'
import type { SecondFactor } from '../second-factors/second-factor.ts'
import type { SignInMethod } from './session.ts'

export const LIFETIME_SECONDS = 7 * 86_400
const LIFETIME = `${LIFETIME_SECONDS} seconds`
/** For so long a rotated token still gets its successor, because the first answer may have been lost. */
const GRACE = '10 seconds'

export type NewSession = {
  userId: number
  ip: string | null
  userAgent: string | null
  signedInBy: SignInMethod
  secondFactor: SecondFactor | null
  passkeyId: number | null
  sso: SsoSession | null
  authenticatedAt: Date | string
  now: Date
}

/** By which connection a session was opened; nulls: by the provider of staff. */
export type SsoSession = {
  connectionId: number | null
  organizationId: number | null
  /** The organization's provider has asked for a second factor. */
  secondFactor: boolean
}

/** A new row of `sessions`; the secret is there for browsers only. */
const opening = (made: NewSession, secretDigest: Buffer | null) => sql`
  insert into sessions (user_id, secret_digest, ip, user_agent, signed_in_by, second_factor, passkey_id,
                        sso_connection_id, sso_organization_id, sso_second_factor, created_at, last_seen_at,
                        authenticated_at, expires_at)
  values (${made.userId}, ${secretDigest}, ${made.ip}, ${made.userAgent}, ${made.signedInBy}, ${made.secondFactor},
          ${made.passkeyId}::bigint, ${made.sso?.connectionId ?? null}::bigint,
            ${made.sso?.organizationId ?? null}::bigint,
          ${made.sso?.secondFactor ?? false}, ${made.now}, ${made.now}, ${made.authenticatedAt},
            ${made.now}::timestamptz + ${LIFETIME}::interval)
  returning id, expires_at`

export const sessions = {
  openBearer: (made: NewSession, refreshDigest: Buffer) => sql<{ id: number }>`
    with opened as (${opening(made, null)}),
    family as (
      insert into refresh_tokens (digest, session_id, expires_at) select ${refreshDigest}, id, expires_at from opened
    )
    select id from opened`,
  openBrowser: (made: NewSession, secretDigest: Buffer) => sql<{ id: number }>`
    with opened as (${opening(made, secretDigest)}) select id from opened`,

  page: ({ userId, sessionId, now }: { userId: number; sessionId: number; now: Date }, query: Page) =>
    page(query, {
      columns: sql`
        id, secret_digest is not null as is_browser, signed_in_by, second_factor, ip, user_agent, created_at,
          last_seen_at,
        authenticated_at, expires_at, id = ${sessionId} as is_current`,
      from: sql`from sessions where user_id = ${userId} and ended_at is null and expires_at > ${now}`,
    }),

  isLive: (of: Exclude<Credential, { kind: 'api_key' }>, now: Date) => sql`
    select id from sessions where id = ${of.sessionId} and user_id = ${of.userId} and ended_at is null
      and expires_at > ${now}
       and secret_digest is not distinct from ${of.kind === 'session' ? of.secret : null}::bytea`,
  /**
   * Its person has proven again who they are; with null by the password alone. A session that a passkey opened keeps
   * that one, with which it ends.
   */
  prove: (id: number, { by, passkeyId }: { by: SecondFactor | null; passkeyId: number | null }, now: Date) => sql<{
    authenticated_at: string
    second_factor: SecondFactor | null
  }>`
    update sessions set authenticated_at = ${now}, second_factor = coalesce(${by}::text, second_factor),
           passkey_id = case when signed_in_by in ('passkey', 'device') and passkey_id is not null then passkey_id
                             else coalesce(${passkeyId}::bigint, passkey_id) end
     where id = ${id} and ended_at is null returning authenticated_at, second_factor`,
  /** What they have proven no longer suffices. */
  doubtOthers: (userId: number, but: number | null, now: Date) => sql`
    update sessions set authenticated_at = ${now}::timestamptz - interval '100 years'
     where user_id = ${userId} and ended_at is null and id is distinct from ${but}::bigint`,
  endAllOfPasskey: (passkeyId: number, now: Date, but: number | null) => sql`
    update sessions set ended_at = ${now}
     where passkey_id = ${passkeyId} and ended_at is null and id is distinct from ${but}::bigint returning id`,
  endAllOfConnection: (connectionId: number, now: Date) => sql`
    update sessions set ended_at = ${now} where sso_connection_id = ${connectionId} and ended_at is null returning id`,
  forgetPasskey: (passkeyId: number) => sql`
    update sessions set second_factor = null, passkey_id = null where passkey_id = ${passkeyId} and ended_at is null`,
  forgetCodes: (userId: number) => sql`
    update sessions set second_factor = null
     where user_id = ${userId} and ended_at is null and second_factor in ('totp', 'recovery_code')`,
  /** Whether an organization that requires a second factor admits the session. */
  hasTwoFactors: (id: number | null, organizationId: number) => sql`
    select s.id from sessions s
     where s.id = ${id} and (s.second_factor is not null or s.sso_second_factor
       and s.sso_organization_id = ${organizationId})`,
  /** For what has waited since the access check. */
  isStillLive: (id: number | null) => sql`select id from sessions where id = ${id} and ended_at is null`,
  /** Ends one session and returns whether it belongs to a browser's cookie. */
  end: (id: number, now: Date) => sql<{ is_browser: boolean }>`
    update sessions set ended_at = ${now} where id = ${id} and ended_at is null
    returning secret_digest is not null as is_browser`,
  /** No row when the account has no such session, or it is over. */
  endOwn: (id: number, userId: number, now: Date) => sql<{ is_browser: boolean }>`
    update sessions set ended_at = ${now}
     where id = ${id} and user_id = ${userId} and ended_at is null and expires_at > ${now}
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
      update sessions s set expires_at = ${now}::timestamptz + ${LIFETIME}::interval, last_seen_at = ${now}
        from rotated where s.id = rotated.session_id
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

  removeAllOf: (userId: number) => sql`delete from sessions where user_id = ${userId}`,
  /** Ended and expired sessions; their refresh tokens are deleted by a cascade. */
  removeOver: (now: Date) => sql`
    delete from sessions where ended_at is not null or expires_at <= ${now}`,
  removeOverTokens: (now: Date) => sql`delete from refresh_tokens where expires_at <= ${now}`,
}
