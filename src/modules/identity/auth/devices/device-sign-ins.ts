// All SQL of sign-ins by another device.
import { derive, digest } from '#kernel/keys/secrets.ts'
import { sql } from '#kernel/values/sql.ts'
import type { SecondFactor } from '../second-factors/second-factor.ts'
import { INTERVAL_SECONDS, LIFETIME_SECONDS, type WaitingDevice } from './device-sign-in.ts'

type NewSignIn = { deviceCode: string; userCode: Buffer; device: string | null; ip: string | null }
type Poll = { is_early: boolean; interval_seconds: number; is_approved: boolean; is_rejected: boolean }

/** What the session that approved has proven, and what limits it. */
export type Approval = {
  session_id: number
  user_id: number
  second_factor: SecondFactor | null
  passkey_id: number | null
  sso_connection_id: number | null
  sso_organization_id: number | null
  sso_second_factor: boolean
  authenticated_at: string
}

/** Under the secret key, so that a copy of the database does not suffice to guess them. */
export const userCodeDigest = (secretKey: string, code: string): Buffer =>
  derive(secretKey, 'device-user-code', code.toUpperCase().replaceAll(/[^A-Z]/g, ''))

type Origin = { device: string | null; ip: string | null }
type Decider = { userId: number | null; sessionId: number | null }

const waiting = (userCode: Buffer, now: Date) => sql`
  user_code_digest = ${userCode} and session_id is null and rejected_at is null and expires_at > ${now}`

export const deviceSignIns = {
  begin: ({ deviceCode, userCode, device, ip }: NewSignIn, now: Date) => sql`
    insert into device_sign_ins (digest, user_code_digest, device, ip, interval_seconds, created_at, expires_at)
    values (${digest(deviceCode)}, ${userCode}, ${device}, ${ip}, ${INTERVAL_SECONDS}, ${now},
            ${now}::timestamptz + ${LIFETIME_SECONDS} * interval '1 second')`,
  waiting: (userCode: Buffer, now: Date) => sql<WaitingDevice>`
    select device, ip, created_at, expires_at from device_sign_ins where ${waiting(userCode, now)}`,
  /** Of several decisions at once only one gets the row. */
  approve: (userCode: Buffer, { sessionId }: Decider, now: Date) => sql<Origin>`
    update device_sign_ins d
       set session_id = s.id, second_factor = s.second_factor, authenticated_at = s.authenticated_at
      from sessions s
     where s.id = ${sessionId}::bigint
       and d.digest = (select digest from device_sign_ins where ${waiting(userCode, now)} for update)
    returning d.device, d.ip`,
  /** One that waits, or one that the person has approved and that was not used yet. */
  reject: (userCode: Buffer, { userId }: Decider, now: Date) => sql<Origin>`
    update device_sign_ins set rejected_at = ${now}, session_id = null
     where ${waiting(userCode, now)}
        or user_code_digest = ${userCode} and expires_at > ${now}
           and session_id in (select id from sessions where user_id = ${userId}::bigint)
    returning device, ip`,
  /** What the person has approved and what was not used yet comes to nothing. */
  withdrawAllOf: (userId: number) => sql`
    delete from device_sign_ins where session_id in (select id from sessions where user_id = ${userId})`,
  /** No row when the code is unknown, used or over. One that comes too early lengthens the interval. */
  poll: (deviceCode: string, now: Date) => sql<Poll>`
    update device_sign_ins d
       set polled_at = ${now},
           interval_seconds = d.interval_seconds + case when b.is_early then ${INTERVAL_SECONDS}::int else 0 end
      from (select digest, coalesce(polled_at > ${now}::timestamptz - interval_seconds * interval '1 second', false)
                             as is_early
              from device_sign_ins where digest = ${digest(deviceCode)} and expires_at > ${now} for update) b
     where d.digest = b.digest
    returning b.is_early, d.interval_seconds, d.session_id is not null as is_approved,
              d.rejected_at is not null as is_rejected`,
  approvedBy: (deviceCode: string) => sql<{ user_id: number }>`
    select s.user_id from device_sign_ins d join sessions s on s.id = d.session_id
     where d.digest = ${digest(deviceCode)}`,
  /**
   * Of several uses at once only one gets the row, and none once the session that approved is over; whoever ends that
   * one meanwhile waits. What that session had proven then counts as far as it has it still.
   */
  use: (deviceCode: string, now: Date) => sql<Approval>`
    with used as (
      delete from device_sign_ins where digest = ${digest(deviceCode)} and expires_at > ${now}
      returning session_id, second_factor, authenticated_at
    )
    select s.id as session_id, s.user_id,
           case when s.second_factor = u.second_factor then u.second_factor end as second_factor,
           s.passkey_id, s.sso_connection_id, s.sso_organization_id, s.sso_second_factor,
           least(s.authenticated_at, u.authenticated_at) as authenticated_at
      from sessions s join used u on s.id = u.session_id
     where s.ended_at is null and s.expires_at > ${now} for share of s`,
  removeOver: (now: Date) => sql`delete from device_sign_ins where expires_at <= ${now}`,
}
