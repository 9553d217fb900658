// Warnings before something expires (docs/interface/delivery.md, Entitlements): at most one event for each of the
// configured days, however often or late the job runs. The mail about it is an announcement of the area.
import { update } from '#kernel/data/changes.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import type { JobKind } from '#kernel/data/job-kinds.ts'
import type { Job } from '#kernel/jobs/jobs.ts'
import { type Due, sweepJob } from '#kernel/jobs/sweep.ts'
import { join, raw, sql, type Statement } from '#kernel/values/sql.ts'
import type { Table } from '#kernel/data/table.ts'
import type { Company } from '#kernel/values/schema.ts'

/**
 * A table with `status`, `renews`, `product_name`, `expires_at` and the two columns `expiry_warned_for`,
 * `expiry_warned_days`.
 */
type ExpiringTable = Table<Record<string, unknown>, string, 'expiring'>

const DAY_MS = 86_400_000
const LONGEST_DAYS = 365

export const expiryJob = <Payload>({ kind, table }: { kind: JobKind<Payload>; table: ExpiringTable }): Job =>
  sweepJob(kind, {
    due: ({ now, settings }) => due(table.name, settings.expiryWarningDays, now),
    moments: ({ now, settings }) => sql`
      select t.organization_id, t.expires_at - make_interval(secs => d.days * ${DAY_MS / 1000}) as due_at
        from ${raw(table.name)} t, unnest(${settings.expiryWarningDays}::integer[]) as d(days)
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
function due(table: string, days: readonly number[], now: Date): Statement<Due> {
  const ends = (within: number) => sql`${ENDS} and expires_at > ${now} and expires_at <= ${daysAfter(now, within)}`
  const rows = sql`select organization_id, id, expires_at as due_at from ${raw(table)} t`
  const again = days.map(
    (day) => sql`${rows} where ${ends(day)}
      and expiry_warned_days = any(array(select generate_series(${day}::integer + 1, ${LONGEST_DAYS})))`,
  )
  const never = sql`${rows} where ${ends(Math.max(0, ...days))} and expiry_warned_for is distinct from expires_at`
  return sql<Due>`${join([never, ...again], ' union all ')}`
}

type Warning = { expires_at: string; days: number }

/** Only the warning with the fewest days left: those that a late job has missed are not made up for. */
async function warn(ctx: OrganizationContext, table: ExpiringTable, id: number): Promise<void> {
  const days = ctx.settings.expiryWarningDays
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
