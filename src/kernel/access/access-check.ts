// The access check (docs/interface/general.md, Order of refusals): one statement gives the caller's role and scopes and
// sets them with the tenant. A join admits members; only when it gives no row, a second statement finds the step that
// refuses the request, or admits staff.
import { isInForce } from '#kernel/values/time/clock-skew.ts'
import type { Credential, KeyCredential } from './credentials.ts'
import { isClosedToStaff, isInOrganization, needsOf, weightOf } from '#kernel/values/permissions.ts'
import type { AccessRequest, AccessRow } from './access-request.ts'
import { callerOf, grantedOf, isFromAllowed, isLiveKey, isLiveSession, READ_BY_C, recency } from './callers.ts'
import { isVendorKey, stepsOfKeys } from './key-steps.ts'
import { hasTwoFactors, isSignedOn } from './session-rules.ts'
import { permissionsFor } from '#kernel/values/staff-needs.ts'
import { ONLY_CUSTOMER, PERMISSIONS_OF_U } from '#kernel/values/staff-roles.ts'
import { type Statement, binding, nothing, sql } from '#kernel/values/sql.ts'

/** Its row, if any, goes to `accessDecision`. */
export const accessStatement = (request: AccessRequest): Statement<AccessRow> =>
  binding(
    request.needsReason
      ? sql`select a.*, ${request.needsReason} as needs_reason from (${statementFor(request)}) a`
      : statementFor(request),
  )

function statementFor(request: AccessRequest): Statement<AccessRow> {
  const { credential, access } = request
  if (!isInOrganization(access)) return userCheck(request)
  if (isOnlyDecidedInOrder(request)) return inOrder(request)
  return credential.kind === 'api_key' ? keyMember(request, credential) : sessionMember(request, credential)
}

/** Staff are no members, as a rule. Their token tells, so that they do not ask twice; it decides nothing. */
const isOnlyDecidedInOrder = ({ isInOrder, access, organizationId, credential }: AccessRequest): boolean =>
  isInOrder === true ||
  organizationId === null ||
  access.kind !== 'organization' ||
  (credential.kind === 'bearer' && credential.mayBeStaff) ||
  isVendorKey(credential)

/**
 * One row for a member whom no step refuses. PostgreSQL takes longer to begin a statement than to find four rows, so
 * that it has few columns, parameters and conditions: who needs others is admitted by the statement in order, which
 * takes three times as long. These are organizations with a test clock, and of those with single sign-on whoever need
 * not use it.
 */
function sessionMember(
  { access, organizationId, authenticatedSince, hiddenScopes, now }: AccessRequest,
  credential: Exclude<Credential, { kind: 'api_key' }>,
): Statement<AccessRow> {
  const { scopes, least } = needsOf(access)
  return sql<AccessRow>`
    select 'ok' as verdict, u.name, u.email, u.status = 'ACTIVE' as proven, u.language,
           ${recency(authenticatedSince)} ${bindings(visible(hiddenScopes), sql`u.id`, sql`d.role`)}
      from (select ${now}::timestamptz as now) t, sessions s join users u on u.id = s.user_id join access_check d
        on d.user_id = u.id
     where ${isLiveSession(credential, NOW_OF_T)} and u.roles = ${ONLY_CUSTOMER}
       and d.organization_id = ${organizationId} and ${isInForce('d', NOW_OF_T)}
       and d.weight >= ${least} and ${visible(hiddenScopes)} @> ${scopes}::text[]
       and not d.has_test_clock and (d.sso_domains = '{}' or s.sso_organization_id = d.organization_id)
         and ${hasTwoFactors(sql`s`)}`
}

/** The time as one parameter, since each one is read from its text. */
const NOW_OF_T = sql`t.now`

function keyMember(
  { access, organizationId, writes, ip, hiddenScopes, now }: AccessRequest,
  credential: KeyCredential,
): Statement<AccessRow> {
  const { scopes, least } = needsOf(access)
  return sql<AccessRow>`
    select 'ok' as verdict, k.user_name as name, k.user_email as email, true as proven, k.language, false as staff,
           null as reason, d.test_clock, k.key_id, ${bindings(sql`h.scopes`, sql`k.user_id`, sql`'member'`)}
      from access_check_keys k join access_check d on d.organization_id = k.organization_id and d.user_id = k.user_id,
           lateral (select array(select unnest(${grantedOf(credential.proof, sql`k.scopes`)})
                                 intersect select unnest(${visible(hiddenScopes)})) as scopes) h
     where ${isLiveKey(credential, now)} and ${isFromAllowed(ip)}
       and k.permission in ('read_write', ${writes ? 'write' : 'read'}) and ${isInForce('k', now)}
       and d.organization_id = ${organizationId} and ${isInForce('d', now)}
       and least(d.weight, ${weightOf('member')}) >= ${least} and h.scopes @> ${scopes}::text[]`
}

