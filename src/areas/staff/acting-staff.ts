// A person of staff as the caller of work that goes on after their request: with the roles that they have by then.
import type { Caller, IoContext } from '#kernel/data/context.ts'
import { permissionFor, type StaffScope } from '#kernel/access/staff-roles.ts'
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
