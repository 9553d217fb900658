// POST /auth/login and /auth/session: checks a password and opens a session. POST /auth/logout ends it.
import { first, one, type Acting, type IoContext, type Ports, type SystemContext } from '#kernel/data/context.ts'
import { AppError } from '#kernel/http/errors.ts'
import { digest, randomToken, sessionNonce } from '#kernel/keys/secrets.ts'
import type { Cookie, Input, Result } from '#kernel/http/route.ts'
import '#ports/ports.ts'
import { type Owner, rememberDevice } from './known-devices.ts'
import { needsRehash } from './passwords.ts'
import { LIFETIME_SECONDS, sessions } from './sessions.ts'
import { actingAs, record, refusedSignIn } from './account-log.ts'
import type { Login, Tokens, User } from './user.ts'
import { type Account, users } from './users.ts'

export type Checked = { account: Account; rehash: string | null; ports: Ports }
type Headers = Input<unknown, unknown, unknown>['raw']['headers']

/**
 * An unknown address, an account without a password and a wrong password take the same work and get the same answer.
 */
export async function checkPassword(io: IoContext, { email, password }: Login): Promise<Checked> {
  const { read, ports } = io
  const [account] = await read(users.byEmail(email))
  const hash = account?.password_hash ?? null
  const isRight = await ports.passwords.verify(hash, password)
  if (!account || hash === null || !isRight) {
    await read(refusedSignIn(io, account?.id ?? null))
    throw wrongLogin()
  }
  return { account, rehash: needsRehash(hash) ? await ports.passwords.hash(password) : null, ports }
}

const wrongLogin = (): AppError =>
  new AppError('AUTHENTICATION_ERROR', { message: 'The e-mail address or the password is wrong' })

export async function signIn(ctx: SystemContext, checked: Checked, headers: Headers): Promise<Result<Tokens>> {
  const account = await admitted(ctx, checked)
  const opened = await openSession(ctx, checked.ports, account, headers)
  await record(actingAs(ctx, account), 'signed_in', account.id, { by: 'token' })
  return opened
}

export async function signInBrowser(ctx: SystemContext, checked: Checked, headers: Headers) {
  const account = await admitted(ctx, checked)
  const secret = randomToken()
  const session = await one(ctx, sessions.openBrowser({ ...from(ctx, headers), userId: account.id }, digest(secret)))
  await record(actingAs(ctx, account), 'signed_in', account.id, { by: 'cookie' })
  return {
    data: await browserSession(ctx, checked.ports, account.id, session.id),
    cookies: [
      cookieOf(`${session.id}.${account.id}.${secret}`, LIFETIME_SECONDS),
      await rememberDevice(ctx, checked.ports.secretKey, account, headers),
    ],
  }
}

/** A new nonce for a browser's session, and its user. */
export async function browserSession(ctx: Acting, { secretKey }: Ports, userId: number, sessionId: number) {
  return { ...sessionNonce(secretKey, { sessionId, userId, now: ctx.now }), user: await userOf(ctx, userId) }
}

/** The account, locked. 401 when its password changed or it was disabled after the password was checked. */
async function admitted(ctx: SystemContext, { account, rehash }: Checked): Promise<Account> {
  const now = await first(ctx, users.locked(account.id))
  if (!now || now.password_hash !== account.password_hash) throw wrongLogin()
  if (rehash === null) return now
  await ctx.ask(users.rehash(account.id, rehash))
  return { ...now, password_hash: rehash }
}

export type Opened = { data: Tokens; cookies: Cookie[] }

/** Opens a session with its first tokens, and remembers the device. */
export async function openSession(ctx: Acting, ports: Ports, owner: Owner, headers: Headers): Promise<Opened> {
  const userId = owner.id
  const refreshToken = randomToken()
  const session = await one(ctx, sessions.openBearer({ ...from(ctx, headers), userId }, digest(refreshToken)))
  const device = await rememberDevice(ctx, ports.secretKey, owner, headers)
  return { data: await tokensOf(ctx, ports, { userId, sessionId: session.id, refreshToken }), cookies: [device] }
}

/** A new access token with the grants of the user's memberships as of now. */
export async function tokensOf(
  ctx: Acting,
  { accessTokens }: Ports,
  { userId, sessionId, refreshToken }: { userId: number; sessionId: number; refreshToken: string },
): Promise<Tokens> {
  const { roles, organization_id, scopes, owns } = await one(ctx, users.grants(userId, ctx.now))
  const { access_token, expires_in } = await accessTokens.issue({
    userId,
    sessionId,
    organizationId: organization_id,
    roles,
    scopes: owns || roles.includes('administrator') ? ['*'] : scopes,
    now: ctx.now,
  })
  return { access_token, refresh_token: refreshToken, token_type: 'Bearer', expires_in }
}

export const userOf = (ctx: Acting, userId: number): Promise<User> => one(ctx, users.inFull(userId, ctx.now))

/** POST /auth/logout */
export async function signOut(ctx: SystemContext): Promise<Result<null>> {
  const { userId, sessionId } = ctx.caller
  const [ended] = sessionId === null ? [] : await ctx.ask(sessions.end(sessionId, ctx.now))
  if (userId !== null) await record(ctx, 'signed_out', userId)
  return { data: null, message: 'Signed out', ...(ended?.is_browser && { cookies: [NO_COOKIE] }) }
}

const cookieOf = (value: string, maxAgeSeconds: number): Cookie => ({ name: 'service_session', value, maxAgeSeconds })
export const NO_COOKIE = cookieOf('', 0)

function from({ ip, now }: Acting, headers: Headers) {
  const userAgent = headers['user-agent']
  return { ip, now, userAgent: typeof userAgent === 'string' ? userAgent.slice(0, 255) : null }
}
