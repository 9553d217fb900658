// Who calls, by their credential: statements that the access check is made of. A caller whose access has ended gives no
// row.
import { isInForce } from '#kernel/values/time/clock-skew.ts'
import type { Credential, KeyCredential, KeyProof } from './credentials.ts'
import { ONLY_CUSTOMER, PERMISSIONS_OF_U } from '#kernel/values/staff-roles.ts'
import { type Statement, nothing, sql } from '#kernel/values/sql.ts'

type SessionCredential = Exclude<Credential, { kind: 'api_key' }>
type Call = {
  credential: Credential
  writes: boolean
  authenticatedSince?: Date | undefined
  /** The address of the request; null for one that is none. */
  ip: string | null
  now: Date
}

/** Whoever calls, in one form. `permissions` is what they may do as staff, and null for all others. */
export function callerOf(call: Call): Statement {
  const { credential, authenticatedSince, now } = call
  if (credential.kind !== 'api_key') return sessionCaller(credential, authenticatedSince, now)
  return credential.of === 'vendor' ? vendorKeyCaller(credential, call) : keyCaller(credential, call)
}

/** A column that only dangerous acts need. */
export const recency = (since: Date | undefined): Statement =>
  since ? sql`s.authenticated_at > ${since} as is_recent,` : nothing

/**
 * A session of staff that the identity provider of an organization opened is over: it would act with what staff may do.
 */
function sessionCaller(credential: SessionCredential, since: Date | undefined, now: Date): Statement {
  return sql`
    select u.id as user_id, u.name, u.email, u.status = 'ACTIVE' as proven, u.language,
      ${PERMISSIONS_OF_U} as permissions,
           ${recency(since)} s.second_factor is not null as two_factors, s.second_factor,
           s.sso_organization_id, s.sso_second_factor, null::bigint as key_organization_id, null::text[] as key_scopes,
           false as permission_missing
      from sessions s join users u on u.id = s.user_id
     where ${isLiveSession(credential, now)} and (s.sso_organization_id is null or u.roles = ${ONLY_CUSTOMER})`
}

/** The session `s` of the user `u`: of a cookie when there is a secret, else of a token. */
export function isLiveSession(credential: SessionCredential, now: Date | Statement): Statement {
  const secret = credential.kind === 'session' ? sql`= ${credential.secret}` : sql`is null`
  return sql`s.id = ${credential.sessionId} and s.user_id = ${credential.userId} and s.ended_at is null
       and s.expires_at > ${now} and u.disabled_at is null and s.secret_digest ${secret}`
}

/** What single sign-on asks of a session. */
const NO_SESSION = sql`null::text as second_factor, null::bigint as sso_organization_id, false as sso_second_factor`

/**
 * A key acts as a member with those of its scopes that its creator still has, and ends with the creator's membership.
 * No organization asks it for a second factor.
 */
function keyCaller(credential: KeyCredential, { writes, ip, now }: Call): Statement {
  return sql`
    select k.user_id, k.user_name as name, k.user_email as email, true as proven, k.language,
      null::text[] as permissions,
           true as two_factors, ${NO_SESSION}, true as is_recent, k.organization_id as key_organization_id,
           ${grantedOf(credential.proof, sql`k.scopes`)} as key_scopes,
           k.permission not in ('read_write', ${writes ? 'write' : 'read'}) as permission_missing,
           k.key_id, ${isFromAllowed(ip)} is not true as address_refused
      from access_check_keys k
     where ${isLiveKey(credential, now)} and ${isInForce('k', now)}`
}

/**
 * A key of the vendor acts as staff with its permissions, whatever has become of its creator, under whose number it is
 * in histories. It has no session, and no organization asks it for a second factor.
 */
function vendorKeyCaller(credential: KeyCredential, { ip, now }: Call): Statement {
  return sql`
    select k.created_by as user_id, k.name || ' (API key ' || k.key_id || ')' as name, null::text as email,
      true as proven,
           k.language, ${grantedOf(credential.proof, sql`k.permissions`)} as permissions,
           true as two_factors, ${NO_SESSION}, true as is_recent, null::bigint as key_organization_id,
             null::text[] as key_scopes,
           false as permission_missing, k.key_id, ${isFromAllowed(ip)} is not true as address_refused,
             k.organization_ids
      from access_check_vendor_keys k
     where ${isLiveKey(credential, now)}`
}

/** The key `k`: its secret is right, or was until a moment that is yet to come, and it has not expired. */
export function isLiveKey({ consumerKey, proof }: KeyCredential, now: Date): Statement {
  const isProven =
    'secret' in proof
      ? sql`(k.secret_digest = ${proof.secret} or k.previous_digest = ${proof.secret}
        and k.previous_secret_ends_at > ${now})`
      : sql`(k.secret_version = ${proof.secretVersion}
             or k.secret_version = ${proof.secretVersion + 1} and k.previous_secret_ends_at > ${now})`
  return sql`k.consumer_key = ${consumerKey} and ${isProven} and (k.expires_at is null or k.expires_at > ${now})`
}

/** Whether the key `k` may be used from the address; null or false if not. */
export const isFromAllowed = (ip: string | null): Statement =>
  sql`(k.allowed_ips is null or ${ip}::inet <<= any(k.allowed_ips::cidr[]))`

/** Of what the key holds, what the token was asked for. */
export const grantedOf = (proof: KeyProof, held: Statement): Statement =>
  'secret' in proof ? held : sql`array(select unnest(${held}) intersect select unnest(${proof.scopes}::text[]))`

/** Those of the organizations that exist and are not deleted. */
export const knownOrganizations = (ids: readonly number[]) =>
  sql<{
    organization_id: number
  }>`select distinct organization_id from access_check where organization_id = any(${ids}::bigint[])`

/** The organization that a key belongs to; no row for a key that has ended. The access check still follows. */
export const keyOrganization = (credential: KeyCredential, now: Date): Statement =>
  sql`select k.organization_id from access_check_keys k where ${isLiveKey(credential, now)}`

/** The organizations that a key of the vendor is for; null for all. The access check still follows. */
export const keyOrganizations = (credential: KeyCredential, now: Date): Statement =>
  sql`select k.organization_ids from access_check_vendor_keys k where ${isLiveKey(credential, now)}`

/** The scopes that the permissions of `c` let staff read. */
export const READ_BY_C = sql`array(select left(one, -5) from unnest(c.permissions) one where one like '%:read')`
