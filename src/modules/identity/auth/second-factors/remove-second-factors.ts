// All second factors of an account end: it goes to the owner of its mailbox, because a stranger may have set them up.
import type { SystemContext } from '#kernel/data/context.ts'
import { passkeys } from '../passkeys/passkeys.ts'
import { removeTotp } from './totp-enrollment.ts'

/** The sessions have to end too. */
export async function removeSecondFactors(ctx: SystemContext, userId: number): Promise<void> {
  await removeTotp(ctx, userId)
  await ctx.ask(passkeys.removeAllOf(userId))
}
