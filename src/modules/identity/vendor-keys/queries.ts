// All SQL of the vendor's API keys.
import type { SweepTime } from '#kernel/jobs/sweep.ts'
import { page } from '#http/route.ts'
import { sql, when } from '#kernel/values/sql.ts'
import type { KeyToRotate } from '#modules/identity/auth/keys/key-limits.ts'
import { daysBefore, isToBeWarnedOf, WARNED_AT_ONCE } from '#modules/identity/auth/keys/key-warnings.ts'
import type { VendorKey, VendorKeyFilters } from './vendor-key.ts'

const columns = sql`k.id, k.name, k.permissions, k.organization_ids, k.last_four, k.expires_at, k.allowed_ips,
  k.last_used_at,
  k.previous_secret_ends_at, k.created_by, (select u.name from users u where u.id = k.created_by) as created_by_name,
  k.created_at, k.updated_at`

/** What a person decides about a key. */
export type KeySettings = Pick<VendorKey, 'name' | 'permissions' | 'organization_ids' | 'expires_at' | 'allowed_ips'>
export type NewVendorKey = KeySettings & { consumer_key: string; secret_digest: string; created_by: number | null }

export const vendorKeys = {
  page: ({ created_by, ...query }: VendorKeyFilters) =>
    page(query, {
      columns,
      id: 'k.id',
      from: sql`from vendor_keys k where k.revoked_at is null ${when(
        created_by,
        (id) => sql`and k.created_by =
        ${id}`,
      )}`,
    }),
  live: (id: number) =>
    sql<VendorKey>`select ${columns} from vendor_keys k where k.id = ${id} and k.revoked_at is null`,
  /** Also one that is revoked. */
  everById: (id: number) => sql<VendorKey>`select ${columns} from vendor_keys k where k.id = ${id}`,
  locked: (id: number) => sql<KeyToRotate & VendorKey>`
    select ${columns}, k.consumer_key, '\\x' || encode(k.secret_digest, 'hex') as secret_digest, k.secret_version
      from vendor_keys k where k.id = ${id} and k.revoked_at is null for update`,
  add: (made: NewVendorKey, now: Date) => sql<VendorKey>`
    insert into vendor_keys as k (name, consumer_key, secret_digest, permissions, organization_ids, last_four,
      expires_at,
                                  allowed_ips, created_by, created_at, updated_at)
    values (${made.name}, ${made.consumer_key}, ${made.secret_digest}::bytea, ${made.permissions}::text[],
            ${made.organization_ids}::bigint[], ${made.consumer_key.slice(-4)}, ${made.expires_at}::timestamptz,
            ${made.allowed_ips}::text[], ${made.created_by}, ${now}, ${now})
    returning ${columns}`,
  change: (id: number, to: KeySettings, now: Date) => sql<VendorKey>`
    update vendor_keys k
       set name = ${to.name}, permissions = ${to.permissions}::text[],
         organization_ids = ${to.organization_ids}::bigint[],
           expires_at = ${to.expires_at}::timestamptz, allowed_ips = ${to.allowed_ips}::text[], updated_at = ${now}
     where k.id = ${id} returning ${columns}`,
  rotate: (
    id: number,
    to: { secret_digest: string; secret_version: number } & Pick<VendorKey, 'previous_secret_ends_at'> & {
        previous_digest: string | null
      },
    now: Date,
  ) => sql<VendorKey>`
    update vendor_keys k
       set secret_digest = ${to.secret_digest}::bytea, secret_version = ${to.secret_version},
           previous_digest = ${to.previous_digest}::bytea,
           previous_secret_ends_at = ${to.previous_secret_ends_at}::timestamptz, updated_at = ${now}
     where k.id = ${id} returning ${columns}`,
  /** Notes the warnings that are due, and gives the keys that they are of. */
  warn: (at: Pick<SweepTime, 'now' | 'settings'>) => sql<{ id: number }>`
    with due as materialized (
      select k.id, ${daysBefore(at)} as days from vendor_keys k
       where ${isToBeWarnedOf(at)} order by k.expires_at limit ${WARNED_AT_ONCE} for update skip locked)
    update vendor_keys k set expiry_warned_for = k.expires_at, expiry_warned_days = due.days from due
     where k.id = due.id returning k.id`,
  /** No row when the key was revoked, has ended, or got another end since the warning. */
  warnedOf: (id: number, now: Date) => sql<VendorKey & { expires_at: string }>`
    select ${columns} from vendor_keys k
     where k.id = ${id} and k.revoked_at is null and k.expires_at > ${now} and k.expiry_warned_for = k.expires_at`,
  revoke: (id: number, now: Date) => sql`
    update vendor_keys set revoked_at = ${now}, updated_at = ${now} where id = ${id} returning id`,
}
