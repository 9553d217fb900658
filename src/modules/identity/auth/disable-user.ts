// Disables and enables an account. Its sessions, tokens and API keys stop at once, because every access check reads it.
import { first, type SystemContext } from '#kernel/data/context.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import { sessions } from './sessions/sessions.ts'
import { record } from './account-log.ts'
import { userTokens } from './sessions/user-tokens.ts'
import { users } from './users.ts'

export async function disableUser(ctx: SystemContext, userId: number): Promise<void> {
  if (!(await first(ctx, users.setDisabled(userId, ctx.now, ctx.now)))) throw notFound('User not found')
  await ctx.ask(sessions.endAllOf(userId, ctx.now))
  await ctx.ask(userTokens.removeAllOf(userId))
  await record(ctx, 'user_disabled', userId)
}

export async function enableUser(ctx: SystemContext, userId: number): Promise<void> {
  if (await first(ctx, users.isErased(userId))) throw conflict('status_not_allowed', 'The person was erased')
  if (!(await first(ctx, users.setDisabled(userId, null, ctx.now)))) throw notFound('User not found')
  await record(ctx, 'user_enabled', userId)
}
