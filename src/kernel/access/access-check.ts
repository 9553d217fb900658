// Entering (spec 5.3, 5.4): one statement says in which step of the pipeline the request fails, or gives the caller's
// role and scopes and only then sets the tenant. The one seam for another engine.
import { isInForce } from '#kernel/values/clock-skew.ts'
import type { Caller } from '#kernel/data/context.ts'
import type { Credential } from './credentials.ts'
import { AppError, type ErrorCode } from '#kernel/http/errors.ts'
import { type Access, type RoleName, SCOPE_NAMES, type Scope, weightOf } from './permissions.ts'
import { type Statement, sql } from '#kernel/data/sql.ts'

export type AccessRequest = {
  credential: Credential
  access: Access
  organizationId: number | null
  /** Why there is none. */
  unnamed?: AppError | undefined
  /** API keys are made for reading, writing or both. */
  writes: boolean
  now: Date
}

type AccessRow = {
  verdict: 'ok' | 'ended' | 'staff_only' | 'role' | 'scope' | 'header' | 'unknown' | 'stranger' | 'permission'
  user_id: number | null
  name: string | null
  email: string | null
  proven: boolean | null
  language: string | null
  staff: boolean | null
  role: RoleName | null
  scopes: string[] | null
  entry: boolean | null
}

export type AccessDecision = {
  caller: Caller
  organizationId: number | null
  role: RoleName
  scopes: readonly string[]
  /** Staff in an organization of which they are no collaborator: audited. */
  isStaffEntry: boolean
}

/** The statement of the door; hand its row to `accessDecision`. It never fails: what is refused is in the verdict. */
export function accessStatement(request: AccessRequest): Statement<AccessRow> {
  const { credential, access, organizationId, writes, now } = request
  const caller = credential.kind === 'api_key' ? keyCaller(credential, writes, now) : sessionCaller(credential, now)
  if (access.kind === 'user' || access.kind === 'administrator')
    return userCheck(caller, access.kind === 'administrator')
  const scopes = access.kind === 'organization' ? access.scopes : []
  const least = access.kind === 'organization' ? weightOf(access.atLeast) : 0
  return sql<AccessRow>`
    with caller as materialized (${caller}),
    mine as (
      select d.organization_id, d.role,
             case when c.key_scopes is null then d.weight else least(d.weight, ${weightOf('member')}) end as weight,
             case when c.key_scopes is null then d.scopes
                  else array(select unnest(c.key_scopes) intersect select unnest(d.scopes)) end as scopes
        from caller c join door d on d.user_id = c.user_id
       where ${isInForce('d', now)}
         and (c.key_organization_id is null or d.organization_id = c.key_organization_id)
    ),
    judged as materialized (
      select c.*, h.role, h.scopes, h.role is null as entry,
        case when c.user_id is null then 'ended'
             when c.permission_missing then 'permission'
             when c.staff then null
             when ${access.kind === 'staff'} then 'staff_only'
             when h.role is not null then
               case when h.weight < ${least} then 'role' when not h.scopes @> ${scopes}::text[] then 'scope' end
             when not exists (select from mine) then null
             when not exists (select from mine m where m.weight >= ${least}) then 'role'
             when not coalesce((select array_agg(s) from mine m, unnest(m.scopes) s where m.weight >= ${least}), '{}')
                      @> ${scopes}::text[] then 'scope'
        end as permission
        from (select 1) one left join caller c on true left join mine h on h.organization_id = ${organizationId}
    ),
    placed as materialized (
      select j.*, coalesce(j.permission,
        case when ${organizationId}::bigint is null then 'header'
             when j.role is not null then 'ok'
             when not exists (select from door d where d.organization_id = ${organizationId}) then 'unknown'
             when j.staff then 'ok'
             else 'stranger' end) as verdict
        from judged j
    )
    select p.verdict, p.user_id, p.name, p.email, p.proven, p.language, p.staff,
           case when p.staff then 'owner' else p.role end as role,
           case when p.staff then '{*}'::text[] when p.verdict = 'scope' and p.scopes is null then
             (select array_agg(distinct s) from mine m, unnest(m.scopes) s where m.weight >= ${least}) else p.scopes end as scopes,
           p.staff and p.entry as entry,
           case when p.verdict = 'ok' then set_config('app.organization_id', ${String(organizationId ?? '')}, true)
                || set_config('app.staff', case when p.staff then 'on' else '' end, true)
                || set_config('app.scopes', case when p.staff then '*' else array_to_string(p.scopes, ',') end, true) end as tenant
      from placed p`
}

/** No organization: the caller alone. */
function userCheck(caller: Statement, administrators: boolean): Statement<AccessRow> {
  return sql<AccessRow>`
    with caller as materialized (${caller})
    select case when c.user_id is null then 'ended' when ${administrators} and not c.staff then 'staff_only' else 'ok' end as verdict,
           c.user_id, c.name, c.email, c.proven, c.language, c.staff, null as role, '{}'::text[] as scopes, false as entry
      from (select 1) one left join caller c on true`
}

