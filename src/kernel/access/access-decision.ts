// What the row of the access check means: who the caller is, or the refusal with its code and message.
import type { Caller } from '#kernel/data/context.ts'
import { AppError, type ErrorCode } from '#kernel/http/errors.ts'
import { type AccessRequest, type AccessRow, testClockOf } from './access-check.ts'
import { type RoleName, SCOPE_NAMES, type Scope } from './permissions.ts'

export type AccessDecision = {
  caller: Caller
  organizationId: number | null
  role: RoleName
  scopes: readonly string[]
  /** Staff in an organization of which they are no collaborator. Each such request is audited. */
  isStaffEntry: boolean
  /** The time of an organization that has a test clock. */
  testClock: Date | null
}

/** Reads the row of `accessStatement`; throws the refusal of the step that failed. */
export function accessDecision(row: unknown, request: AccessRequest): AccessDecision {
  const { credential, organizationId } = request
  const answer = row as AccessRow
  if (answer.verdict !== 'ok') throw refusal(answer, request)
  const isKey = credential.kind === 'api_key'
  return {
    caller: {
      kind: isKey ? 'api_key' : 'user',
      userId: idOf(answer),
      name: answer.name ?? '',
      email: answer.email,
      proven: answer.proven ?? false,
      staff: answer.staff ?? false,
      sessionId: isKey ? null : credential.sessionId,
      language: answer.language ?? 'en',
    },
    organizationId,
    role: isKey ? 'member' : (answer.role ?? 'pending'),
    scopes: scopesOf(answer),
    isStaffEntry: answer.entry ?? false,
    testClock: testClockOf(answer),
  }
}

const idOf = ({ user_id: id }: AccessRow): number | null => (id === null ? null : Number(id))
const scopesOf = ({ scopes }: AccessRow): string[] => (scopes ? scopes.split(',') : [])

const REFUSALS: Record<Exclude<AccessRow['verdict'], 'ok' | 'scope' | 'permission'>, [ErrorCode, string?]> = {
  ended: ['AUTHENTICATION_ERROR'],
  staff_only: ['AUTHORIZATION_ERROR', 'Only the vendor’s administrators may do this'],
  role: ['AUTHORIZATION_ERROR', 'The role does not allow this'],
  header: ['BAD_REQUEST'],
  unknown: ['NOT_FOUND', 'Organization not found'],
  not_a_member: ['AUTHORIZATION_ERROR', 'Not a collaborator of this organization'],
}

function refusal(row: AccessRow, { access, credential, unnamed, writes }: AccessRequest): AppError {
  const { verdict } = row
  const isInside = row.role !== null || access.kind === 'user' || access.kind === 'administrator'
  const refused = { userId: idOf(row), name: isInside ? row.name : null }
  if (verdict === 'ok' || verdict === 'scope') {
    const needed = access.kind === 'organization' ? access.scopes : []
    return new AppError('AUTHORIZATION_ERROR', {
      message: `Scope not authorized: ${firstMissing(needed, scopesOf(row))}`,
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
  return new AppError(code, { message: (credential.kind === 'api_key' && KEY_MESSAGES[verdict]) || message, refused })
}

/** Other messages for API keys, which act as a member in one organization. */
const KEY_MESSAGES: { [Verdict in AccessRow['verdict']]?: string } = {
  staff_only: 'Only the vendor’s administrators may do this, with a token of their own; no API key may',
  role: 'An API key acts as a member; this needs a higher role',
  not_a_member: 'The API key belongs to another organization',
}

const firstMissing = (needed: readonly Scope[], held: readonly string[]): string =>
  needed.find((scope) => !held.includes(scope)) ?? needed[0] ?? SCOPE_NAMES[0] ?? ''
