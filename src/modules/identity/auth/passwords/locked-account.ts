// The caller's account, locked, for changes that must not outlive the session that asks for them.
import { first, type SystemContext } from '#kernel/data/context.ts'
import { unauthenticated } from '#kernel/access/credentials.ts'
import { sessions } from '../sessions/sessions.ts'
import { type Account, users } from '../users.ts'

/** 401 when the session ended while the lock was waited for: a new password and a reset end it under the same lock. */
export async function lockedAccount(ctx: SystemContext): Promise<Account> {
  const { userId, sessionId } = ctx.caller
  const account = await first(ctx, users.locked(userId ?? 0))
  if (!account || !(await first(ctx, sessions.isStillLive(sessionId)))) throw unauthenticated()
  return account
}
