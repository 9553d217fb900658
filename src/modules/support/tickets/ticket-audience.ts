// Who can be assigned to a ticket, can watch it, and gets its mails.
import { hasTwoFactors, isSignedOn } from '#kernel/access/session-rules.ts'
import { isInForce } from '#kernel/values/time/clock-skew.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import type { RoleName } from '#kernel/values/permissions.ts'
import { isStaffU, rolesWith } from '#kernel/values/staff-roles.ts'
import { invalid } from '#kernel/values/errors.ts'
import { raw, type Statement, sql } from '#kernel/values/sql.ts'
import type { Clock } from '#kernel/values/time/clock.ts'
import { hiddenScopesIn } from '#ports/settings-in-force.ts'
import type { Ticket } from './ticket.ts'

const mayReadTickets = isStaffU(rolesWith(['tickets:read']))
const isAnyStaff = isStaffU()

type Context = Clock & Pick<OrganizationContext, 'organizationId' | 'settings'>

/** What the member of a row of the `access_check` has. */
const scopesOf = (alias: string, { settings }: Context): Statement => sql`
  visible_scopes(${raw(alias)}.granted_scopes, ${raw(alias)}.hidden_scopes, ${hiddenScopesIn(settings)})`

export type AudienceMember = { user_id: number; staff: boolean; collaborator: boolean }

/**
 * Those of the given users who may read a ticket that `opener` opened and they would watch: staff, and members in force
 * with the scope.
 */
export const ticketAudience = (
  context: Context,
  { userIds, opener = null }: { userIds: readonly (number | null)[]; opener?: number | null },
) => sql<AudienceMember>`
  select u.id as user_id, may.staff, may.collaborator
    from users u
   cross join lateral (select ${mayReadTickets} and u.status = 'ACTIVE' as staff, exists (
       select 1 from access_check c
        where c.organization_id = ${context.organizationId} and c.user_id = u.id and c.weight >= 50
          and 'entitlements' = any(${scopesOf('c', context)}) and (c.ticket_visibility <> 'own' or u.id = ${opener})
          and ${isInForce('c', context)}
     ) as collaborator) may
   where u.id = any(${userIds}::bigint[]) and u.disabled_at is null and (may.staff or may.collaborator)
   order by u.id`

export type AnsweringMember = {
  user_id: number
  name: string
  email: string
  language: string
  role: RoleName
  scopes: string[]
}

/**
 * The member, if a request of theirs to comment on the ticket would be admitted without a session: an answer by mail
 * has neither a second factor nor a single sign-on. Staff answer in no mail: what they write may be internal.
 */
export const memberAnswering = (
  context: Context,
  { userId, ticket }: { userId: number; ticket: Pick<Ticket, 'created_by' | 'watcher_ids'> },
) => sql<AnsweringMember>`
  select u.id as user_id, u.name, u.email, u.language, d.role, ${scopesOf('d', context)} as scopes
    from access_check d join users u on u.id = d.user_id
         cross join (select null::text as second_factor, null::bigint as sso_organization_id,
                            false as sso_second_factor) s
   where d.organization_id = ${context.organizationId} and d.user_id = ${userId} and d.weight >= 50
     and 'tickets' = any(${scopesOf('d', context)}) and ${isInForce('d', context)}
     and u.disabled_at is null and u.status = 'ACTIVE' and not (${isAnyStaff})
     and ${isSignedOn(sql`s`, sql`u.email`)} and ${hasTwoFactors(sql`s`)}
     and (d.ticket_visibility = 'all' or u.id = ${ticket.created_by}
       or d.ticket_visibility = 'watched' and u.id = any(${ticket.watcher_ids}::bigint[]))`

/** Customers can name only collaborators, so that they cannot find out who works for the vendor. */
export async function possibleWatchers(
  ctx: OrganizationContext,
  users: { userIds: readonly number[]; opener: number | null },
): Promise<AudienceMember[]> {
  const known = await ctx.ask(ticketAudience(ctx, users))
  return ctx.caller.staff ? known : known.filter(({ collaborator }) => collaborator)
}

export const whoMayWatch = (ctx: OrganizationContext): string =>
  `collaborators who may read tickets${ctx.caller.staff ? ', or staff' : ''}`

export async function assertMembers(ctx: OrganizationContext, watcherIds: readonly number[]): Promise<void> {
  if (watcherIds.length === 0) return
  const known = await possibleWatchers(ctx, { userIds: watcherIds, opener: ctx.caller.userId })
  if (known.length < new Set(watcherIds).size) throw invalid({ watcher_ids: `must be among the ${whoMayWatch(ctx)}` })
}

export async function assertStaff(ctx: OrganizationContext, assigneeId: number | null | undefined): Promise<void> {
  if (assigneeId === null || assigneeId === undefined) return
  const [known] = await ctx.ask(ticketAudience(ctx, { userIds: [assigneeId] }))
  if (!known?.staff) throw invalid({ assignee_id: 'must be a member of staff' })
}
