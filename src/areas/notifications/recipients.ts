// Whom a mail is for: the audiences that several areas share. Whether somebody may get mail at all is decided once, in
// announce.ts, when the mail is sent.
import { isInForce } from '#kernel/values/clock-skew.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import type { Scope } from '#kernel/access/permissions.ts'
import { sql } from '#kernel/data/sql.ts'

/** A user, or an address that no account stands behind, of which a mail has one at most. */
export type Recipient = { user_id: number } | { user_id: null; email: string; language: string }

/** What both jobs have: the one that finds the recipients, and the one that asks whether they still are. */
export type AudienceContext = Pick<OrganizationContext, 'ask' | 'now' | 'settings' | 'organizationId'>

export type Audience<Facts> = (context: AudienceContext, facts: Facts) => Promise<Recipient[]>

/** Active members whose role has scopes, and who hold the one. */
export const membersWith =
  (scope: Scope): Audience<unknown> =>
  ({ ask, now, organizationId }) =>
    ask(sql<{ user_id: number }>`
      select c.user_id from collaborators c
       where c.organization_id = ${organizationId} and c.user_id is not null and ${scope} = any(c.scopes) and c.weight >= 50
         and ${isInForce('c', now)}
       order by c.id`)