function sessionCaller(credential: Exclude<Credential, { kind: 'api_key' }>, now: Date): Statement {
  const secret = credential.kind === 'session' ? credential.secret : null
  return sql`
    select u.id as user_id, u.name, u.email, u.status = 'ACTIVE' as proven, u.language, 'administrator' = any(u.roles) as staff,
           null::bigint as key_organization_id, null::text[] as key_scopes, false as permission_missing
      from sessions s join users u on u.id = s.user_id
     where s.id = ${credential.sessionId} and s.user_id = ${credential.userId} and s.ended_at is null
       and s.expires_at > ${now} and u.disabled_at is null
       and (${secret}::bytea is null and s.secret_digest is null or s.secret_digest = ${secret})`
}

/** A key acts as a member with those of its scopes that its creator still holds, and ends with the creator's membership. */
function keyCaller(credential: Credential & { kind: 'api_key' }, writes: boolean, now: Date): Statement {
  return sql`
    select k.user_id, k.user_name as name, k.user_email as email, true as proven, k.language, false as staff,
           k.organization_id as key_organization_id, k.scopes as key_scopes,
           k.permission not in ('read_write', ${writes ? 'write' : 'read'}) as permission_missing
      from door_keys k
     where k.consumer_key = ${credential.consumerKey} and k.secret_digest = ${credential.secret}
       and ${isInForce('k', now)}`
}

/** The organization that a key belongs to; nothing for a key that has ended. It lets nobody in: the door does. */
export const keyOrganization = ({ consumerKey, secret }: Credential & { kind: 'api_key' }): Statement =>
  sql`select organization_id from door_keys where consumer_key = ${consumerKey} and secret_digest = ${secret}`

/** The door's answer as a caller who is in, or the refusal of the step that failed. */
export function accessDecision(row: unknown, door: AccessRequest): AccessDecision {
  const { credential, organizationId } = door
  const answer = row as AccessRow
  if (answer.verdict !== 'ok') throw refusal(answer, door)
  const isKey = credential.kind === 'api_key'
  return {
    caller: {
      kind: isKey ? 'api_key' : 'user',
      userId: answer.user_id,
      name: answer.name ?? '',
      email: answer.email,
      proven: answer.proven ?? false,
      staff: answer.staff ?? false,
      sessionId: isKey ? null : credential.sessionId,
      language: answer.language ?? 'en',
    },
    organizationId,
    role: isKey ? 'member' : (answer.role ?? 'pending'),
    scopes: answer.scopes ?? [],
    isStaffEntry: answer.entry ?? false,
  }
}

const REFUSALS: Record<Exclude<AccessRow['verdict'], 'ok' | 'scope' | 'permission'>, [ErrorCode, string?]> = {
  ended: ['AUTHENTICATION_ERROR'],
  staff_only: ['AUTHORIZATION_ERROR', 'Only the vendor’s administrators may do this'],
  role: ['AUTHORIZATION_ERROR', 'The role does not allow this'],
  header: ['BAD_REQUEST'],
  unknown: ['NOT_FOUND', 'Organization not found'],
  stranger: ['AUTHORIZATION_ERROR', 'Not a collaborator of this organization'],
}

function refusal(row: AccessRow, { access, credential, unnamed, writes }: AccessRequest): AppError {
  const { verdict, scopes } = row
  const isInside = row.role !== null || access.kind === 'user' || access.kind === 'administrator'
  const refused = { userId: row.user_id, name: isInside ? row.name : null }
  if (verdict === 'ok' || verdict === 'scope') {
    const needed = access.kind === 'organization' ? access.scopes : []
    return new AppError('AUTHORIZATION_ERROR', {
      message: `Scope not authorized: ${firstMissing(needed, scopes ?? [])}`,
      refused,
    })
  }
  if (verdict === 'header' && unnamed) return unnamed
  if (verdict === 'permission')
    return new AppError('AUTHORIZATION_ERROR', {
      message: `The API key lacks the permission ${writes ? 'write' : 'read'}`,
      refused,
    })
  const [code, message] = REFUSALS[verdict]
  return new AppError(code, { message: (credential.kind === 'api_key' && OF_KEYS[verdict]) || message, refused })
}

/** What is said otherwise to an API key: it acts as a member, in one organization. */
const OF_KEYS: { [Verdict in AccessRow['verdict']]?: string } = {
  staff_only: 'Only the vendor’s administrators may do this, with a token of their own; no API key may',
  role: 'An API key acts as a member; this needs a higher role',
  stranger: 'The API key belongs to another organization',
}

const firstMissing = (needed: readonly Scope[], held: readonly string[]): string =>
  needed.find((scope) => !held.includes(scope)) ?? needed[0] ?? SCOPE_NAMES[0] ?? ''

/** Binds a transaction of `app` to an organization without a caller: jobs, and requests of the system role. */
export function tenantStatement(organizationId: number, isStaff: boolean): Statement {
  return sql`select set_config('app.organization_id', ${String(organizationId)}, true),
                    set_config('app.staff', ${isStaff ? 'on' : ''}, true)`
}

/** One organization, one writer at a time; shows no row where no tenant is set. */
export function writerLock(organizationId: number | null): Statement {
  return sql`select last_sequence from event_sequences where organization_id = ${organizationId} for update`
}
