// POST /auth/verify-account: a mailed token proves an address. Why what came before the proof ends, and when it may
// stay: docs/decisions/0010-unproven-accounts.md.
import { type Acting, first, type Outside, type Ports, type SystemContext } from '#kernel/context.ts'
import { conflict, invalid, uniqueViolation } from '#kernel/errors.ts'
import { enqueue } from '#kernel/jobs.ts'
import type { Input } from '#kernel/route.ts'
import { revokeKeysEverywhere } from './api-key.ts'
import { EMAIL_NOTICE_JOB, badToken, mailNothing, mailToken } from './mailed-tokens.ts'
import { sessions } from './sessions.ts'
import { openSession } from './sign-in.ts'
import { actingAs, record } from './trail.ts'
import type { Tokens, VerifyAccount } from './user.ts'
import { type MailedToken, type Purpose, userTokens } from './user-tokens.ts'
import { users } from './users.ts'

type Headers = Input<unknown, unknown, unknown>['raw']['headers']
/** Whoever has the mailbox also showed that they are the one who registered. */
export type Proof = { isRegistrant: boolean; ports: Ports }

const PURPOSES: readonly Purpose[] = ['verify', 'email_change']

export async function checkProof(outside: Outside, body: VerifyAccount, headers: Headers): Promise<Proof> {
  const { read, now, ports } = outside
  const [found] = await read(userTokens.find(body.token, body.email, PURPOSES, now))
  if (!found) throw badToken('token')
  if (body.password !== undefined && !(await ports.passwords.verify(found.password_hash, body.password)))
    throw invalid({ password: 'is not the password of this account; leave it out if you never set one' })
  return { isRegistrant: body.password !== undefined || (await isSignedIn(outside, found, headers)), ports }
}

/** A bearer token of the account that is being proven; any other is ignored, for the route is open. */
async function isSignedIn({ read, now, ports }: Outside, found: MailedToken, headers: Headers): Promise<boolean> {
  const [, token] = /^bearer (.+)$/i.exec(headers.authorization?.toString() ?? '') ?? []
  if (token === undefined) return false
  const verdict = await ports.accessTokens.verify(token.trim(), now)
  if (!verdict.isValid || verdict.access.userId !== found.user_id) return false
  return (await read(sessions.isLive(verdict.access.sessionId, found.user_id, now))).length > 0
}

export async function verifyAccount(
  ctx: SystemContext,
  body: VerifyAccount,
  { isRegistrant, ports }: Proof,
  headers: Headers,
): Promise<Tokens> {
  const used = await first(ctx, userTokens.use(body.token, ctx.now))
  const before = used && (await first(ctx, users.locked(used.user_id)))
  if (!used || !before) throw badToken('token')
  const [proven] = await ctx.ask(users.prove(before.id, used.email, ctx.now)).catch(refuseTaken)
  if (!proven) return refuseTaken()
  const as = actingAs(ctx, { ...before, email: used.email })
  if (before.status === 'PENDING') {
    if (!isRegistrant) await dropUnproven(ctx, before.id)
    await record(as, 'address_proven', before.id, { kept_password: isRegistrant && before.password_hash !== null })
  }
  if (used.purpose === 'email_change') await tellOldAddress(as, before, used.email)
  return openSession(ctx, ports, before.id, headers)
}

function refuseTaken(error?: unknown): never {
  if (error !== undefined && uniqueViolation(error) === undefined) throw error
  throw conflict('Another account has this e-mail address already')
}

/** Whoever registered with this address may not be its owner: their password, sessions, API keys and requests end. */
async function dropUnproven(ctx: SystemContext, userId: number): Promise<void> {
  await ctx.ask(users.setPassword(userId, null, ctx.now))
  await ctx.ask(sessions.endAllOf(userId, ctx.now))
  await ctx.ask(userTokens.removeAllOf(userId))
  await revokeKeysEverywhere(ctx, userId)
}

/** Keys that were mailed to the old address must not open the account any more. */
async function tellOldAddress(
  ctx: SystemContext,
  { id, email }: { id: number; email: string },
  to: string,
): Promise<void> {
  await ctx.ask(userTokens.removeAllOf(id))
  const entry = await record(ctx, 'email_changed', id, { from: email, to })
  await enqueue(ctx, EMAIL_NOTICE_JOB, { entry_id: entry })
}

/**
 * For the one who accepts a mailed invite: the mailbox is theirs, and a session of an unproven account comes from its
 * password, so both stay; every other session ends.
 */
export async function proveAddress(ctx: Acting, userId: number): Promise<void> {
  const account = await first(ctx, users.locked(userId))
  if (account?.status !== 'PENDING') return
  await ctx.ask(users.prove(userId, account.email, ctx.now))
  await ctx.ask(sessions.endAllOf(userId, ctx.now, ctx.caller.userId === userId ? ctx.caller.sessionId : null))
  await ctx.ask(userTokens.removeAllOf(userId))
  await record(ctx, 'address_proven', userId, { by: 'invite' })
}

/** POST /auth/resend-verification: nothing tells whether there is anything to verify. */
export async function resendVerification(ctx: SystemContext, ports: Ports, email: string): Promise<void> {
  const account = await first(ctx, users.byEmail(email))
  if (account?.status === 'PENDING') await mailToken(ctx, ports, account, 'verify')
  else await mailNothing(ctx)
}
