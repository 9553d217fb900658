// All SQL of the second factors: apps, recovery codes, attempts, and sign-ins that wait for a code.
import type { Ports } from '#kernel/data/context.ts'
import { digest } from '#kernel/keys/secrets.ts'
import { raw, sql } from '#kernel/values/sql.ts'
import { recoveryDigest } from './recovery-codes.ts'
import type { SecondFactorStatus } from './second-factor.ts'
import type { SignInMethod } from '../sessions/session.ts'
import type { SsoSession } from '../sessions/sessions.ts'

export const MOST_ATTEMPTS = 10
export const WINDOW_SECONDS = 3600
const CHALLENGE_LIFETIME = '5 minutes'
const CHALLENGE_ATTEMPTS = 5

export type TotpFactor = { user_id: number; nonce: string; is_confirmed: boolean }
export type Attempts = { attempts: number; since: string }
export type ChallengedUser = { user_id: number; email: string; name: string }
/** The step before the second factor. */
export type FirstStep = { signedInBy: Exclude<SignInMethod, 'passkey' | 'device'>; sso?: SsoSession | null }
export type UsedChallenge = {
  signed_in_by: FirstStep['signedInBy']
  sso_connection_id: number | null
  sso_organization_id: number | null
}

/** In a statement over `users`: whether a sign-in to the account needs a second factor. */
export const hasTotp = raw(
  'exists (select 1 from totp_factors t where t.user_id = users.id and t.confirmed_at is not null) as has_totp',
)

export const totpFactors = {
  byUser: (userId: number) => sql<TotpFactor>`
    select user_id, nonce, confirmed_at is not null as is_confirmed from totp_factors where user_id = ${userId}`,
  /** No row when there is a confirmed one. */
  begin: (userId: number, nonce: string, now: Date) => sql`
    insert into totp_factors as f (user_id, nonce, created_at) values (${userId}, ${nonce}, ${now})
    on conflict (user_id) do update set nonce = excluded.nonce, created_at = excluded.created_at
     where f.confirmed_at is null returning user_id`,
  /** No row when it is confirmed already, or another one was begun meanwhile. */
  confirm: ({ user_id, nonce }: TotpFactor, step: number, now: Date) => sql`
    update totp_factors set confirmed_at = ${now}, last_step = ${step}
     where user_id = ${user_id} and nonce = ${nonce} and confirmed_at is null returning user_id`,
  /** Of several uses of a code at once only one gets the row. */
  useStep: (userId: number, step: number) => sql`
    update totp_factors set last_step = ${step}
     where user_id = ${userId} and confirmed_at is not null and last_step < ${step} returning user_id`,
  remove: (userId: number) => sql`delete from totp_factors where user_id = ${userId}`,
}

export const recoveryCodes = {
  replace: (userId: number, digests: readonly Buffer[], now: Date) => sql`
    with former as (delete from recovery_codes where user_id = ${userId})
    insert into recovery_codes (user_id, digest, created_at) select ${userId}, d, ${now}
      from unnest(${digests}::bytea[]) d`,
  use: (userId: number, code: string, { secretKey }: Ports, now: Date) => sql`
    update recovery_codes set used_at = ${now}
     where user_id = ${userId} and digest = ${recoveryDigest(secretKey, userId, code)} and used_at is null
       returning user_id`,
  remove: (userId: number) => sql`delete from recovery_codes where user_id = ${userId}`,
}

export const codeAttempts = {
  /** Counts an attempt before it is looked at, so that of many at once no more than the limit are. */
  count: (userId: number, source: string, now: Date) => sql<Attempts>`
    insert into code_attempts as a (user_id, source, attempts, since) values (${userId}, ${source}, 1, ${now})
    on conflict (user_id, source) do update set
      attempts = case when a.since > ${now}::timestamptz - ${WINDOW_SECONDS} * interval '1 second' then a.attempts + 1
        else 1 end,
      since = case when a.since > ${now}::timestamptz - ${WINDOW_SECONDS} * interval '1 second' then a.since else ${now}
        end
    returning attempts, since`,
  /** The attempt was right, so it does not count. */
  uncount: (userId: number, source: string) => sql`
    update code_attempts set attempts = attempts - 1 where user_id = ${userId} and source = ${source} and attempts > 0`,
  removeOver: (now: Date) => sql`
    delete from code_attempts where since <= ${now}::timestamptz - ${WINDOW_SECONDS} * interval '1 second'`,
}

export const signInChallenges = {
  begin: (userId: number, challenge: string, { signedInBy, sso }: FirstStep, now: Date) => sql<{ expires_at: string }>`
    insert into sign_in_challenges (digest, user_id, signed_in_by, sso_connection_id, sso_organization_id, expires_at)
    values (${digest(challenge)}, ${userId}, ${signedInBy}, ${sso?.connectionId ?? null}::bigint,
            ${sso?.organizationId ?? null}::bigint, ${now}::timestamptz + ${CHALLENGE_LIFETIME}::interval)
    returning expires_at`,
  /** Counts an attempt. No row when it is unknown, over, or has had all its attempts. */
  attempt: (challenge: string, now: Date) => sql<ChallengedUser>`
    update sign_in_challenges c set attempts = attempts + 1 from users u
     where c.digest = ${digest(challenge)} and c.expires_at > ${now} and c.attempts < ${CHALLENGE_ATTEMPTS}
       and u.id = c.user_id and u.disabled_at is null
    returning u.id as user_id, u.email, u.name`,
  /** Of several uses at once only one gets the row. */
  use: (challenge: string, userId: number) => sql<UsedChallenge>`
    delete from sign_in_challenges where digest = ${digest(challenge)} and user_id = ${userId}
    returning signed_in_by, sso_connection_id, sso_organization_id`,
  removeAllOf: (userId: number) => sql`delete from sign_in_challenges where user_id = ${userId}`,
  removeAllOfConnection: (id: number) => sql`delete from sign_in_challenges where sso_connection_id = ${id}`,
  removeOver: (now: Date) => sql`delete from sign_in_challenges where expires_at <= ${now}`,
}

export const secondFactors = {
  status: (userId: number, now: Date) => sql<SecondFactorStatus>`
    select (select t.confirmed_at from totp_factors t where t.user_id = ${userId}) as totp_enabled_at,
           (select count(*) from recovery_codes r where r.user_id = ${userId}
             and r.used_at is null) as recovery_codes_left,
           (select count(*) from passkeys p where p.user_id = ${userId}) as passkeys,
           coalesce((select jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name) order by o.id)
              from collaborators c join organizations o on o.id = c.organization_id
             where c.user_id = ${userId} and c.role <> 'pending' and o.require_mfa and o.deleted_at is null
               and (c.expired_at is null or c.expired_at > ${now})), '[]') as required_by`,
}
