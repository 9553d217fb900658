// Warnings before something expires (docs/interface.md, Expiry warnings): an event and a mail to each member with the
// scope, once for each of the configured days, however often or late the job runs.
import { membersWith } from './recipients.ts'
import { sendMail } from './send-mail.ts'
import { update } from '#kernel/data/changes.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import type { Consumer } from '#kernel/jobs/events.ts'
import { enqueue, type Job, organizationJob, systemJob } from '#kernel/jobs/jobs.ts'
import type { Scope } from '#kernel/access/permissions.ts'
import { join, raw, sql, type Statement } from '#kernel/data/sql.ts'
import type { Table } from '#kernel/data/table.ts'
import '#ports/ports.ts'

/** A table with `status`, `product_name`, `expires_at` and the two columns `expiry_warned_for`, `expiry_warned_days`. */
export type Expiring = {
  table: Table<Record<string, unknown>, string, 'expiring'>
  scope: Scope
  codeColumn: string
  mail: 'entitlement-expiring' | 'license-expiring'
}

const BATCH = 500
const DAY_MS = 86_400_000
const LONGEST_DAYS = 365

export function warnings(expiring: Expiring): { jobs: Job[]; consumers: Consumer[] } {
  const { name, events } = expiring.table
  const announce = `${name}/announce-expiring`
  return {
    jobs: [
      systemJob({
        kind: `${name}/warn`,
        everySeconds: 60,
        before: async ({ read, now, ports }, _job, { inOrganization }) => {
          const days = ports.settings.expiryWarningDays
          if (days.length === 0) return
          for (const { organization_id, id } of await read(due(name, days, now)))
            await inOrganization(organization_id, (ctx) => warn(ctx, expiring, id))
        },
      }),
      organizationJob({
        kind: announce,
        run: async (ctx, { payload }) => {
          for (const { user_id } of await ctx.ask(membersWith(expiring.scope, ctx.organizationId, ctx.now)))
            await enqueue(ctx, `${name}/mail-expiring`, { id: payload['resource_id'], user_id })
        },
      }),
      mailJob(expiring),
    ],
    consumers: [{ event: events.expiring, job: announce }],
  }
}

const ALIVE = sql`status in ('active', 'suspended')`
const daysAfter = (now: Date, days: number): Date => new Date(now.getTime() + days * DAY_MS)

/**
 * Never warned of, or warned of earlier than now is due; of all organizations. Each part is a short stretch of an index,
 * however many rows have been warned of already.
 */
function due(table: string, days: readonly number[], now: Date): Statement<{ organization_id: number; id: number }> {
  const ends = (within: number) => sql`${ALIVE} and expires_at > ${now} and expires_at <= ${daysAfter(now, within)}`
  const again = days.map(
    (day) => sql`(select organization_id, id from ${raw(table)} where ${ends(day)}
      and expiry_warned_days = any(array(select generate_series(${day}::integer + 1, ${LONGEST_DAYS}))) limit ${BATCH})`,
  )
  return sql`
    (select organization_id, id from ${raw(table)} where ${ends(Math.max(...days))}
        and expiry_warned_for is distinct from expires_at limit ${BATCH})
    union ${join(again, ' union ')}`
}

type Warning = { expires_at: string; days: number }

/** The most urgent that is due; those that time has overtaken are not sent any more. */
async function warn(ctx: OrganizationContext, { table }: Expiring, id: number): Promise<void> {
  const days = ctx.settings.expiryWarningDays
  const warning = await first(
    ctx,
    sql<Warning>`
      select t.expires_at::text as expires_at, d.days from ${raw(table.name)} t, lateral (
        select min(day) as days from unnest(${days}::integer[], ${days.map((day) => daysAfter(ctx.now, day))}::timestamptz[])
          as due(day, at) where t.expires_at <= due.at) d
       where t.organization_id = ${ctx.organizationId} and t.id = ${id} and t.${ALIVE} and t.expires_at > ${ctx.now}
         and d.days is not null and (t.expiry_warned_for is distinct from t.expires_at or t.expiry_warned_days > d.days)`,
  )
  if (!warning) return
  const values = { expiry_warned_for: warning.expires_at, expiry_warned_days: warning.days }
  await update(ctx, table, id, values, table.events.expiring)
}

type Fact = { name: string; code: string; expires_at: string; organization_name: string }

/** Nothing is sent when it was renewed or has ended meanwhile, or the reader has lost the scope. */
const mailJob = ({ table, scope, codeColumn, mail }: Expiring): Job =>
  organizationJob({
    kind: `${table.name}/mail-expiring`,
    before: async (outside, job) => {
      const { id, user_id } = job.payload
      const { now, organizationId } = outside
      const org = organizationId ?? 0
      const [fact] = await outside.read(sql<Fact>`
        select t.product_name as name, t.${raw(codeColumn)} as code, t.expires_at, o.name as organization_name
          from ${raw(table.name)} t join organizations o on o.organization_id = ${org} and o.id = t.organization_id and o.deleted_at is null
         where t.organization_id = ${org} and t.id = ${id} and t.${ALIVE} and t.expires_at > ${now}
           and t.expiry_warned_for = t.expires_at`)
      const reader = (await outside.read(membersWith(scope, org, now))).find((one) => one.user_id === user_id)
      if (!fact || !reader) return
      await sendMail(outside, job, reader, {
        kind: mail,
        organizationName: fact.organization_name,
        name: fact.name,
        code: fact.code,
        expiresAt: fact.expires_at,
        daysLeft: Math.ceil((Date.parse(fact.expires_at) - now.getTime()) / DAY_MS),
        link: null,
      })
    },
  })
