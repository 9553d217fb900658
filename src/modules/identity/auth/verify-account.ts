// POST /auth/verify-account: a mailed token proves an address. Which passwords and sessions end with the proof:
// docs/decisions/0010-unverified-accounts.md.
import { type Acting, first, type IoContext, type Ports, type SystemContext } from '#kernel/data/context.ts'
import { readCredential } from '#kernel/access/credentials.ts'
import { readCookie } from '#http/cookie-name.ts'
import { AppError, invalid } from '#kernel/values/errors.ts'
import type { Cookie, Input } from '#http/route.ts'
import { leaveOldAddress } from './request-address-change.ts'
import { badToken, issueToken, mailNothing, issueAndMail } from './mailed-tokens.ts'
import { revokeAccess } from './revoke-access.ts'
import { challenge } from './second-factors/answer-challenge.ts'
import type { SignInChallenge } from './second-factors/second-factor.ts'
import { sessions } from './sessions/sessions.ts'
import { openSession } from './sessions/sign-in.ts'
import { actingAs, record } from './account-log.ts'
import { failAsTaken } from './undo-address-change.ts'
import type { VerifiedAccount, VerifyAccount } from './user.ts'
import { type MailedToken, type Purpose, userTokens } from './sessions/user-tokens.ts'
import { users } from './users.ts'

type Headers = Input<unknown, unknown, unknown>['raw']['headers']
/** `isRegistrant`: the request also proves that its caller is the person who registered. */
export type Proof = { userId: number; isRegistrant: boolean; ports: Ports }

const PURPOSES: readonly Purpose[] = ['verify', 'email_change']

export async function checkProof(io: IoContext, body: VerifyAccount, headers: Headers): Promise<Proof> {
  const { read, now, ports } = io
  const [found] = await read(userTokens.find(body.token, body.email, PURPOSES, now))
  if (!found) throw badToken('token')
  if (body.password !== undefined && !(await ports.passwords.verify(found.password_hash, body.password)))
    throw invalid({ password: 'is not the password of this account; leave it out if you never set one' })
  const isRegistrant = body.password !== undefined || (await isSignedIn(io, found, headers))
  return { userId: found.user_id, isRegistrant, ports }
}

/**
 * Whether the request has a live session of the account; other credentials are ignored, because the route is public.
 */
async function isSignedIn({ read, now, ports }: IoContext, found: MailedToken, headers: Headers): Promise<boolean> {
  const given = {
    authorization: headers.authorization?.toString(),
    cookie: readCookie(headers.cookie?.toString(), 'service_session', ports.settings.publicUrl),
    nonce: headers['x-service-nonce']?.toString(),
    consumerKey: undefined,
    consumerSecret: undefined,
    keysInQuery: false,
  }
  const credential = await readCredential(given, ports.accessTokens, ports.secretKey, now).catch(unlessRefused)
  if (!credential || credential.kind === 'api_key' || credential.userId !== found.user_id) return false
  return (await read(sessions.isLive(credential, now))).length > 0
}

function unlessRefused(error: unknown): null {
  if (error instanceof AppError) return null
  throw error
}

export async function verifyAccount(
  ctx: SystemContext,
  body: VerifyAccount,
  { userId, isRegistrant, ports }: Proof,
  headers: Headers,
): Promise<{ data: VerifiedAccount | SignInChallenge; cookies?: Cookie[] }> {
  const before = await first(ctx, users.locked(userId))
  const used = before && (await first(ctx, userTokens.use(body.token, ctx.now)))
  if (!used || !before) throw badToken('token')
  const [proven] = await ctx.ask(users.prove(userId, used.email, ctx.now)).catch(failAsTaken)
  if (!proven) return failAsTaken()
  const as = actingAs(ctx, { ...before, email: used.email })
  const isFirst = before.status === 'PENDING'
  const keepsPassword = before.password_hash !== null && (isRegistrant || !isFirst)
  if (isFirst) {
    // The account may have been registered by somebody who does not own the address.
    if (!isRegistrant) await revokeAccess(ctx, userId)
    await record(as, 'address_proven', userId, { kept_password: keepsPassword })
  }
  if (used.purpose === 'email_change') await leaveOldAddress(as, ports, before, used.email)
  // A mailbox is one factor; the link shows no more than the password would.
  if (before.has_totp && keepsPassword) return { data: await challenge(ctx, userId, { signedInBy: 'mailed_link' }) }
  const passwordHash = keepsPassword ? before.password_hash : null
  const owner = { id: userId, password_hash: passwordHash, signedInBy: 'mailed_link' } as const
  const { data: tokens, cookies } = await openSession(ctx, ports, owner, headers)
  if (keepsPassword) return { data: { ...tokens, password_required: false, reset_key: null }, cookies }
  const { token: resetKey } = await issueToken(ctx, ports, { id: userId, email: used.email }, 'reset')
  return { data: { ...tokens, password_required: true, reset_key: resetKey }, cookies }
}

/**
 * For a caller who accepts a mailed invite, which proves the address. Their session comes from the account's password,
 * so both stay; every other session ends.
 */
export async function proveAddress(ctx: Acting, userId: number): Promise<void> {
  const account = await first(ctx, users.locked(userId))
  if (account?.status !== 'PENDING') return
  await ctx.ask(users.prove(userId, account.email, ctx.now))
  await ctx.ask(sessions.endAllOf(userId, ctx.now, ctx.caller.userId === userId ? ctx.caller.sessionId : null))
  await ctx.ask(userTokens.removeAllOf(userId))
  await record(ctx, 'address_proven', userId, { by: 'invite' })
}

/** POST /auth/resend-verification: the answer does not reveal whether the account exists or is verified. */
export async function resendVerification(ctx: SystemContext, ports: Ports, email: string): Promise<void> {
  const account = await first(ctx, users.byEmail(email))
  if (account?.status === 'PENDING') await issueAndMail(ctx, ports, account, 'verify')
  else await mailNothing(ctx)
}
