// All SQL of address_undos: address changes that can be undone (docs/interface/identity.md).
import { derive, digest } from '#kernel/keys/secrets.ts'
import { sql } from '#kernel/values/sql.ts'

const LIFETIME = '24 hours'

/** Not stored, like all mailed tokens: the job that mails it derives it again. */
export const undoToken = (secretKey: string, of: { user_id: number; nonce: string }): string =>
  derive(secretKey, 'mailed-token address_undo', of.user_id, of.nonce).toString('base64url')

export type AddressUndo = { id: number; user_id: number; email: string; nonce: string; expires_at: string }

type Ask = { userId: number; email: string; nonce: string; secretKey: string; now: Date }

export const addressUndos = {
  /**
   * A second request before the first is proven keeps the token, so links that are already mailed work until they
   * expire.
   */
  open: ({ userId, email, nonce, secretKey, now }: Ask) => sql<{ id: number }>`
    insert into address_undos as u (user_id, email, nonce, digest, requested_at, expires_at)
    values (${userId}, ${email}, ${nonce}, ${digest(undoToken(secretKey, { user_id: userId, nonce }))}, ${now},
            ${now}::timestamptz + ${LIFETIME}::interval)
    on conflict (user_id) where changed_at is null do update set
      nonce = case when u.expires_at > ${now} then u.nonce else excluded.nonce end,
      digest = case when u.expires_at > ${now} then u.digest else excluded.digest end,
      email = excluded.email, requested_at = excluded.requested_at, expires_at = excluded.expires_at
    returning id`,
  /** The new address is in force; the undo ends 24 hours from now. */
  begin: (id: number, now: Date) => sql`
    update address_undos set changed_at = ${now}, expires_at = ${now}::timestamptz + ${LIFETIME}::interval
     where id = ${id} returning id`,
  byId: (id: number, now: Date) => sql<AddressUndo>`
    select id, user_id, email, nonce, expires_at from address_undos where id = ${id} and expires_at > ${now}`,
  find: (token: string, email: string, now: Date) => sql<{ user_id: number }>`
    select a.user_id from address_undos a join users u on u.id = a.user_id and u.disabled_at is null
     where a.digest = ${digest(token)} and lower(a.email) = lower(${email}) and a.expires_at > ${now}`,
  /** Of several uses at once only one gets the row. */
  use: (token: string, now: Date) => sql<{ id: number; email: string }>`
    delete from address_undos where digest = ${digest(token)} and expires_at > ${now} returning id, email`,
  /** Removes the undos of later changes; earlier changes can still be undone. */
  removeSince: (userId: number, id: number) => sql`delete from address_undos where user_id = ${userId} and id > ${id}`,
  /** The account returned to a reserved address: the undos of all changes since it left that address are removed. */
  removeSinceLeft: (userId: number, email: string, now: Date) => sql<{ id: number }>`
    delete from address_undos
     where user_id = ${userId} and id >= (
             select min(a.id) from address_undos a
              where a.user_id = ${userId} and lower(a.email) = lower(${email}) and a.changed_at is not null
                and a.expires_at > ${now})
    returning id`,
  /** The account for which the address is reserved. */
  keeper: (email: string, now: Date) => sql<{ user_id: number }>`
    select user_id from address_undos
     where lower(email) = lower(${email}) and changed_at is not null and expires_at > ${now} limit 1`,
  removeAllOf: (userId: number) => sql`delete from address_undos where user_id = ${userId}`,
  removeOver: (now: Date) => sql`delete from address_undos where expires_at <= ${now}`,
}
