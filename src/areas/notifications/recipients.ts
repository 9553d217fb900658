// Who of an organization is told of something: the active members who may see it.
import { isInForce } from '#kernel/values/clock-skew.ts'
import type { Scope } from '#kernel/access/permissions.ts'
import { sql } from '#kernel/data/sql.ts'

export type CallerContext = { user_id: number; email: string; language: string }

export const membersWith = (scope: Scope, org: number, now: Date) => sql<CallerContext>`
  select u.id as user_id, u.email, u.language
    from collaborators c join users u on u.id = c.user_id and u.disabled_at is null
   where c.organization_id = ${org} and ${scope} = any(c.scopes) and c.weight >= 50
     and ${isInForce('c', now)}
   order by c.id`
