// All SQL of sign-ins under way, and of accounts as providers know them.
import type { SignedOn } from '#ports/single-sign-on.ts'
import { digest } from '#kernel/keys/secrets.ts'
import { sql } from '#kernel/values/sql.ts'

const LIFETIME = '10 minutes'

type NewSignIn = { state: string; browser: string; connectionId: number | null; returnPath: string }

export const signIns = {
  begin: ({ state, browser, connectionId, returnPath }: NewSignIn, now: Date) => sql<{ expires_at: string }>`
    insert into sso_sign_ins (digest, browser_digest, connection_id, return_path, expires_at)
    values (${digest(state)}, ${digest(browser)}, ${connectionId}::bigint, ${returnPath},
            ${now}::timestamptz + ${LIFETIME}::interval)
    returning expires_at`,
  /** Of several uses at once only one gets the row, and only the browser that began. */
  use: (state: string, browser: string, now: Date) => sql<{ connection_id: number | null; return_path: string }>`
    delete from sso_sign_ins
     where digest = ${digest(state)} and browser_digest = ${digest(browser)} and expires_at > ${now}
    returning connection_id, return_path`,
  removeOver: (now: Date) => sql`delete from sso_sign_ins where expires_at <= ${now}`,
}

type ProviderIdentity = Pick<SignedOn, 'issuer' | 'subject'> & { connectionId: number | null }

export const identities = {
  userOf: ({ connectionId, issuer, subject }: ProviderIdentity) => sql<{ user_id: number }>`
    select user_id from sso_identities
     where connection_id is not distinct from ${connectionId}::bigint and issuer = ${issuer} and subject = ${subject}`,
  /** No row when the account is linked to another subject of the provider. */
  link: (userId: number, { connectionId, issuer, subject }: ProviderIdentity, now: Date) => sql`
    insert into sso_identities as i (user_id, connection_id, issuer, subject, created_at, last_used_at)
    values (${userId}, ${connectionId}::bigint, ${issuer}, ${subject}, ${now}, ${now})
    on conflict do nothing returning id`,
  used: (userId: number, { connectionId, issuer, subject }: ProviderIdentity, now: Date) => sql`
    update sso_identities set last_used_at = ${now}
     where user_id = ${userId} and connection_id is not distinct from ${connectionId}::bigint and issuer = ${issuer}
       and subject = ${subject} returning id`,
  removeOfConnection: (connectionId: number) => sql`delete from sso_identities where connection_id = ${connectionId}`,
}
