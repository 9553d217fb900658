// POST /admin/users/{id}/reset-second-factors: for a person who has lost their app, their recovery codes and their
// passkeys.
import { Type, type Static } from 'typebox'
import { first, type SystemContext } from '#kernel/data/context.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import { Closed, Name } from '#kernel/values/schema.ts'
import { removeSecondFactors } from './remove-second-factors.ts'
import { notify } from '../security-notices.ts'
import { sessions } from '../sessions/sessions.ts'
import { users } from '../users.ts'

export const SecondFactorReset = Closed({
  reason: Type.String({ ...Name, description: 'Kept in the audit log', examples: ['Lost the phone; called back'] }),
})
export type SecondFactorReset = Static<typeof SecondFactorReset>

/** The password stays. All sessions end, since somebody who had the device may have them. */
export async function resetSecondFactors(
  ctx: SystemContext,
  userId: number,
  { reason }: SecondFactorReset,
): Promise<void> {
  if (userId === ctx.caller.userId)
    throw conflict('own_account', 'You cannot reset the second factors of your own account')
  if (!(await first(ctx, users.locked(userId)))) throw notFound('User not found')
  await removeSecondFactors(ctx, userId)
  await ctx.ask(sessions.endAllOf(userId, ctx.now))
  await notify(ctx, userId, 'mfa_disabled', { by: 'staff', reason })
}
