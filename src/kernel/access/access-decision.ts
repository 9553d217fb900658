// What the row of the access check means: who the caller is, or the refusal with its code and message.
import type { Caller } from '#kernel/data/context.ts'
import { AppError, type ErrorCode } from '#kernel/values/errors.ts'
import type { KeyOwner } from './credentials.ts'
import type { Reason } from '#kernel/values/reasons.ts'
import { notOfThisRole, permissionsFor } from '#kernel/values/staff-needs.ts'
import { testClockOf } from './access-check.ts'
import type { AccessRequest, AccessRow } from './access-request.ts'
import { type RoleName, isInOrganization, needsOf } from '#kernel/values/permissions.ts'
import { scopesWith } from '#kernel/values/staff-roles.ts'

export type AccessDecision = {
  caller: Caller
  organizationId: number | null
  role: RoleName
  scopes: readonly string[]
  /** Staff in an organization, also in one of which they are collaborators. Each such request is audited. */
  isStaffEntry: boolean
  /** Why staff entered, where they have said so. */
  entryReason: string | null
  /** The time of an organization that has a test clock. */
  testClock: Date | null
  /** Authenticated lately enough for a dangerous act. */
  isRecent: boolean
  /** Staff, and whoever does something dangerous, say why. */
  needsReason: boolean
  /** The API key that was used. */
  key: { of: KeyOwner; id: number } | null
}

/** Reads the row of `accessStatement`; throws the refusal of the step that failed. */
export function accessDecision(row: unknown, request: AccessRequest): AccessDecision {
  const { access, credential, organizationId } = request
  const answer = row as AccessRow
  if (answer.verdict !== 'ok') throw refusal(answer, request)
  if (request.otherInPath) throw request.otherInPath
  const isKey = credential.kind === 'api_key'
  const isMember = isKey && credential.of === 'organization'
  const held = scopesOf(answer)
  return {
    caller: {
      kind: isKey ? 'api_key' : 'user',
      userId: idOf(answer),
      name: answer.name ?? '',
      email: answer.email,
      proven: answer.proven ?? false,
      staff: answer.staff ?? false,
      ...(answer.staff && { permissions: held }),
      sessionId: isKey ? null : credential.sessionId,
      language: answer.language ?? 'en',
    },
    organizationId,
    role: isMember ? 'member' : (answer.role ?? 'pending'),
    scopes: answer.staff ? scopesWith('read', held) : held,
    isStaffEntry: (answer.staff ?? false) && isInOrganization(access),
    entryReason: answer.reason ?? null,
    testClock: testClockOf(answer),
    isRecent: answer.is_recent ?? true,
    needsReason: answer.needs_reason ?? false,
    key: isKey && answer.key_id !== undefined ? { of: credential.of, id: answer.key_id } : null,
  }
}

const idOf = ({ user_id: id }: AccessRow): number | null => (id === null ? null : Number(id))
/** Each once: the permissions of several staff roles overlap. */
const scopesOf = ({ scopes }: AccessRow): string[] => (scopes ? [...new Set(scopes.split(','))] : [])

type Refusal = [code: Exclude<ErrorCode, 'CONFLICT'>, message?: string, reason?: Reason]

const REFUSALS: Record<Exclude<AccessRow['verdict'], 'ok' | 'scope' | 'staff_scope' | 'permission'>, Refusal> = {
  ended: ['AUTHENTICATION_ERROR'],
  address: [
    'AUTHORIZATION_ERROR',
    'The API key is not accepted from this network address; its `allowed_ips` list the others',
    'key_address_refused',
  ],
  person: [
    'AUTHORIZATION_ERROR',
    'Only a person may do this, with a session of their own; no API key may',
    'person_needed',
  ],
  every_organization: [
    'AUTHORIZATION_ERROR',
    'The API key is for some organizations only, and this concerns all or none: send X-Service-Organization',
    'key_of_some_organizations',
  ],
  staff_only: ['AUTHORIZATION_ERROR', 'Only the vendor’s staff may do this', 'staff_only'],
  role: ['AUTHORIZATION_ERROR', 'The role does not allow this', 'role_too_low'],
  header: ['BAD_REQUEST'],
  unknown: ['NOT_FOUND', 'Organization not found'],
  entry: [
    'AUTHORIZATION_ERROR',
    'Staff enter an organization with a reason: say it with POST /admin/organizations/{id}/entries',
    'entry_needed',
  ],
  not_a_member: ['AUTHORIZATION_ERROR', 'Not a collaborator of this organization', 'not_a_member'],
  sign_on: [
    'AUTHORIZATION_ERROR',
    'The organization admits its people by single sign-on: begin with POST /auth/sso',
    'sso_required',
  ],
  second_factor: [
    'AUTHORIZATION_ERROR',
    'A second factor is required: set one up at /auth/mfa, or sign in with it',
    'second_factor_required',
  ],
}

function refusal(row: AccessRow, request: AccessRequest): AppError {
  const { access, credential, unnamed, writes } = request
  const { verdict } = row
  const isInside = row.role !== null || !isInOrganization(access)
  const refused = { userId: idOf(row), name: isInside ? row.name : null }
  if (verdict === 'ok' || verdict === 'scope') {
    const scopes = needsOf(access).scopes.filter((scope) => !scopesOf(row).includes(scope))
    return new AppError('AUTHORIZATION_ERROR', {
      reason: 'scope_missing',
      message: row.hidden
        ? `The vendor does not show this to the organization, so nobody in it can grant it: ${row.hidden}`
        : `Scope not authorized: ${scopes[0] ?? ''}`,
      missing: { scopes },
      refused,
    })
  }
  if (verdict === 'staff_scope')
    return new AppError('AUTHORIZATION_ERROR', {
      reason: 'scope_missing',
      message: notOfThisRole(permissionsFor(request), scopesOf(row), credential.kind === 'api_key'),
      refused,
    })
  if (verdict === 'header' && unnamed) return unnamed
  if (verdict === 'permission')
    return new AppError('AUTHORIZATION_ERROR', {
      reason: 'key_permission_missing',
      message: `The API key lacks the permission ${writes ? 'write' : 'read'}`,
      refused,
    })
  const [code, message, reason] = REFUSALS[verdict]
  const ofKey = credential.kind === 'api_key' && credential.of === 'organization' ? KEY_MESSAGES[verdict] : undefined
  const ofStaff = verdict === 'role' && row.staff ? NOT_FOR_STAFF : undefined
  const missing = verdict === 'role' && access.kind === 'organization' ? { role: access.atLeast } : undefined
  return new AppError(code, { reason, message: ofStaff ?? ofKey ?? message, missing, refused })
}

const NOT_FOR_STAFF = 'Only the owner of the organization may do this; no permission of staff stands for it'

/** Other messages for API keys of organizations, which act as a member in one organization. */
const KEY_MESSAGES: { [Verdict in AccessRow['verdict']]?: string } = {
  staff_only: 'Only the vendor’s staff may do this, with a token of their own; no API key may',
  role: 'An API key acts as a member; this needs a higher role',
  not_a_member: 'The API key belongs to another organization',
}
