// What the access check is asked, and the row that it gives.
import type { AppError } from '#kernel/values/errors.ts'
import type { Credential } from './credentials.ts'
import type { Access, RoleName } from '#kernel/values/permissions.ts'
import type { Statement } from '#kernel/values/sql.ts'

/** What a key of the vendor reaches outside of organizations. */
type KeyReach = {
  /** Null for a key of all organizations. */
  organizations: readonly number[] | null
  refusal: 'unknown' | 'every_organization' | null
}

export type AccessRequest = {
  credential: Credential
  access: Access
  organizationId: number | null
  /** Why `organizationId` is null: the error to answer with. */
  unnamed?: AppError | undefined
  /** The path names another organization than the header: the error for whoever is admitted to that of the header. */
  otherInPath?: AppError
  /** Whether the request changes something, or only reads. */
  writes: boolean
  /** In SQL: staff get into an organization only while an entry of theirs, with its reason, is in force. */
  needsEntry: Statement
  /** The same: staff, and whoever does something dangerous, say why. Only for a request that says nothing. */
  needsReason?: Statement | undefined
  /** Staff are admitted only with a second factor (STAFF_MFA). */
  staffMfa: boolean
  /** In SQL, of organizations without a list of their own. */
  hiddenScopes: Statement
  /** For a dangerous act: the session has to be authenticated since then. */
  authenticatedSince?: Date | undefined
  /** No key of the vendor may do it. */
  needsPerson: boolean
  /** What a key of the vendor for some organizations may reach outside of them. */
  reach?: KeyReach | undefined
  /** The address of the request; null for one that is none. */
  ip: string | null
  now: Date
  /** Set when the join gave no row. Each following statement of the request then decides in the order of refusals. */
  isInOrder?: true
}

export type AccessRow = {
  verdict:
    | 'ok'
    | 'ended'
    | 'address'
    | 'person'
    | 'every_organization'
    | 'staff_only'
    | 'staff_scope'
    | 'role'
    | 'scope'
    | 'header'
    | 'unknown'
    | 'entry'
    | 'not_a_member'
    | 'sign_on'
    | 'second_factor'
    | 'permission'
  /** Text for a member. */
  user_id: number | string | null
  name: string | null
  email: string | null
  proven: boolean | null
  language: string | null
  staff?: boolean | null
  role: RoleName | null
  /** Separated by commas. Of staff their permissions (`orders:read`). */
  scopes: string | null
  /** The needed ones that the vendor hides from the member's organization. */
  hidden?: string | null
  /** Of staff's entry that is in force. */
  reason?: string | null
  /** The time of an organization that has a test clock. */
  test_clock?: string | null
  /** For a dangerous act. */
  is_recent?: boolean
  /** Of a request that gives no reason. */
  needs_reason?: boolean
  /** Of an API key. */
  key_id?: number
}
