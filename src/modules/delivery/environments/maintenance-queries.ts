// All SQL of maintenance windows.
import type { Due } from '#kernel/jobs/sweep.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import { page, parentIn, row } from '#http/route.ts'
import type { Company, Page } from '#kernel/values/schema.ts'
import { raw, sql } from '#kernel/values/sql.ts'
import { MaintenanceWindow } from './maintenance-window.ts'

const columns = sql`${raw(Object.keys(MaintenanceWindow.properties).join(', '))}`

export const maintenanceWindows = {
  page: (org: number, environmentId: number, query: Page) =>
    page(query, {
      columns,
      from: sql`from maintenance_windows where organization_id = ${org} and environment_id = ${environmentId}`,
      parent: parentIn('environments', org, environmentId),
    }),
  byId: (org: number, environmentId: number, id: number) =>
    row<MaintenanceWindow>(sql`
      select ${columns} from maintenance_windows
       where organization_id = ${org} and environment_id = ${environmentId} and id = ${id}`),
  /** The row, locked, or 404; with `environmentId` only if it belongs to that environment. */
  async forChange(ctx: OrganizationContext, id: number, environmentId?: number): Promise<MaintenanceWindow> {
    const found = await first(
      ctx,
      sql<MaintenanceWindow>`select ${columns} from maintenance_windows
        where organization_id = ${ctx.organizationId} and id = ${id} for update`,
    )
    if (!found || (environmentId !== undefined && found.environment_id !== environmentId)) throw notFound()
    return found
  },
  /** Planned and running windows of the environment that overlap the given one. */
  overlapping: (ctx: OrganizationContext, of: Pick<MaintenanceWindow, 'environment_id' | 'starts_at' | 'ends_at'>) =>
    ctx.ask<{ id: number }>(sql`
      select id from maintenance_windows
       where organization_id = ${ctx.organizationId} and environment_id = ${of.environment_id}
         and status in ('scheduled', 'running') and starts_at < ${of.ends_at} and ends_at > ${of.starts_at}`),
  running: (ctx: OrganizationContext, environmentId: number) =>
    first(
      ctx,
      sql<{ id: number }>`select id from maintenance_windows
        where organization_id = ${ctx.organizationId} and environment_id = ${environmentId} and status = 'running'
          and ends_at > ${ctx.now} order by id limit 1`,
    ),
  /**
   * Of all organizations: running windows whose end has passed, and planned ones whose start has passed. At one moment
   * the ends come first, since one window may start when another ends.
   */
  due: (now: Date) => sql<Due>`
    select organization_id, id, ends_at - interval '1 microsecond' as due_at from maintenance_windows
     where status = 'running' and ends_at <= ${now}
    union all
    select organization_id, id, starts_at from maintenance_windows where status = 'scheduled' and starts_at <= ${now}`,
  /** The facts of its mails. */
  mailFacts: (org: number, id: number) => sql<WindowFacts>`
    select w.status, w.starts_at, w.ends_at, w.note, w.environment_id, e.name as environment_name,
           e.status as environment_status, n.company
      from maintenance_windows w
      join environments e on e.organization_id = ${org} and e.id = w.environment_id
      join entitlements n on n.organization_id = ${org} and n.id = e.entitlement_id
     where w.organization_id = ${org} and w.id = ${id}`,
}

export type WindowFacts = Pick<MaintenanceWindow, 'status' | 'starts_at' | 'ends_at' | 'note' | 'environment_id'> & {
  environment_name: string
  environment_status: string
  company: Company
}
