// Revokes all access to an account, because somebody other than its owner may have used it.
import type { SystemContext } from '#kernel/data/context.ts'
import { revokeKeysEverywhere } from './keys/api-key.ts'
import { knownAddresses } from './sessions/known-devices.ts'
import { sessions } from './sessions/sessions.ts'
import { removeSecondFactors } from './second-factors/remove-second-factors.ts'
import { userTokens } from './sessions/user-tokens.ts'
import { users } from './users.ts'

/**
 * Ends the password, second factors, sessions, mailed tokens, known devices and API keys. Access then needs the
 * account's mailbox.
 */
export async function revokeAccess(ctx: SystemContext, userId: number): Promise<void> {
  await ctx.ask(users.setPassword(userId, null, ctx.now))
  await ctx.ask(sessions.endAllOf(userId, ctx.now))
  await ctx.ask(userTokens.removeAllOf(userId))
  await ctx.ask(knownAddresses.removeAllOf(userId))
  await removeSecondFactors(ctx, userId)
  await revokeKeysEverywhere(ctx, userId)
}
