// What a caller may do to other collaborators (docs/interface/general.md, Roles and scopes). The access check ran
// before the transaction waited in the tenant queue, so the caller's authority is read again: a caller who was demoted
// meanwhile is refused.
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { forbidden } from '#kernel/values/errors.ts'
import { type Flag, type RoleName, SCOPE_NAMES, holds, scopeOfFlag, weightOf } from '#kernel/values/permissions.ts'
import { scopesWith } from '#kernel/values/staff-roles.ts'
import { type Clock, isPast } from '#kernel/values/time/clock.ts'
import { flagsSet, TICKET_VISIBILITIES, type TicketVisibility } from './collaborator.ts'
import { collaborators } from './queries.ts'

export type Authority = {
  /** Null for staff who are not collaborators, and for API keys. */
  collaboratorId: number | null
  /** Of staff `admin`, whatever their membership: no permission of theirs makes them owners. */
  role: RoleName
  scopes: readonly string[]
  ticketVisibility: TicketVisibility
  /** Whether the caller manages collaborators of every role, as the owner and staff do. */
  isAboveAll: boolean
}

export async function authorityOf(ctx: OrganizationContext): Promise<Authority> {
  const { caller, organizationId } = ctx
  // A key has no membership of its own: what its creator is does not count.
  if (caller.kind === 'api_key') {
    const nobody = { collaboratorId: null, scopes: grantable(ctx) }
    return caller.staff
      ? { ...nobody, role: 'admin', ticketVisibility: 'all', isAboveAll: true }
      : { ...nobody, role: 'member', ticketVisibility: 'own', isAboveAll: false }
  }
  const mine = await first(ctx, collaborators.membershipOf(organizationId, caller.userId, ctx))
  if (caller.staff)
    return {
      collaboratorId: mine?.id ?? null,
      role: 'admin',
      scopes: grantable(ctx),
      ticketVisibility: 'all',
      isAboveAll: true,
    }
  if (!mine) throw forbidden('not_a_member', 'Not a collaborator of this organization')
  return {
    collaboratorId: mine.id,
    role: mine.role,
    scopes: mine.scopes,
    ticketVisibility: mine.ticket_visibility,
    isAboveAll: mine.role === 'owner',
  }
}

/** Staff give others what they may change themselves. */
const grantable = ({ caller: { permissions } }: OrganizationContext): readonly string[] =>
  permissions === undefined ? ['*'] : scopesWith('write', permissions)

/** 403 without the role or the scope `organization`. */
export function requireRank(authority: Authority, atLeast: RoleName): void {
  if (weightOf(authority.role) < weightOf(atLeast)) throw forbidden('role_too_low', 'The role does not allow this')
  if (!holds(authority.scopes, 'organization')) throw forbidden('scope_missing', 'Scope not authorized: organization')
}

export async function requireAuthority(ctx: OrganizationContext, atLeast: RoleName): Promise<Authority> {
  const authority = await authorityOf(ctx)
  requireRank(authority, atLeast)
  return authority
}

const outranks = ({ role, isAboveAll }: Authority, other: RoleName): boolean =>
  isAboveAll || weightOf(role) > weightOf(other)

/** 403 for a role at or above the caller's own, unless the caller is above all. */
export function requireAbove(authority: Authority, role: RoleName): void {
  if (!outranks(authority, role))
    throw forbidden('role_too_low', `A collaborator with the role ${role} is not below your own role`)
}

/** What a membership grants: role, flags, sight of tickets, and dates. A null date is unlimited. */
export type Grant = {
  role: RoleName
  ticket_visibility?: TicketVisibility
  started_at?: string | null
  expired_at?: string | null
} & { [Name in Flag]?: boolean }

/**
 * 403 for granting a role at or above the caller's own, a scope or a sight of
 * tickets that the caller lacks, or, unless they are staff, the
 * roles guest and owner. A change that extends the access in time (a later end, an earlier start, a resent invite)
 * counts as granting everything; any other change counts as granting only what it adds.
 */
export function assertMayGrant(ctx: OrganizationContext, authority: Authority, after: Grant, before?: Grant): void {
  const kept = before && !isOpenLonger(before, after, ctx) ? before : undefined
  if (kept?.role !== after.role) assertMayGiveRole(ctx, authority, after.role)
  const given = flagsSet(after).filter((flag) => kept?.[flag] !== true)
  const lacked = (after.role === 'owner' && kept?.role !== 'owner' ? SCOPE_NAMES : given.map(scopeOfFlag)).find(
    (scope) => !holds(authority.scopes, scope),
  )
  if (lacked) throw forbidden('more_than_own', `The scope ${lacked} is not yours to grant`)
  const most = Math.max(widthOf(authority.ticketVisibility), kept ? widthOf(kept.ticket_visibility) : 0)
  if (widthOf(after.ticket_visibility) > most)
    throw forbidden(
      'more_than_own',
      `You see fewer tickets than \`${after.ticket_visibility ?? 'all'}\` would let the member see`,
    )
}

const widthOf = (visibility: TicketVisibility = 'all'): number => TICKET_VISIBILITIES.indexOf(visibility)

function assertMayGiveRole(ctx: OrganizationContext, authority: Authority, role: RoleName): void {
  if (!outranks(authority, role)) throw forbidden('role_too_low', `The role ${role} is not below your own`)
  if (ctx.caller.staff) return
  if (role === 'guest') throw forbidden('staff_only', 'Only staff may give the role guest')
  if (role === 'owner') throw forbidden('owner_by_transfer_only', 'Ownership changes by a transfer only')
}

/** Whether `after` gives access at some moment from now on at which `before` did not. */
function isOpenLonger(before: Grant, after: Grant, clock: Clock): boolean {
  const [was, is] = [spanOf(before, clock), spanOf(after, clock)]
  if (is.start >= is.end) return false
  return was.start >= was.end || is.start < was.start || is.end > was.end
}

/** From now on: one that has begun starts at 0, one that is over is empty. */
function spanOf({ started_at: start, expired_at: end }: Grant, clock: Clock): { start: number; end: number } {
  if (end && isPast(clock, end)) return { start: 0, end: 0 }
  return { start: start && !isPast(clock, start) ? Date.parse(start) : 0, end: end ? Date.parse(end) : Infinity }
}