/** Of the member `d`. */
const visible = (hidden: Statement): Statement => sql`visible_scopes(d.granted_scopes, d.hidden_scopes, ${hidden})`

/**
 * Sets what the policies of a member's statements read, and gives it; `d` is the row of the `access_check`. `app.staff`
 * and `app.ticket_visibility` are empty unless they are set.
 */
const bindings = (scopes: Statement, user: Statement, role: Statement): Statement => sql`
  set_config('app.organization_id', d.organization_id::text, true) as organization_id,
  set_config('app.scopes', array_to_string(${scopes}, ','), true) as scopes,
  set_config('app.user_id', ${user}::text, true) as user_id, set_config('app.role', ${role}, true) as role,
  case when d.ticket_visibility <> 'all' then set_config('app.ticket_visibility', d.ticket_visibility, true)
    end as ticket_visibility`

/**
 * All steps in their order: for those whom the join did not admit. The statement never fails: a refusal is a verdict.
 */
function inOrder(request: AccessRequest): Statement<AccessRow> {
  const { access, organizationId, staffMfa, hiddenScopes, now } = request
  const { scopes, least } = needsOf(access)
  const ofKey = stepsOfKeys(request)
  const needsEntry = isVendorKey(request.credential) ? sql`false` : request.needsEntry
  return sql<AccessRow>`
    with caller as materialized (${callerOf(request)}),
    memberships as (
      select d.organization_id, d.role, d.ticket_visibility, c.key_scopes is not null
        or ${isSignedOn(sql`c`, sql`c.email`)} as is_signed_on,
             c.two_factors or ${hasTwoFactors(sql`c`)} as has_two_factors,
             case when c.key_scopes is null then d.weight else least(d.weight, ${weightOf('member')}) end as weight,
             case when c.key_scopes is null then ${visible(hiddenScopes)}
                  else array(select unnest(c.key_scopes) intersect select unnest(${visible(hiddenScopes)})) end
                    as scopes, coalesce(d.hidden_scopes, ${hiddenScopes}) as hidden
        from caller c join access_check d on d.user_id = c.user_id
       where ${isInForce('d', now)}
         and (c.key_organization_id is null or d.organization_id = c.key_organization_id)
    ),
    permitted as materialized (
      select c.*, c.permissions is not null as staff, h.ticket_visibility, h.is_signed_on, h.has_two_factors, h.hidden,
        case when c.permissions is null then h.role else 'admin' end as role,
        case when c.permissions is null then h.scopes else ${READ_BY_C} end as scopes,
        case when c.permissions is not null then (
          select e.reason from access_check_entries e
           where e.organization_id = ${organizationId} and e.user_id = c.user_id and e.ends_at > ${now}
           order by e.entry_id desc limit 1) end as reason,
        case when c.user_id is null then 'ended' ${ofKey.address}
             when c.permission_missing then 'permission'
             when c.permissions is not null then
               case when ${isClosedToStaff(access)} then 'role'
                    when not c.permissions @> ${permissionsFor(request)}::text[] then 'staff_scope' ${ofKey.person}
                    when ${staffMfa} and not c.two_factors then 'second_factor' end
             when ${access.kind === 'staff'} then 'staff_only'
             when h.role is not null then
               case when h.weight < ${least} then 'role' when not h.scopes @> ${scopes}::text[] then 'scope' end
             when not exists (select 1 from memberships) then null
             when not exists (select 1 from memberships m where m.weight >= ${least}) then 'role'
             when not coalesce((select array_agg(s) from memberships m, unnest(m.scopes) s
               where m.weight >= ${least}), '{}')
                      @> ${scopes}::text[] then 'scope'
        end as permission
        from (select 1) one left join caller c on true left join memberships h on h.organization_id = ${organizationId}
    ),
    decided as materialized (
      select j.*, coalesce(j.permission,
        case when ${organizationId}::bigint is null then 'header'
             when not exists (select 1 from access_check d where d.organization_id = ${organizationId})
               then 'unknown' ${ofKey.organization}
             when j.staff and ${needsEntry} and j.reason is null then 'entry'
             when j.role is null then 'not_a_member'
             when not j.staff and not j.is_signed_on then 'sign_on'
             when not coalesce(j.has_two_factors, j.two_factors)
              and exists (select 1 from access_check d where d.organization_id = ${organizationId} and d.require_mfa)
                then 'second_factor'
             else 'ok' end) as verdict
        from permitted j
    )
    select p.verdict, p.user_id, p.name, p.email, p.proven, p.language, p.staff, p.role,
           case when p.staff then array_to_string(p.permissions, ',')
                when p.verdict = 'scope' and p.scopes is null then
             (select string_agg(distinct s, ',') from memberships m, unnest(m.scopes) s where m.weight >= ${least})
             else array_to_string(p.scopes, ',') end as scopes,
           array_to_string(array(select unnest(${scopes}::text[]) intersect select unnest(p.hidden)), ',') as hidden,
           p.reason, ${request.authenticatedSince ? sql`p.is_recent,` : nothing} ${ofKey.id(sql`p`)}
           case when p.verdict = 'ok' then (select d.test_clock from access_check d
             where d.organization_id = ${organizationId} limit 1) end as test_clock,
           case when p.verdict = 'ok' then set_config('app.organization_id', ${String(organizationId ?? '')}, true)
                || set_config('app.staff', case when p.staff then 'on' else '' end, true)
                || set_config('app.scopes', array_to_string(p.scopes, ','), true)
                || set_config('app.user_id', p.user_id::text, true)
                || set_config('app.role', case when p.key_scopes is null then p.role else 'member' end, true)
                || set_config('app.ticket_visibility', case when p.staff or p.ticket_visibility = 'all' then ''
                  else p.ticket_visibility end, true) end as tenant
      from decided p`
}

