// All SQL of collaborators.
import { isInForce } from '#kernel/values/time/clock-skew.ts'
import { FLAGS } from '#kernel/values/permissions.ts'
import type { ActionRow } from '#http/manifest/actions.ts'
import { page, parentIn, row } from '#http/route.ts'
import { contains } from '#kernel/data/lists/search.ts'
import { isOneOf, raw, sql, when } from '#kernel/values/sql.ts'
import type { Clock } from '#kernel/values/time/clock.ts'
import type { Collaborator, CollaboratorFilters, CollaboratorRow } from './collaborator.ts'
import { EXPIRATION } from './invite-queries.ts'

const rowColumns = raw(
  `id, organization_id, parent_user_id, user_id, email, role, invited_role, named_role_id, ${FLAGS.join(', ')},
      ticket_visibility, started_at, expired_at,
   end_warned_for, end_announced_for, invite_status, invite_expires_at, created_at, updated_at`,
)

const status = (at: Clock) => sql`
  case when c.role = 'pending' and c.invite_status is null then 'not_invited'
       when c.role = 'pending' and c.invite_status = 'pending' and ${EXPIRATION} > ${at.realNow} then 'invited'
       when c.role = 'pending' and c.invite_status = 'rejected' then 'rejected'
       when c.role = 'pending' or c.expired_at <= ${at.realNow} then 'expired'
       when not (${isInForce('c', at)}) then 'scheduled'
       else 'active' end`

/** For owners, admins and staff: others could choose by it whom to attack. */
const hasSecondFactor = sql`
  case when c.user_id is not null and c.role <> 'pending' and current_setting('app.role', true) in ('owner', 'admin')
       then exists (select 1 from totp_factors t where t.user_id = c.user_id and t.confirmed_at is not null)
            or exists (select 1 from passkeys p where p.user_id = c.user_id) end`

const columns = (at: Clock) => sql`
  c.id, c.organization_id, c.parent_user_id, c.user_id, coalesce(u.email, c.email) as email, u.name, c.role,
    c.invited_role, c.named_role_id, ${status(at)} as status,
  ${raw(FLAGS.map((flag) => `c.${flag}`).join(', '))}, c.ticket_visibility, c.started_at, c.expired_at,
  case when c.invite_status = 'pending' and c.invite_expires_at <= ${at.realNow} then 'expired' else c.invite_status
    end as invite_status,
  c.invite_expires_at, ${hasSecondFactor} as has_second_factor, c.created_at, c.updated_at`

const from = sql`from collaborators c left join users u on u.id = c.user_id`

const record = (org: number, id: number, at: Clock) =>
  sql<Collaborator>`select ${columns(at)} ${from} where c.organization_id = ${org} and c.id = ${id}`

export type Membership = Pick<CollaboratorRow, 'id' | 'role' | 'ticket_visibility'> & {
  scopes: string[]
  disabled: boolean
}

export const collaborators = {
  /** Collaborators of the organization in the path, which is the organization of the header. */
  page: (org: number, id: number, query: CollaboratorFilters, at: Clock) =>
    page(query, {
      parent: parentIn('organizations', org, id),
      columns: columns(at),
      id: 'c.id',
      from: sql`${from} where c.organization_id = ${org}
        ${isOneOf('c.role', query.role)}
        ${isOneOf(status(at), query.status)}
        ${when(
          query.search,
          (text) => sql`and (${contains('coalesce(u.email, c.email)', text)}
          or ${contains('u.name', text)})`,
        )}`,
    }),
  byId: (org: number, path: { id: number; collaborator_id: number }, at: Clock) =>
    row<Collaborator>(sql`${record(org, path.collaborator_id, at)} and c.organization_id = ${path.id}`),
  record,
  rowById: (org: number, id: number) =>
    sql<CollaboratorRow>`select ${rowColumns} from collaborators where organization_id = ${org} and id = ${id}`,
  /** The membership of a user that is in force now, with what it grants, be it hidden or not. */
  membershipOf: (org: number, userId: number | null, at: Clock) => sql<Membership>`
    select c.id, c.role, c.ticket_visibility, c.granted_scopes as scopes, false as disabled from collaborators c
     where c.organization_id = ${org} and c.user_id = ${userId} and c.role <> 'pending'
       and ${isInForce('c', at)}`,
  /** The same by the collaborator's id, with whether the user is disabled. */
  membershipBy: (org: number, id: number, at: Clock) => sql<Membership>`
    select c.id, c.role, c.ticket_visibility, c.granted_scopes as scopes, u.disabled_at is not null as disabled
      from collaborators c join users u on u.id = c.user_id
     where c.organization_id = ${org} and c.id = ${id} and c.role <> 'pending'
       and ${isInForce('c', at)}`,
  /** The collaborator or invite with the address, in any case. */
  withAddress: (org: number, email: string) => sql<Pick<CollaboratorRow, 'id' | 'role' | 'invite_status'>>`
    select c.id, c.role, c.invite_status from collaborators c left join users u on u.id = c.user_id
     where c.organization_id = ${org} and (lower(c.email) = lower(${email}) or lower(u.email) = lower(${email}))
       limit 1`,
  /**
   * The membership of a user was ended by them or by others; or it may have been, by an entry that `audit remove-old`
   * removed.
   */
  wasRemoved: (org: number, userId: number) => sql`
    select u.id from users u
     where u.id = ${userId}
       and (exists (select 1 from audit_log where organization_id = ${org} and action = 'deleted'
         and resource = 'collaborator'
                       and before ->> 'user_id' = ${String(userId)})
         or exists (select 1 from organizations o join audit_beginning b on o.created_at < b.removed_before
                     where o.organization_id = ${org} and o.id = ${org} and u.registered < b.removed_before))`,
  /** Memberships of a person, and invites to their addresses (in lower case), in all organizations. */
  everywhere: (userId: number, addresses: readonly string[]) => sql<{ organization_id: number; id: number }>`
    select organization_id, id from collaborators where user_id = ${userId}
     union select organization_id, id from collaborators where user_id is null
       and lower(email) = any(${addresses}::text[])
     order by organization_id, id`,
  /** The organizations that a person owns and that are not deleted. */
  owned: (userId: number) => sql<{ id: number }>`
    select o.id from collaborators c join organizations o on o.id = c.organization_id and o.deleted_at is null
     where c.user_id = ${userId} and c.role = 'owner' order by o.id limit 1`,
  /** As they wait for somebody to send them again, or to revoke them. */
  expiredInvites: (org: number, at: Clock) => sql<ActionRow>`
    select id, email as label, null::date as due_on from collaborators
     where organization_id = ${org} and role = 'pending' and invite_status in ('pending', 'expired')
       and invite_expires_at <= ${at.realNow}`,
  /** An owner, or an invite for one. */
  owner: (org: number) => sql<{ id: number }>`
    select id from collaborators
     where organization_id = ${org} and (role = 'owner' or role = 'pending' and invited_role = 'owner') limit 1`,
}
