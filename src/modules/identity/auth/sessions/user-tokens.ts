// All SQL of user_tokens: mailed tokens for one purpose, one address and one use. A newer token replaces the older one.
import { derive, digest } from '#kernel/keys/secrets.ts'
import { sql } from '#kernel/values/sql.ts'

export type Purpose = 'verify' | 'reset' | 'email_change'

export const LIFETIME: Record<Purpose, string> = { verify: '24 hours', reset: '60 minutes', email_change: '24 hours' }

/** The token itself is not stored: the request stores its digest, and the job that mails it derives it again. */
export const tokenOf = (secretKey: string, of: { purpose: Purpose; user_id: number; nonce: string }): string =>
  derive(secretKey, `mailed-token ${of.purpose}`, of.user_id, of.nonce).toString('base64url')

export type MailedToken = {
  id: number
  purpose: Purpose
  email: string
  nonce: string
  expires_at: string
  user_id: number
  name: string
  status: 'ACTIVE' | 'PENDING'
  language: string
  password_hash: string | null
}

type Issue = { userId: number; purpose: Purpose; email: string; nonce: string; secretKey: string; now: Date }

export const userTokens = {
  issue: ({ userId, purpose, email, nonce, secretKey, now }: Issue) => sql<{ id: number }>`
    insert into user_tokens (nonce, digest, user_id, purpose, email, created_at, expires_at)
    values (${nonce}, ${digest(tokenOf(secretKey, { purpose, user_id: userId, nonce }))}, ${userId}, ${purpose},
      ${email}, ${now},
            ${now}::timestamptz + ${LIFETIME[purpose]}::interval)
    on conflict (user_id, purpose) do update set id = excluded.id, nonce = excluded.nonce, digest = excluded.digest,
           email = excluded.email, created_at = excluded.created_at, expires_at = excluded.expires_at
    returning id`,
  byId: (id: number, now: Date) => sql<MailedToken>`
    select t.id, t.purpose, t.email, t.nonce, t.expires_at, t.user_id, u.name, u.status, u.language, u.password_hash
      from user_tokens t join users u on u.id = t.user_id and u.disabled_at is null
     where t.id = ${id} and t.expires_at > ${now}`,
  find: (token: string, email: string, purposes: readonly Purpose[], now: Date) => sql<MailedToken>`
    select t.id, t.purpose, t.email, t.nonce, t.expires_at, t.user_id, u.name, u.status, u.language, u.password_hash
      from user_tokens t join users u on u.id = t.user_id and u.disabled_at is null
     where t.digest = ${digest(token)} and lower(t.email) = lower(${email}) and t.purpose = any(${purposes}::text[])
       and t.expires_at > ${now}`,
  /** Of several uses at once only one gets the row. */
  use: (token: string, now: Date) => sql<{ user_id: number; email: string; purpose: Purpose }>`
    delete from user_tokens where digest = ${digest(token)} and expires_at > ${now} returning user_id, email, purpose`,
  removeAllOf: (userId: number) => sql`delete from user_tokens where user_id = ${userId}`,
  remove: (userId: number, purpose: Purpose) => sql`
    delete from user_tokens where user_id = ${userId} and purpose = ${purpose}`,
  removeOver: (now: Date) => sql`delete from user_tokens where expires_at <= ${now}`,
}
