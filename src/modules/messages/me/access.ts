// GET /me/access: what the caller may in the organization, by what and until when, and who can grant what is missing.
import { Type, type Static } from 'typebox'
import { permissionFor } from '#kernel/values/staff-roles.ts'
import { isInForce } from '#kernel/values/time/clock-skew.ts'
import { holds, ROLE_NAMES, ROLES, SCOPE_NAMES, SCOPES, type Scope, weightOf } from '#kernel/values/permissions.ts'
import { raw, sql, type Statement } from '#kernel/values/sql.ts'
import type { Clock } from '#kernel/values/time/clock.ts'
import type { CallerContext } from '#http/route.ts'
import { Closed, Email, Id, Name, Nullable, Timestamp } from '#kernel/values/schema.ts'

const ScopeName = Type.Enum(SCOPE_NAMES, { examples: ['quotes'] })
const RoleName = Type.Enum(ROLE_NAMES, { examples: ['member'] })

const Granter = Type.Object({
  name: Name,
  role: RoleName,
  email: Nullable({
    ...Email,
    description: 'Null unless the caller holds the scope `organization`, and so sees members',
  }),
})
const granters = (description: string) => Type.Array(Granter, { description })

const Missing = Type.Object({
  scope: ScopeName,
  governs: Type.String({ examples: ['viewing, accepting, rejecting quotes'] }),
  is_hidden: Type.Boolean({
    description: 'The vendor does not show it to the organization: nobody in it has it, or can grant it',
  }),
  granted_by: granters('Who can grant it to the caller; ten at most'),
})

export const Access = Type.Object(
  {
    role: RoleName,
    is_staff: Type.Boolean({ description: 'The vendor’s staff act as admins, with the scopes of their roles' }),
    scopes: Type.Array(ScopeName, {
      description: 'What the caller holds, with what they imply; of staff what they may read',
    }),
    named_role: Nullable(
      Type.Object({ id: Id, name: Name }, { description: 'The role of the organization that the scopes come from' }),
    ),
    ticket_visibility: Nullable(Type.String({ description: 'Which tickets the caller sees', examples: ['all'] })),
    started_at: Nullable(Timestamp),
    expired_at: Nullable({ ...Timestamp, description: 'When the membership ends; null: no end' }),
    manages_members: Type.Boolean({ description: 'May invite and change those below' }),
    missing: Type.Array(Missing, { description: 'The scopes that the caller lacks, or the one that was asked for' }),
    admin_by: granters('Who can make the caller an admin; none where they are one. Ten at most'),
  },
  { description: 'What the caller may in an organization' },
)
type Access = Static<typeof Access>

export const AccessQuestion = Closed({
  scope: Type.Optional(Type.Enum(SCOPE_NAMES, { description: 'Only this one under `missing`' })),
})

type Own = {
  ticket_visibility: string
  started_at: string | null
  expired_at: string | null
  named_role: { id: number; name: string } | null
  hidden: string[]
}
type Above = { name: string; email: string; role: 'owner' | 'admin'; scopes: string[] }

/** An API key asks as its creator. */
const OF_CALLER = raw(`nullif(current_setting('app.user_id', true), '')::bigint`)
const MOST_NAMED = 10
const MOST_READ = 100

export const accesses = {
  own: (org: number, at: Clock, hidden: Statement) => sql<Own>`
    select c.ticket_visibility, c.started_at, c.expired_at,
           case when r.id is not null then jsonb_build_object('id', r.id, 'name', r.name) end as named_role,
           coalesce(o.hidden_scopes, ${hidden}) as hidden
      from collaborators c join organizations o on o.organization_id = ${org} and o.id = ${org}
           left join organization_roles r on r.organization_id = ${org} and r.id = c.named_role_id
     where c.organization_id = ${org} and c.user_id = ${OF_CALLER} and ${isInForce('c', at)}`,
  /** Who manages members: the owner first. */
  managers: (org: number, at: Clock) => sql<Above>`
    select u.name, u.email, c.role, c.granted_scopes as scopes from collaborators c join users u on u.id = c.user_id
      and u.disabled_at is null
     where c.organization_id = ${org} and c.weight >= ${weightOf('admin')} and 'organization' = any(c.granted_scopes)
       and c.user_id <> ${OF_CALLER} and ${isInForce('c', at)}
     order by c.weight desc, c.id limit ${MOST_READ}`,
}

/** `scopes` of staff are what they may read. */
const mayWrite = ({ caller, scopes }: Pick<CallerContext, 'caller' | 'scopes'>, scope: Scope): boolean =>
  caller.staff ? (caller.permissions ?? []).includes(permissionFor(scope, true)) : holds(scopes, scope)

/** Nobody grants more than they hold, nor to somebody who is not below them; owners are above everybody. */
export function shapeAccess(
  { caller, role, scopes }: Pick<CallerContext, 'caller' | 'role' | 'scopes'>,
  [own]: readonly Own[],
  managers: readonly Above[],
  asked?: Scope,
): Access {
  const known = ROLE_NAMES.find((name) => name === role) ?? 'pending'
  const isMember = !caller.staff && caller.kind === 'user'
  const above = isMember ? managers.filter((one) => one.role === 'owner' || weightOf(one.role) > weightOf(known)) : []
  const named = (who: readonly Above[]) =>
    who.slice(0, MOST_NAMED).map(({ name, email, role: as }) => ({
      name,
      role: as,
      email: holds(scopes, 'organization') ? email : null,
    }))
  const lacked = SCOPE_NAMES.filter((scope) => (asked ?? scope) === scope && !holds(scopes, scope))
  return {
    role: known,
    is_staff: caller.staff,
    scopes: SCOPE_NAMES.filter((scope) => holds(scopes, scope)),
    named_role: own?.named_role ?? null,
    ticket_visibility: caller.staff ? 'all' : (own?.ticket_visibility ?? null),
    started_at: own?.started_at ?? null,
    expired_at: own?.expired_at ?? null,
    manages_members: ROLES[known].managesMembers !== 'none' && mayWrite({ caller, scopes }, 'organization'),
    missing: lacked.map((scope) => {
      const isHidden = !caller.staff && own?.hidden.includes(scope) === true
      const holders = isHidden ? [] : above.filter((one) => holds(one.scopes, scope))
      return { scope, governs: SCOPES[scope].governs, is_hidden: isHidden, granted_by: named(holders) }
    }),
    admin_by: named(weightOf(known) < weightOf('admin') ? above.filter((one) => one.role === 'owner') : []),
  }
}
