// Warnings before something expires (docs/interface/delivery.md, Entitlements): at most one event for each of the
// configured days, however often or late the job runs. The mail about it is an announcement of the area.
import { update } from '#kernel/data/changes.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import type { JobKind } from '#kernel/data/job-kinds.ts'
import type { Job } from '#kernel/jobs/jobs.ts'
import { type Due, type SweepTime, sweepJob } from '#kernel/jobs/sweep.ts'
import { MOST_WARNINGS } from '#ports/vendor-settings.ts'
import { longestWarningIn, settingOf, warningDaysIn } from '#ports/settings-in-force.ts'
import { join, raw, sql, type Statement } from '#kernel/values/sql.ts'
import type { Table } from '#kernel/data/table.ts'
import type { Company } from '#kernel/values/schema.ts'

/**
 * A table with `status`, `renews`, `product_name`, `expires_at` and the two columns `expiry_warned_for`,
 * `expiry_warned_days`.
 */
type ExpiringTable = Table<Record<string, unknown>, string, 'expiring'>

const DAY_MS = 86_400_000
const DAY_SECONDS = 86_400
const LONGEST_DAYS = 365

export const expiryJob = <Payload>({ kind, table }: { kind: JobKind<Payload>; table: ExpiringTable }): Job =>
  sweepJob(kind, {
    due: (time) => due(table.name, time),
    moments: ({ now, settings }) => sql`
      select t.organization_id, t.expires_at - make_interval(secs => d.days * ${DAY_MS / 1000}) as due_at
        from ${raw(table.name)} t, unnest(${warningDaysIn(settings)}) as d(days)
       where ${ENDS} and t.expires_at > ${now}`,
    act: (ctx, { id }) => warn(ctx, table, id),
  })

/** What waits for its next payment is not about to end. */
const ENDS = sql`not t.renews and t.status in ('active', 'suspended')`
const daysAfter = (now: Date, days: number): Date => new Date(now.getTime() + days * DAY_MS)

/**
 * Rows of all organizations that have had no warning, or only one for a larger number of days than is due now. Each
 * part of the union reads a short range of an index, however many rows have had theirs.
 */
function due(table: string, { now, settings }: SweepTime): Statement<Due> {
  const ends = (within: Statement) => sql`
    ${ENDS} and expires_at > ${now} and expires_at <= (select ${now}::timestamptz + make_interval(secs => ${within} *
      ${DAY_SECONDS}))`
  const rows = sql`select organization_id, id, expires_at as due_at from ${raw(table)} t`
  // As many parts as a list may have days: those beyond its end read nothing.
  const again = Array.from({ length: MOST_WARNINGS }, (_, index) => {
    const day = sql`(${warningDaysIn(settings)})[${raw(String(index + 1))}]`
    return sql`${rows} where ${ends(day)}
      and expiry_warned_days = any(array(select generate_series(${day} + 1, ${LONGEST_DAYS})))`
  })
  const never = sql`${rows} where ${ends(longestWarningIn(settings))} and expiry_warned_for is distinct from expires_at`
  return sql<Due>`${join([never, ...again], ' union all ')}`
}

type Warning = { expires_at: string; days: number }

/** Only the warning with the fewest days left: those that a late job has missed are not made up for. */
async function warn(ctx: OrganizationContext, table: ExpiringTable, id: number): Promise<void> {
  const days = await settingOf(ctx, 'vendor', 'expiry_warning_days')
  const warning = await first(
    ctx,
    sql<Warning>`
      select t.expires_at::text as expires_at, d.days from ${raw(table.name)} t, lateral (
        select min(day) as days from unnest(${days}::integer[],
          ${days.map((day) => daysAfter(ctx.now, day))}::timestamptz[])
          as due(day, at) where t.expires_at <= due.at) d
       where t.organization_id = ${ctx.organizationId} and t.id = ${id} and ${ENDS} and t.expires_at > ${ctx.now}
         and d.days is not null and (t.expiry_warned_for is distinct from t.expires_at
           or t.expiry_warned_days > d.days)`,
  )
  if (!warning) return
  const values = { expiry_warned_for: warning.expires_at, expiry_warned_days: warning.days }
  await update(ctx, table, id, values, table.events.expiring)
}

type ExpiryFacts = { id: number; name: string; code: string; company: Company; expires_at: string }

/**
 * `entitlement`: the column with the entitlement's id. No row when the record was renewed or has ended since the
 * warning.
 */
export const expiryFacts =
  (table: ExpiringTable, entitlement: 'id' | 'entitlement_id') =>
  (org: number, id: number): Statement<ExpiryFacts> =>
    sql`
    select t.id, t.product_name as name, e.code, e.company, t.expires_at from ${raw(table.name)} t
      join entitlements e on e.organization_id = ${org} and e.id = t.${raw(entitlement)}
     where t.organization_id = ${org} and t.id = ${id} and ${ENDS} and t.expiry_warned_for = t.expires_at`

/** Null when it has expired by now. */
export function expiryContent<Common>(
  { name, code, expires_at: expiresAt }: ExpiryFacts,
  common: Common,
  { now }: { now: Date },
) {
  const daysLeft = Math.ceil((Date.parse(expiresAt) - now.getTime()) / DAY_MS)
  return daysLeft > 0 ? { ...common, name, code, expiresAt, daysLeft } : null
}
