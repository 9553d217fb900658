// POST /auth/forgot-password, /auth/reset-password: a new password for the owner of the mailbox.
import { first, type IoContext, type Ports, type SystemContext } from '#kernel/data/context.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import type { Cookie, Input } from '#http/route.ts'
import { revokeKeysEverywhere } from '../keys/api-key.ts'
import { deviceOfReset, knownAddresses, rememberDevice } from '../sessions/known-devices.ts'
import { badToken, issueAndMail, mailNothing, mailPasswordChanged } from '../mailed-tokens.ts'
import { hashNew } from '../register-user.ts'
import { signInChallenges } from '../second-factors/second-factors.ts'
import { sessions } from '../sessions/sessions.ts'
import { removeSecondFactors } from '../second-factors/remove-second-factors.ts'
import { actingAs, record } from '../account-log.ts'
import type { ResetPassword } from '../user.ts'
import { userTokens } from '../sessions/user-tokens.ts'
import { users } from '../users.ts'

type Headers = Input<unknown, unknown, unknown>['raw']['headers']

export async function forgotPassword(ctx: SystemContext, ports: Ports, email: string): Promise<void> {
  const account = await first(ctx, users.byEmail(email))
  if (account) await issueAndMail(ctx, ports, account, 'reset')
  else await mailNothing(ctx)
}

export type CheckedReset = { userId: number; passwordHash: string; ports: Ports }

/** Checks the key before it spends a hash on the password. */
export async function checkReset(io: IoContext, { email, key, password }: ResetPassword): Promise<CheckedReset> {
  const [found] = await io.read(userTokens.find(key, email, ['reset'], io.now))
  if (!found) throw badToken('key')
  return { userId: found.user_id, passwordHash: await hashNew(io, password), ports: io.ports }
}

/** The key came by mail, so it proves the address too. */
export async function resetPassword(
  ctx: SystemContext,
  { key }: ResetPassword,
  { userId, passwordHash, ports }: CheckedReset,
  headers: Headers,
): Promise<Cookie> {
  const account = await first(ctx, users.locked(userId))
  const used = account && (await first(ctx, userTokens.use(key, ctx.now)))
  const proven = used && (await first(ctx, users.prove(account.id, account.email, ctx.now)))
  if (!proven) throw badToken('key')
  // Somebody else may have registered this unproven address, created API keys and set up second factors.
  if (account.status === 'PENDING') {
    await revokeKeysEverywhere(ctx, account.id)
    await removeSecondFactors(ctx, account.id)
  }
  await replacePassword(actingAs(ctx, account), account.id, passwordHash, 'password_reset')
  const owner = { id: userId, password_hash: passwordHash }
  const keepsApp = account.has_totp && account.status !== 'PENDING'
  return keepsApp ? deviceOfReset(ctx, ports.secretKey, owner) : rememberDevice(ctx, ports.secretKey, owner, headers)
}

/** Ends all sessions, mailed tokens and known devices of the old password. */
export async function replacePassword(
  ctx: SystemContext,
  userId: number,
  passwordHash: string,
  action: 'password_reset' | 'password_changed',
): Promise<void> {
  await ctx.ask(users.setPassword(userId, passwordHash, ctx.now))
  await ctx.ask(sessions.endAllOf(userId, ctx.now))
  await ctx.ask(userTokens.removeAllOf(userId))
  await ctx.ask(knownAddresses.removeAllOf(userId))
  await ctx.ask(signInChallenges.removeAllOf(userId))
  const entry = await record(ctx, action, userId)
  await enqueue(ctx, mailPasswordChanged, { entry_id: entry })
}
