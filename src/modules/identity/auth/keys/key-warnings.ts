// Warnings before an API key ends (docs/interface/general.md): at each of the days of warning one event, and by it the
// mail and the entries of inboxes. In real time, as keys are judged.
import { update } from '#kernel/data/changes.ts'
import { first } from '#kernel/data/context.ts'
import { type Statement, sql } from '#kernel/values/sql.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import type { SweepTime } from '#kernel/jobs/sweep.ts'
import { longestWarningIn, warningDaysIn } from '#ports/settings-in-force.ts'
import { apiKeysTable } from './api-key.ts'

export const WARNED_AT_ONCE = 500
const DAY_SECONDS = 86_400

/** For both kinds of keys. */
type At = Pick<SweepTime, 'now' | 'settings'>

/**
 * The smallest of the days within which the key `k` ends. A key that lasts three weeks has no warning 30 days before
 * its end.
 */
export const daysBefore = ({ now, settings }: At): Statement => sql`
  (select min(d) from unnest(${warningDaysIn(settings)}) d
    where k.expires_at <= ${now}::timestamptz + make_interval(secs => d * ${DAY_SECONDS})
      and k.created_at <= k.expires_at - make_interval(secs => d * ${DAY_SECONDS}))`

/** The key `k` ends soon, and the warning that is due has not been given. */
export const isToBeWarnedOf = (at: At): Statement => sql`
  (k.revoked_at is null and k.expires_at > ${at.now}
    and k.expires_at <= ${at.now}::timestamptz
      + make_interval(secs => ${longestWarningIn(at.settings)} * ${DAY_SECONDS})
    and (k.expiry_warned_for is distinct from k.expires_at or k.expiry_warned_days > ${daysBefore(at)})
    and ${daysBefore(at)} is not null)`

type Facts = {
  id: number
  name: string
  last_four: string
  expires_at: string
  last_used_at: string | null
  created_by_name: string
}

export const keyWarnings = {
  due: (at: At) => sql<{ organization_id: number; id: number }>`
    select k.organization_id, k.id from api_keys k
      join organizations o on o.organization_id = k.organization_id and o.deleted_at is null
     where ${isToBeWarnedOf(at)} order by k.expires_at limit ${WARNED_AT_ONCE}`,
  one: (org: number, id: number, at: At) => sql<{ expires_at: string; days: number }>`
    select k.expires_at::text as expires_at, ${daysBefore(at)} as days from api_keys k
     where k.organization_id = ${org} and k.id = ${id} and ${isToBeWarnedOf(at)}`,
  /** No row when the key was revoked or got another end since the warning. */
  facts: (org: number, id: number) => sql<Facts>`
    select k.id, k.name, k.last_four, k.expires_at, k.last_used_at,
           (select u.name from users u where u.id = k.user_id) as created_by_name from api_keys k
     where k.organization_id = ${org} and k.id = ${id} and k.revoked_at is null and k.expiry_warned_for = k.expires_at`,
}

const warnOfKeys = jobKind('auth/warn-of-keys', {})

export const keyWarningJob = systemJob(warnOfKeys, {
  everySeconds: 60,
  before: async ({ read, now, ports: { settings } }, _job, { inEach }) => {
    const at = { now, settings }
    return inEach(await read(keyWarnings.due(at)), async (ctx, { organization_id, id }) => {
      const warning = await first(ctx, keyWarnings.one(organization_id, id, at))
      if (!warning) return
      const values: Record<string, unknown> = {
        expiry_warned_for: warning.expires_at,
        expiry_warned_days: warning.days,
      }
      await update(ctx, apiKeysTable, id, values, apiKeysTable.events.expiring)
    })
  },
})
