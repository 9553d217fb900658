// The audiences that several areas share. Whether a recipient may get mail at all is checked once, in announce.ts, when
// the mail is sent.
import { isInForce } from '#kernel/values/clock-skew.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import '#ports/ports.ts'
import { type RoleName, type Scope, weightOf } from '#kernel/access/permissions.ts'
import { sql } from '#kernel/data/sql.ts'

/** A user, or an address without an account; a mail has at most one of the latter. */
export type Recipient = { user_id: number } | { user_id: null; email: string; language: string }

/** What the job that finds the recipients and the job that checks them again before sending have in common. */
export type AudienceContext = Pick<OrganizationContext, 'ask' | 'realNow' | 'settings' | 'organizationId'>

export type Audience<Facts> = (context: AudienceContext, facts: Facts) => Promise<Recipient[]>

/** Members in force who hold the scope; 50 is the weight of the lowest role that has scopes. */
export const membersWith =
  (scope: Scope): Audience<unknown> =>
  ({ ask, realNow, organizationId }) =>
    ask(sql<{ user_id: number }>`
      select c.user_id from collaborators c
       where c.organization_id = ${organizationId} and c.user_id is not null and ${scope} = any(c.scopes) and c.weight >= 50
         and ${isInForce('c', realNow)}
       order by c.id`)

/** The vendor's staff: SUPPORT_EMAIL, or each of them where it is not set. */
export const supportDesk: Audience<unknown> = async ({ ask, settings: { supportEmail } }) =>
  supportEmail === null ? ask(administrators) : [{ user_id: null, email: supportEmail, language: 'en' }]

const administrators = sql<{ user_id: number }>`
  select id as user_id from users where 'administrator' = any(roles) and disabled_at is null order by id`

/** Members in force with at least the role. */
export const membersFrom =
  (role: RoleName): Audience<unknown> =>
  ({ ask, realNow, organizationId }) =>
    ask(sql<{ user_id: number }>`
      select c.user_id from collaborators c
       where c.organization_id = ${organizationId} and c.user_id is not null and c.weight >= ${weightOf(role)}
         and ${isInForce('c', realNow)}
       order by c.id`)
