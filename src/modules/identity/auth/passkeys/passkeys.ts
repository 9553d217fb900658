// All SQL of passkeys, and of the challenges that browsers sign with them.
import { page } from '#kernel/data/lists/page.ts'
import { raw, sql } from '#kernel/values/sql.ts'
import { digest } from '#kernel/keys/secrets.ts'
import type { Page } from '#kernel/values/schema.ts'
import { Passkey } from './passkey.ts'

const CHALLENGE_LIFETIME = '5 minutes'
const columns = sql`${raw(Object.keys(Passkey.properties).join(', '))}`

export type StoredPasskey = { id: number; user_id: number; credential_id: string; public_key: Buffer; counter: number }
export type MadePasskey = {
  userId: number
  name: string
  credentialId: string
  publicKey: Uint8Array
  counter: number
  isBackedUp: boolean
}

export const passkeys = {
  page: (userId: number, query: Page) => page(query, { columns, from: sql`from passkeys where user_id = ${userId}` }),
  byId: (id: number, userId: number) => sql<Passkey>`
    select ${columns} from passkeys where id = ${id} and user_id = ${userId}`,
  credentialIds: (userId: number) => sql<{ credential_id: string }>`
    select credential_id from passkeys where user_id = ${userId} order by id`,
  byCredential: (credentialId: string) => sql<StoredPasskey>`
    select p.id, p.user_id, p.credential_id, p.public_key, p.counter
      from passkeys p join users u on u.id = p.user_id and u.disabled_at is null
     where p.credential_id = ${credentialId}`,
  isThere: (id: number) => sql`select id from passkeys where id = ${id}`,
  /** No row when the credential is registered already. */
  add: ({ userId, name, credentialId, publicKey, counter, isBackedUp }: MadePasskey, now: Date) => sql<Passkey>`
    insert into passkeys (user_id, name, credential_id, public_key, counter, is_backed_up, created_at)
    values (${userId}, ${name}, ${credentialId}, ${Buffer.from(publicKey)}, ${counter}, ${isBackedUp}, ${now})
    on conflict (credential_id) do nothing returning ${columns}`,
  rename: (id: number, userId: number, name: string) => sql<Passkey>`
    update passkeys set name = ${name} where id = ${id} and user_id = ${userId} returning ${columns}`,
  remove: (id: number, userId: number) => sql<Passkey>`
    delete from passkeys where id = ${id} and user_id = ${userId} returning ${columns}`,
  removeAllOf: (userId: number) => sql`delete from passkeys where user_id = ${userId}`,
  /** No row when another use of the same or a later counter came first. Authenticators that do not count stay at 0. */
  use: ({ id }: StoredPasskey, counter: number, now: Date) => sql`
    update passkeys set counter = ${counter}, last_used_at = ${now}
     where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0)) returning id`,
}

export const passkeyChallenges = {
  begin: (challenge: string, userId: number | null, now: Date) => sql`
    insert into passkey_challenges (digest, user_id, expires_at)
    values (${digest(challenge)}, ${userId}::bigint, ${now}::timestamptz + ${CHALLENGE_LIFETIME}::interval)`,
  /** Of several uses at once only one gets the row. */
  use: (challenge: string, userId: number | null, now: Date) => sql`
    delete from passkey_challenges
     where digest = ${digest(challenge)} and user_id is not distinct from ${userId}::bigint and expires_at > ${now}
    returning digest`,
  removeOver: (now: Date) => sql`delete from passkey_challenges where expires_at <= ${now}`,
}
