// All SQL of invites. Lookups by token and by address cover all organizations.
import { digest } from '#kernel/keys/secrets.ts'
import { page } from '#http/route.ts'
import { weightOf } from '#kernel/values/permissions.ts'
import { raw, sql } from '#kernel/values/sql.ts'
import { isStaffU, rolesWith } from '#kernel/values/staff-roles.ts'
import { isInForce } from '#kernel/values/time/clock-skew.ts'
import type { AudienceContext } from '#modules/messages/notifications/recipients.ts'
import type { CollaboratorRow } from './collaborator.ts'
import type { InviteCheck, InviteFilters } from './received-invite.ts'

export type FoundInvite = Pick<InviteCheck, 'organization_id' | 'organization_name' | 'email' | 'expiration'> &
  Pick<CollaboratorRow, 'id' | 'invited_role' | 'invite_status'>

/** Of an invite `c`: its own end, or that of the access that it gives, without which it gives nothing. */
export const EXPIRATION = raw('least(c.invite_expires_at, c.expired_at)')

const mayReadMembers = isStaffU(rolesWith(['organization:read']))

export const invites = {
  byToken: (token: string) => sql<FoundInvite>`
    select c.id, c.organization_id, o.name as organization_name, c.email, c.invited_role, c.invite_status,
           ${EXPIRATION} as expiration
      from collaborators c join organizations o on o.id = c.organization_id and o.deleted_at is null
     where c.invite_digest = ${digest(token)}`,
  /** The invites to the user's address, if it is proven. */
  pageOf: (userId: number, query: InviteFilters, now: Date) =>
    page(query, {
      columns: sql`c.id, c.organization_id, o.name as organization_name, c.email, c.invited_role as role,
        c.invite_status as status, ${EXPIRATION} as expiration, i.name as invited_by, c.created_at`,
      id: 'c.id',
      from: sql`from collaborators c
        join users u on u.id = ${userId} and u.status = 'ACTIVE' and lower(u.email) = lower(c.email)
        join organizations o on o.id = c.organization_id and o.deleted_at is null
        left join users i on i.id = c.parent_user_id
        where c.invite_status = 'pending' and ${EXPIRATION} > ${now}`,
    }),
  /** The invite of the token, read again after the request has waited in the tenant queue. */
  stillThere: (org: number, id: number, token: string) => sql<
    Pick<FoundInvite, 'email' | 'invited_role' | 'invite_status' | 'expiration'>
  >`
    select c.email, c.invited_role, c.invite_status, ${EXPIRATION} as expiration from collaborators c
     where c.organization_id = ${org} and c.id = ${id} and c.invite_digest = ${digest(token)}`,
  isMember: (org: number, userId: number | null) =>
    sql`select id from collaborators where organization_id = ${org} and user_id = ${userId}`,
  hasOwner: (org: number) => sql`select id from collaborators where organization_id = ${org} and role = 'owner'`,
  due: (now: Date, limit: number) => sql<{ organization_id: number; id: number }>`
    select organization_id, id from collaborators
     where invite_status = 'pending' and invite_expires_at <= ${now} order by invite_expires_at limit ${limit}`,
  isDue: (org: number, id: number, now: Date) => sql`
    select id from collaborators where organization_id = ${org} and id = ${id}
       and invite_status = 'pending' and invite_expires_at <= ${now}`,
  /** The facts of the invite mail; no row when the invite is no longer pending. */
  sentFacts: (org: number, id: number) => sql<{
    id: number
    email: string
    invited_role: CollaboratorRow['invited_role']
    invite_nonce: string
    expiration: string
    country: string | null
    inviter: string | null
    language: string | null
  }>`
    select c.id, c.email, c.invited_role, c.invite_nonce, ${EXPIRATION} as expiration, o.country,
           i.name as inviter, u.language
      from collaborators c
      join (select * from organizations where organization_id = ${org} and id = ${org}) o on true
      left join users i on i.id = c.parent_user_id
      left join users u on lower(u.email) = lower(c.email)
     where c.organization_id = ${org} and c.id = ${id} and c.invite_status = 'pending'`,
  /** The inviter, while they may see members: as an admin, or as staff. */
  stillManaging: (inviterId: number, context: AudienceContext) => sql<{ user_id: number }>`
    select u.id as user_id from users u
     where u.id = ${inviterId} and (${mayReadMembers} or exists (
       select 1 from collaborators c where c.organization_id = ${context.organizationId} and c.user_id = u.id
          and c.weight >= ${weightOf('admin')} and ${isInForce('c', context)}))`,
  /** The facts of the mail to the inviter: who has accepted. */
  acceptedFacts: (org: number, id: number) => sql<{
    id: number
    name: string
    email: string
    inviter_id: number
  }>`
    select c.id, u.name, u.email, c.parent_user_id as inviter_id
      from collaborators c
      join users u on u.id = c.user_id
     where c.organization_id = ${org} and c.id = ${id} and c.invite_status = 'accepted'
       and c.parent_user_id is not null`,
}
