// POST /admin/users/{id}/disable: any user but the caller, and the last administrator.
import type { SystemContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import { assertAdministratorRemains } from '#modules/identity/staff/locked-staff.ts'
import { disableUser } from '#modules/identity/auth/disable-user.ts'

export async function disableOtherUser(ctx: SystemContext, id: number): Promise<void> {
  if (id === ctx.caller.userId) throw conflict('own_account', 'You cannot disable your own account')
  await assertAdministratorRemains(ctx, id)
  await disableUser(ctx, id)
}
