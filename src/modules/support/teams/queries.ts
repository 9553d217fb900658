// All SQL of teams, which belong to no organization.
import { isStaffU, rolesWith } from '#kernel/values/staff-roles.ts'
import type { Page } from '#kernel/values/schema.ts'
import { sql } from '#kernel/values/sql.ts'
import { page, row } from '#http/route.ts'
import type { Team, TicketAbout } from './team.ts'

const mayReadTickets = isStaffU(rolesWith(['tickets:read']))

/** The account `u` may read tickets, and has not left staff since it joined by `m`. */
const isMember = sql`${mayReadTickets} and u.status = 'ACTIVE' and u.disabled_at is null`
const hasStayed = sql`(u.appointed_at is null or u.appointed_at <= m.joined_at)`

const columns = sql`t.id, t.name, t.default_for, t.created_at, t.updated_at, coalesce((
    select jsonb_agg(jsonb_build_object('user_id', u.id, 'name', u.name) order by u.name, u.id)
      from team_members m join users u on u.id = m.user_id
     where m.team_id = t.id and ${isMember} and ${hasStayed}), '[]') as members`

export type TeamDefault = Pick<Team, 'id' | 'name' | 'default_for'>

export const teams = {
  page: (query: Page) => page(query, { columns, id: 't.id', from: sql`from teams t where t.deleted_at is null` }),
  /** By name. */
  assignees: (query: Page) =>
    page(query, {
      columns: sql`u.id as user_id, u.name, array(
          select m.team_id from team_members m join teams t on t.id = m.team_id and t.deleted_at is null
           where m.user_id = u.id and ${hasStayed} order by m.team_id) as team_ids,
        (select count(*)::integer from tickets
          where assignee_id = u.id and status in ('open', 'in_progress', 'waiting')) as open_tickets`,
      id: 'u.id',
      sortedBy: { column: 'u.name', type: 'text' },
      oldestFirst: true,
      // As the condition of the index on staff.
      from: sql`from users u where u.roles <> '{customer}'::text[] and ${isMember}`,
    }),
  byId: (id: number) => row<Team>(teams.one(id)),
  one: (id: number) => sql<Team>`select ${columns} from teams t where t.id = ${id} and t.deleted_at is null`,
  /** Of those that change teams at once, each sees what the others did. */
  lock: () => sql`select pg_advisory_xact_lock(hashtextextended('teams', 0))`,
  defaults: () => sql<TeamDefault>`
    select t.id, t.name, t.default_for from teams t where t.deleted_at is null and t.default_for <> '{}' order by t.id`,
  add: (name: string, defaultFor: readonly TicketAbout[], now: Date) => sql<{ id: number }>`
    insert into teams (name, default_for, created_at, updated_at)
    values (${name}, ${defaultFor}::text[], ${now}, ${now}) returning id`,
  change: (id: number, { name, default_for }: Pick<Team, 'name' | 'default_for'>, now: Date) => sql`
    update teams set name = ${name}, default_for = ${default_for}::text[], updated_at = ${now} where id = ${id}
    returning id`,
  remove: (id: number, now: Date) => sql`
    update teams set deleted_at = ${now}, default_for = '{}', updated_at = ${now} where id = ${id} returning id`,
  openTickets: (id: number) => sql<{ count: number }>`
    select count(*) as count from tickets where team_id = ${id} and status not in ('closed', 'cancelled')`,

  /** Those of the people who may be members. */
  possibleMembers: (userIds: readonly number[]) => sql<{ id: number }>`
    select u.id from users u where u.id = any(${userIds}::bigint[]) and ${isMember}`,
  removeMembers: (id: number) => sql`delete from team_members where team_id = ${id} returning user_id`,
  addMembers: (id: number, userIds: readonly number[], now: Date) => sql`
    insert into team_members (team_id, user_id, joined_at)
    select ${id}, u.id, ${now} from unnest(${userIds}::bigint[]) u (id) returning user_id`,
  membersOf: (id: number) => sql<{ user_id: number }>`
    select m.user_id from teams t join team_members m on m.team_id = t.id join users u on u.id = m.user_id
     where t.id = ${id} and t.deleted_at is null and ${isMember} and ${hasStayed} order by m.user_id`,
  isThere: (id: number) => sql<{ id: number }>`select id from teams where id = ${id} and deleted_at is null`,
}
