// All SQL of the ends of memberships. A test clock moves no membership.
import { type Statement, sql } from '#kernel/values/sql.ts'

const WARNED_BEFORE = '7 days'

export type Ending = { expired_at: string; is_over: boolean }

/** Has ended without being announced, or will end soon without a warning, if it lasts longer than that at all. */
const isDue = (now: Date): Statement => sql`
  c.role <> 'pending' and c.expired_at <= ${now}::timestamptz + ${WARNED_BEFORE}::interval
  and (c.expired_at <= ${now} and c.end_announced_for is distinct from c.expired_at
    or c.expired_at > ${now} and c.end_warned_for is distinct from c.expired_at
       and coalesce(c.started_at, c.created_at) <= c.expired_at - ${WARNED_BEFORE}::interval)`

export const endings = {
  due: (now: Date, limit: number) => sql<{ organization_id: number; id: number }>`
    select c.organization_id, c.id from collaborators c
      join organizations o on o.organization_id = c.organization_id and o.deleted_at is null
     where ${isDue(now)} order by c.expired_at limit ${limit}`,
  one: (org: number, id: number, now: Date) => sql<Ending>`
    select c.expired_at, c.expired_at <= ${now} as is_over from collaborators c
     where c.organization_id = ${org} and c.id = ${id} and ${isDue(now)}`,
  /** No row when the membership was prolonged since the warning. */
  facts: (org: number, id: number) => sql<{
    id: number
    user_id: number
    name: string
    expired_at: string
    owner_id: number | null
  }>`
    select c.id, c.user_id, u.name, c.expired_at, o.owner_id from collaborators c
      join users u on u.id = c.user_id
      join (select * from organizations where organization_id = ${org} and id = ${org}) o on true
     where c.organization_id = ${org} and c.id = ${id} and c.end_warned_for = c.expired_at`,
}
