// When whoever was in an account may not be its owner.
import type { SystemContext } from '#kernel/data/context.ts'
import { revokeKeysEverywhere } from './api-key.ts'
import { knownAddresses } from './known-devices.ts'
import { sessions } from './sessions.ts'
import { userTokens } from './user-tokens.ts'
import { users } from './users.ts'

/** The password, sessions, mailed tokens, known devices and API keys of the account end; only its mailbox opens it again. */
export async function revokeAccess(ctx: SystemContext, userId: number): Promise<void> {
  await ctx.ask(users.setPassword(userId, null, ctx.now))
  await ctx.ask(sessions.endAllOf(userId, ctx.now))
  await ctx.ask(userTokens.removeAllOf(userId))
  await ctx.ask(knownAddresses.removeAllOf(userId))
  await revokeKeysEverywhere(ctx, userId)
}
