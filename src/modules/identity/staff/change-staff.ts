// PUT and DELETE /admin/staff/{id}: gives a person of staff other roles, or none.
import type { SystemContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import { record } from '#modules/identity/auth/account-log.ts'
import { mailAboutRoles } from './jobs.ts'
import { assertNotLast, lockedAccount, staffMember } from './locked-staff.ts'
import { staffMembers } from './queries.ts'
import type { StaffMember, StaffRoles } from './staff-member.ts'

/** Counts from the next request on: each access check reads the roles. */
export async function changeStaff(ctx: SystemContext, id: number, { roles, reason }: StaffRoles): Promise<StaffMember> {
  await setRoles(ctx, id, { roles, reason })
  return staffMember(ctx, id)
}

/** The account stays, as a customer's. */
export async function removeStaff(ctx: SystemContext, id: number, reason: string): Promise<void> {
  await setRoles(ctx, id, { roles: [], reason })
  await ctx.ask(staffMembers.dismiss(id))
}

async function setRoles(ctx: SystemContext, id: number, { roles, reason }: StaffRoles): Promise<void> {
  const { account, isLast } = await lockedAccount(ctx, id)
  const { roles: before } = account
  if (before.length === 0) throw notFound()
  if (before.includes('administrator') && !roles.includes('administrator')) assertNotLast(isLast)
  await ctx.ask(staffMembers.setRoles(id, roles, ctx.now))
  const action = roles.length === 0 ? 'staff_removed' : 'staff_roles_changed'
  const entryId = await record(ctx, action, id, { before, after: roles, reason })
  await mailAboutRoles(ctx, entryId, account)
}