/** For routes across organizations, whose statements give what the caller may read (`mayRead`). */
const bindScopesOfC = sql`set_config('app.scopes', array_to_string(${READ_BY_C}, ','), true) as read_scopes,`

/** For routes outside of organizations: checks only the caller. */
function userCheck(request: AccessRequest): Statement<AccessRow> {
  const ofKey = stepsOfKeys(request)
  return sql<AccessRow>`
    with caller as materialized (${callerOf(request)})
    select case when c.user_id is null then 'ended' ${ofKey.address}
                when ${request.access.kind === 'vendor'} and c.permissions is null then 'staff_only'
                when not c.permissions @> ${permissionsFor(request)}::text[] then 'staff_scope'
                ${ofKey.person} ${ofKey.reach}
                when ${request.access.kind === 'vendor' && request.staffMfa} and not c.two_factors then 'second_factor'
                else 'ok' end as verdict,
           c.user_id, c.name, c.email, c.proven, c.language, c.permissions is not null as staff, null as role,
           array_to_string(c.permissions, ',') as scopes, null as reason,
           ${request.authenticatedSince ? sql`c.is_recent,` : nothing} ${ofKey.id(sql`c`)}
           ${request.access.kind === 'vendor' ? bindScopesOfC : nothing} null as test_clock
      from (select 1) one left join caller c on true`
}

/** Whether there is such an organization, for staff who name it in a path. */
export const isOrganization = (id: number) => sql`select 1 from access_check where organization_id = ${id} limit 1`

/**
 * Sets the tenant without a caller, for jobs and for the system role in an organization. `scopes`: of the records to be
 * seen.
 */
export function tenantStatement(
  organizationId: number,
  isStaff: boolean,
  scopes: readonly string[] = isStaff ? ['*'] : [],
): Statement {
  return binding(sql`select set_config('app.organization_id', ${String(organizationId)}, true),
    set_config('app.staff', ${isStaff ? 'on' : ''}, true), set_config('app.scopes', ${scopes.join(',')}, true)`)
}

/** As the organization's owner is bound: without what only the vendor's staff may see. */
export const ownerStatement = (id: number): Statement =>
  binding(sql`${tenantStatement(id, false, ['*'])}, set_config('app.role', 'owner', true)`)

/** For a job that reads over organizations what a person of staff has asked for: what they may read (`mayRead`). */
export const staffStatement = (userId: number): Statement =>
  binding(sql`select set_config('app.scopes', array_to_string(${READ_BY_C}, ','), true)
    from (select ${PERMISSIONS_OF_U} as permissions from users u where u.id = ${userId} and u.disabled_at is null) c`)

/** Until the end of the transaction, also for a member who sees some of them only. */
export const showEveryTicket: Statement = binding(sql`select set_config('app.ticket_visibility', '', true)`)

/** The same in a statement over several organizations, for the organization `o`. */
export const clockOfOrganization = sql`
  case when o.has_test_clock then (select s.test_clock from event_sequences s where s.organization_id = o.id) end`

/** The time of an organization with a test clock, from a row with `test_clock`; null for all others. */
export function testClockOf(row: unknown): Date | null {
  const { test_clock: time = null } = (row ?? {}) as Partial<Pick<AccessRow, 'test_clock'>>
  return time === null ? null : new Date(time)
}
