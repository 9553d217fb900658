// What a request needs of staff, and how a refusal names it.
import { type Access, staffScopesOf } from './permissions.ts'
import { permissionFor, rolesWith, type StaffPermission } from './staff-roles.ts'

/** What the request needs of staff, where `isClosedToStaff` does not say that nothing suffices. */
export function permissionsFor({ access, writes }: { access: Access; writes: boolean }): StaffPermission[] {
  const scopes = staffScopesOf(access)
  return scopes === null || scopes === 'none' ? [] : scopes.map((scope) => permissionFor(scope, writes))
}

/** Names the roles that bring what is missing, and who can grant them. */
export function notOfThisRole(needed: readonly StaffPermission[], held: readonly string[], isKey: boolean): string {
  const missing = needed.filter((one) => !held.includes(one))
  if (isKey) return `Scope not authorized: ${missing[0]}. The API key, or the token that it was exchanged for, lacks it`
  const roles = rolesWith(missing)
  const ordinary = roles.filter((role) => role !== 'administrator')
  const brought = (ordinary.length > 0 ? ordinary : roles).join(' or ')
  return `Scope not authorized: ${missing[0]}. An administrator of the vendor can grant the role ${brought}`
}
