// Who may be asked to work on a ticket, and who hears of it.
import type { OrganizationContext } from '#kernel/context.ts'
import { invalid } from '#kernel/errors.ts'
import { sql } from '#kernel/sql.ts'

export type Listener = { user_id: number; email: string; language: string; staff: boolean }

/** Of the given users those who may read tickets here: staff, and active collaborators with the scope. */
export const listeners = (org: number, now: Date, userIds: readonly (number | null)[]) => sql<Listener>`
  select u.id as user_id, u.email, u.language, 'administrator' = any(u.roles) as staff
    from users u
   where u.id = any(${userIds}::bigint[]) and u.disabled_at is null
     and ('administrator' = any(u.roles) or exists (
       select from collaborators c
        where c.organization_id = ${org} and c.user_id = u.id and c.weight >= 50 and 'entitlements' = any(c.scopes)
          and (c.started_at is null or c.started_at <= ${now}) and (c.expired_at is null or c.expired_at > ${now})))
   order by u.id`

export async function refuseStrangers(ctx: OrganizationContext, watcherIds: readonly number[]): Promise<void> {
  if (watcherIds.length === 0) return
  const known = await ctx.ask(listeners(ctx.organizationId, ctx.now, watcherIds))
  if (known.length < new Set(watcherIds).size)
    throw invalid({ watcher_ids: 'must be collaborators who may read tickets, or staff' })
}

export async function refuseNoStaff(ctx: OrganizationContext, assigneeId: number | null | undefined): Promise<void> {
  if (assigneeId === null || assigneeId === undefined) return
  const [known] = await ctx.ask(listeners(ctx.organizationId, ctx.now, [assigneeId]))
  if (!known?.staff) throw invalid({ assignee_id: 'must be a member of staff' })
}
