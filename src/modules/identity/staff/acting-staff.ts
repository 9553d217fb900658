// A person of staff as the caller of work that goes on after their request, or outlasts it: with the roles that they
// have by then.
import { type Caller, first, type IoContext, type SystemContext } from '#kernel/data/context.ts'
import { permissionFor, type StaffPermission, type StaffScope } from '#kernel/values/staff-roles.ts'
import { staffMembers } from './queries.ts'

/** Null when the person may not change all of these any more. */
export async function actingStaff(
  { read }: Pick<IoContext, 'read'>,
  userId: number,
  scopes: readonly StaffScope[],
): Promise<Caller | null> {
  const [person] = await read(staffMembers.acting(userId))
  const { name = '', permissions = null } = person ?? {}
  if (!permissions || !scopes.every((scope) => permissions.includes(permissionFor(scope, true)))) return null
  return {
    kind: 'user',
    userId,
    name,
    email: null,
    proven: true,
    staff: true,
    permissions,
    sessionId: null,
    language: 'en',
  }
}

/**
 * What the caller may do as staff at this moment, which stays so until the commit: for what outlasts their roles. The
 * access check may have admitted them just before the roles were taken away.
 */
export async function permissionsNow(ctx: SystemContext): Promise<readonly StaffPermission[]> {
  const person = await first(ctx, staffMembers.actingLocked(ctx.caller.userId ?? 0))
  return person?.permissions ?? []
}

/** Who can sign in and manage staff and keys. */
export const administratorsNow = (ctx: SystemContext): Promise<{ id: number }[]> =>
  ctx.ask(staffMembers.administrators())
