// The audiences that several areas share. Whether a recipient may get mail at all is checked once, in announce.ts, when
// the mail is sent.
import { isInForce } from '#kernel/values/time/clock-skew.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { type RoleName, type Scope, weightOf } from '#kernel/values/permissions.ts'
import { isStaffU, type StaffScope } from '#kernel/values/staff-roles.ts'
import { type Statement, sql } from '#kernel/values/sql.ts'
import type { Clock } from '#kernel/values/time/clock.ts'
import { hiddenScopesIn, settingOf } from '#ports/settings-in-force.ts'
import type { Needs } from '#modules/messages/me/notice-kind.ts'

/** A user, or an address without an account. */
export type Recipient = ({ user_id: number } | { user_id: null; email: string; language: string }) & {
  /** Whether the mail brings its papers; by default it does. */
  attachments?: boolean
}

/** What the job that finds the recipients and the job that checks them again before sending have in common. */
export type AudienceContext = Clock & Pick<OrganizationContext, 'ask' | 'settings' | 'organizationId'>

type Find<Facts> = (context: AudienceContext, facts: Facts) => Promise<Recipient[]>
/** `needs` is null where nobody with an account is a recipient. */
export type Audience<Facts> = { readonly needs: Needs | null; readonly find: Find<Facts> }

/** Those who hold the scope, and `find` picks from. */
export const amongMembersWith = <Facts>(
  scope: Scope,
  find: Find<Facts>,
  staff: StaffScope = scope,
): Audience<Facts> => ({
  needs: { members: { scope, atLeast: 'member' }, staff },
  find,
})

const hasScope = (scope: Scope, { settings }: AudienceContext): Statement =>
  sql`${scope} = any(visible_scopes(c.granted_scopes, c.hidden_scopes, ${hiddenScopesIn(settings)}))`

/** Members in force who hold the scope; 50 is the weight of the lowest role that has scopes. */
export const membersWith = (scope: Scope): Audience<unknown> =>
  amongMembersWith(scope, (context) =>
    context.ask(sql<{ user_id: number }>`
      select c.user_id from access_check c
       where c.organization_id = ${context.organizationId} and c.user_id is not null and ${hasScope(scope, context)}
         and c.weight >= 50
         and ${isInForce('c', context)}
       order by c.user_id`),
  )

/** Members in force with at least the role, who hold the scope. */
export const membersFromWith = (role: RoleName, scope: Scope): Audience<unknown> => ({
  needs: { members: { scope, atLeast: role }, staff: scope },
  find: (context) =>
    context.ask(sql<{ user_id: number }>`
      select c.user_id from access_check c
       where c.organization_id = ${context.organizationId} and c.user_id is not null and ${hasScope(scope, context)}
         and c.weight >= ${weightOf(role)} and ${isInForce('c', context)}
       order by c.user_id`),
})

/** The address of `support_email`, if there is one. */
export const supportAddress: Find<unknown> = async (context) => {
  const email = await settingOf(context, 'vendor', 'support_email')
  return email === '' ? [] : [{ user_id: null, email, language: 'en' }]
}

/** The vendor's staff: `support_email`, or each administrator where it is not set. */
export const supportDesk: Find<unknown> = async (context, facts) => {
  const desk = await supportAddress(context, facts)
  return desk.length > 0 ? desk : context.ask(administrators)
}

export const amongStaff = <Facts>(staff: StaffScope, find: Find<Facts>): Audience<Facts> => ({
  needs: { members: null, staff },
  find,
})

const isAdministrator = isStaffU(['administrator'])
const administrators = sql<{ user_id: number }>`
  select u.id as user_id from users u
   where ${isAdministrator} and u.status = 'ACTIVE' and u.disabled_at is null order by u.id`

/** An address that a record names, without an account. */
export const anAddress = <Facts>(find: Find<Facts>): Audience<Facts> => ({ needs: null, find })

export const amongRoles = <Facts>(atLeast: RoleName, find: Find<Facts>): Audience<Facts> => ({
  needs: { members: { scope: null, atLeast }, staff: 'organization' },
  find,
})

/** Members in force with at least the role. */
export const membersFrom = (role: RoleName): Audience<unknown> =>
  amongRoles(role, (context) =>
    context.ask(sql<{ user_id: number }>`
      select c.user_id from collaborators c
       where c.organization_id = ${context.organizationId} and c.user_id is not null and c.weight >= ${weightOf(role)}
         and ${isInForce('c', context)}
       order by c.id`),
  )
