// Changes an account's e-mail address: requested, proven, and announced to the old address, which can undo it for 24
// hours (docs/interface/identity.md).
import { one, type Ports, type SystemContext } from '#kernel/data/context.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { randomToken } from '#kernel/keys/secrets.ts'
import { addressUndos } from './address-undos.ts'
import { issueAndMail, mailEmailChanged, mailEmailChangeRequested } from './mailed-tokens.ts'
import { record } from './account-log.ts'
import { userTokens } from './sessions/user-tokens.ts'
import type { Account } from './users.ts'

/** The answer is the same whether or not another account has the address. */
export async function requestAddressChange(
  ctx: SystemContext,
  ports: Ports,
  account: Account,
  email: string,
): Promise<void> {
  await issueAndMail(ctx, ports, { id: account.id, email }, 'email_change')
  const undoId = await openUndo(ctx, ports, account)
  const details = { email, from: account.email, undo_id: undoId }
  const entry = await record(ctx, 'email_change_requested', account.id, details)
  if (undoId !== null) await enqueue(ctx, mailEmailChangeRequested, { entry_id: entry })
}

/** After the new address is proven: tokens that were mailed to the old one stop working. */
export async function leaveOldAddress(ctx: SystemContext, ports: Ports, before: Account, to: string): Promise<void> {
  await ctx.ask(userTokens.removeAllOf(before.id))
  // The owner of a reserved address has returned to it; an address in between, perhaps a thief's, must not undo that.
  const isBack = (await ctx.ask(addressUndos.removeSinceLeft(before.id, to, ctx.now))).length > 0
  const undoId = isBack ? null : await openUndo(ctx, ports, before)
  if (undoId !== null) await ctx.ask(addressUndos.begin(undoId, ctx.now))
  const entry = await record(ctx, 'email_changed', before.id, { from: before.email, to, undo_id: undoId })
  if (before.status !== 'PENDING') await enqueue(ctx, mailEmailChanged, { entry_id: entry })
}

/**
 * Null for an address that was never proven: it may be mistyped, and its owner must neither get the account nor learn
 * the new address.
 */
async function openUndo(ctx: SystemContext, { secretKey }: Ports, { id, email, status }: Account) {
  if (status === 'PENDING') return null
  const asked = { userId: id, email, nonce: randomToken(16), secretKey, now: ctx.now }
  return (await one(ctx, addressUndos.open(asked))).id
}
