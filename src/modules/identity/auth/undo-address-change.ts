// POST /auth/undo-email-change: restores the former address (docs/interface/identity.md).
import { first, type IoContext, type Ports, type SystemContext } from '#kernel/data/context.ts'
import { conflict, uniqueViolation } from '#kernel/values/errors.ts'
import { addressUndos } from './address-undos.ts'
import { badToken, issueToken } from './mailed-tokens.ts'
import { revokeAccess } from './revoke-access.ts'
import { actingAs, record } from './account-log.ts'
import type { UndoneChange, VerifyToken } from './user.ts'
import { users } from './users.ts'

export type FoundUndo = { userId: number; ports: Ports }

export async function checkUndo({ read, now, ports }: IoContext, { email, token }: VerifyToken): Promise<FoundUndo> {
  const [found] = await read(addressUndos.find(token, email, now))
  if (!found) throw badToken('token')
  return { userId: found.user_id, ports }
}

/**
 * The person who changed the address may know the password: all access is revoked, and the returned key sets a new one.
 */
export async function undoAddressChange(
  ctx: SystemContext,
  { token }: VerifyToken,
  { userId, ports }: FoundUndo,
): Promise<UndoneChange> {
  const account = await first(ctx, users.locked(userId))
  const used = account && (await first(ctx, addressUndos.use(token, ctx.now)))
  if (!account || !used) throw badToken('token')
  const [restored] = await ctx.ask(users.prove(userId, used.email, ctx.now)).catch(failAsTaken)
  if (!restored) return failAsTaken()
  await ctx.ask(addressUndos.removeSince(userId, used.id))
  await revokeAccess(ctx, userId)
  const as = actingAs(ctx, { ...account, email: used.email })
  await record(as, 'email_change_undone', userId, { from: account.email, to: used.email })
  const { token: resetKey } = await issueToken(ctx, ports, { id: userId, email: used.email }, 'reset')
  return { email: used.email, password_required: true, reset_key: resetKey }
}

export function failAsTaken(error?: unknown): never {
  if (error !== undefined && uniqueViolation(error) === undefined) throw error
  throw conflict('email_taken', 'Another account has this e-mail address already')
}
