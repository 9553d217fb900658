// Closes an account for good, and erases what it says of its person.
import type { SystemContext } from '#kernel/data/context.ts'
import { addressUndos } from './address-undos.ts'
import { revokeAccess } from './revoke-access.ts'
import { sessions } from './sessions/sessions.ts'
import { users } from './users.ts'

/** Nobody can sign in any more, and no key of the account counts. */
export async function closeAccount(ctx: SystemContext, userId: number): Promise<void> {
  await ctx.ask(users.setDisabled(userId, ctx.now, ctx.now))
  await revokeAccess(ctx, userId)
}

/** The row stays, since records of organizations refer to it. */
export async function eraseAccount(ctx: SystemContext, userId: number): Promise<void> {
  await ctx.ask(sessions.removeAllOf(userId))
  await ctx.ask(addressUndos.removeAllOf(userId))
  await ctx.ask(users.erase(userId, ctx.now))
}
