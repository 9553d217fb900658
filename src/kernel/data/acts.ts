// An act needs the permissions of everything that it does: what a table says that its events need is asked of whoever
// causes them, by whatever route. What the service does by itself, in jobs and after webhooks, needs nothing.
import type { OrganizationContext } from './context.ts'
import type { Table } from './table.ts'
import { AppError } from '#kernel/values/errors.ts'
import { notOfThisRole, permissionsFor } from '#kernel/values/staff-needs.ts'
import { holds, isClosedToStaff, needsOf, type OrganizationAccess } from '#kernel/values/permissions.ts'

export function assertMayCause<Row>(ctx: OrganizationContext, table: Table<Row>, event: string): void {
  const access = table.needs[event]
  if (access) assertMay(ctx, access)
}

/** For a need that depends on values. */
export function assertMay({ caller, scopes }: OrganizationContext, access: OrganizationAccess): void {
  if (caller.kind === 'system') return
  if (caller.staff) {
    const { permissions = [], kind } = caller
    const needed = permissionsFor({ access, writes: true })
    if (!isClosedToStaff(access) && needed.every((one) => permissions.includes(one))) return
    throw refused({ message: notOfThisRole(needed, permissions, kind === 'api_key') })
  }
  const missing = needsOf(access).scopes.filter((scope) => !holds(scopes, scope))
  const [first] = missing
  if (first !== undefined) throw refused({ message: `Scope not authorized: ${first}`, missing: { scopes: missing } })
}

const refused = (details: { message: string; missing?: { scopes: readonly string[] } }): AppError =>
  new AppError('AUTHORIZATION_ERROR', { reason: 'scope_missing', ...details })
