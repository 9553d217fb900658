// POST /admin/users/{id}/disable: any user but the caller.
import type { SystemContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/http/errors.ts'
import { disableUser } from '#areas/auth/disable-user.ts'

export async function disableOtherUser(ctx: SystemContext, id: number): Promise<void> {
  if (id === ctx.caller.userId) throw conflict('You cannot disable your own account')
  await disableUser(ctx, id)
}
