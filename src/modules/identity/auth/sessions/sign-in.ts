// POST /auth/login and /auth/session: checks a password and opens a session.
import { first, one, type Acting, type IoContext, type Ports, type SystemContext } from '#kernel/data/context.ts'
import { AppError } from '#kernel/values/errors.ts'
import { digest, randomToken, sessionNonce } from '#kernel/keys/secrets.ts'
import type { Cookie, Input, Result } from '#http/route.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { hiddenScopesIn } from '#ports/settings-in-force.ts'
import { deviceName } from './device-name.ts'
import { meetDevice, type Owner } from './known-devices.ts'
import { mailNewSignIn } from './new-sign-in.ts'
import { needsRehash } from '../passwords/passwords.ts'
import { admittedBySecondFactor, type AnsweredChallenge, challenge } from '../second-factors/answer-challenge.ts'
import type { SecondFactor, SignInChallenge } from '../second-factors/second-factor.ts'
import type { SignInMethod } from './session.ts'
import type { FirstStep } from '../second-factors/second-factors.ts'
import { LIFETIME_SECONDS, type NewSession, sessions, type SsoSession } from './sessions.ts'
import { actingAs, record, refusedSignIn } from '../account-log.ts'
import type { BrowserSession, Login, Tokens, User } from '../user.ts'
import { type Account, users } from '../users.ts'

export type CheckedPassword = { account: Account; rehash: string | null; ports: Ports }
export type Headers = Input<unknown, unknown, unknown>['raw']['headers']

/**
 * An unknown address, an account without a password and a wrong password take the same work and get the same answer.
 */
export async function checkPassword(io: IoContext, { email, password }: Login): Promise<CheckedPassword> {
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

export async function signIn(
  ctx: SystemContext,
  checked: CheckedPassword,
  headers: Headers,
): Promise<Result<Tokens | SignInChallenge>> {
  const account = await admitted(ctx, checked)
  return openBearerOrChallenge(ctx, checked.ports, { ...account, ...BY_PASSWORD }, headers)
}

/** As `openBrowserOrChallenge`, with tokens. */
export async function openBearerOrChallenge(
  ctx: SystemContext,
  ports: Ports,
  proven: FirstStep & Proven & Account,
  headers: Headers,
): Promise<Result<Tokens | SignInChallenge>> {
  if (proven.has_totp) return { data: await challenge(ctx, proven.id, proven) }
  return openBearer(ctx, ports, proven, headers)
}

export async function finishSignIn(
  ctx: SystemContext,
  answered: AnsweredChallenge,
  headers: Headers,
): Promise<Result<Tokens>> {
  return openBearer(ctx, answered.ports, await admittedBySecondFactor(ctx, answered), headers)
}

export async function openBearer(ctx: SystemContext, ports: Ports, proven: Proven & Account, headers: Headers) {
  const { opened, isNew } = await openTokens(ctx, ports, proven, headers)
  await noteSignIn(ctx, proven, { by: 'token', isNew, headers })
  return opened
}

export async function signInBrowser(
  ctx: SystemContext,
  checked: CheckedPassword,
  headers: Headers,
): Promise<Result<BrowserSession | SignInChallenge>> {
  const account = await admitted(ctx, checked)
  return openBrowserOrChallenge(ctx, checked.ports, { ...account, ...BY_PASSWORD }, headers)
}

const BY_PASSWORD = { signedInBy: 'password' } as const

/** After a first step that is one factor: an account with an app is asked for its code. */
export async function openBrowserOrChallenge(
  ctx: SystemContext,
  ports: Ports,
  proven: FirstStep & Proven & Account,
  headers: Headers,
): Promise<Result<BrowserSession | SignInChallenge>> {
  if (proven.has_totp) return { data: await challenge(ctx, proven.id, proven) }
  return openBrowser(ctx, ports, proven, headers)
}

export async function finishBrowserSignIn(ctx: SystemContext, answered: AnsweredChallenge, headers: Headers) {
  return openBrowser(ctx, answered.ports, await admittedBySecondFactor(ctx, answered), headers)
}

export async function openBrowser(ctx: SystemContext, ports: Ports, proven: Proven & Account, headers: Headers) {
  const secret = randomToken()
  const session = await one(ctx, sessions.openBrowser(newSession(ctx, headers, proven), digest(secret)))
  const { cookie, isNew } = await meetDevice(ctx, ports.secretKey, proven, headers)
  await noteSignIn(ctx, proven, { by: 'cookie', isNew, headers })
  return {
    data: await browserSession(ctx, ports, proven.id, session.id),
    cookies: [cookieOf(`${session.id}.${proven.id}.${secret}`, LIFETIME_SECONDS), cookie],
  }
}

type SignInNote = { by: 'token' | 'cookie'; isNew: boolean; headers: Headers }

async function noteSignIn(
  ctx: SystemContext,
  proven: Proven & Account,
  { by, isNew, headers }: SignInNote,
): Promise<void> {
  const { id, signedInBy, secondFactor, sso } = proven
  ctx.write(users.signedIn(id, ctx.now))
  const entry = await record(actingAs(ctx, proven), 'signed_in', id, {
    by,
    ...(isNew && { new_device: deviceName(headers['user-agent']?.toString()) }),
    ...(signedInBy !== 'password' && { signed_in_by: signedInBy }),
    ...(secondFactor && { second_factor: secondFactor }),
    ...(sso && { sso_connection_id: sso.connectionId }),
  })
  // An address that is not proven may be somebody else's. The job knows whether such sign-ins are mailed.
  if (isNew && proven.status === 'ACTIVE') await enqueue(ctx, mailNewSignIn, { entry_id: entry })
}

/** A new nonce for a browser's session, and its user. */
export async function browserSession(ctx: Acting, { secretKey }: Ports, userId: number, sessionId: number) {
  return { ...sessionNonce(secretKey, { sessionId, userId, now: ctx.now }), user: await userOf(ctx, userId) }
}

/** The account, locked. 401 when its password changed or it was disabled after the password was checked. */
async function admitted(ctx: SystemContext, { account, rehash }: CheckedPassword): Promise<Account> {
  const now = await first(ctx, users.locked(account.id))
  if (!now || now.password_hash !== account.password_hash) throw wrongLogin()
  if (rehash === null) return now
  await ctx.ask(users.rehash(account.id, rehash))
  return { ...now, password_hash: rehash }
}

export type OpenedSession = { data: Tokens; cookies: Cookie[] }

/** Whose session is opened, and by what they have proven who they are. */
export type Proven = Owner & {
  signedInBy: SignInMethod
  secondFactor?: SecondFactor
  passkeyId?: number
  sso?: SsoSession | null
  /** When they proved it, where that was not now. */
  authenticatedAt?: string
}

/** Opens a session with its first tokens, and remembers the device. */
export async function openSession(ctx: Acting, ports: Ports, proven: Proven, headers: Headers): Promise<OpenedSession> {
  return (await openTokens(ctx, ports, proven, headers)).opened
}

async function openTokens(ctx: Acting, ports: Ports, proven: Proven, headers: Headers) {
  const userId = proven.id
  const refreshToken = randomToken()
  const session = await one(ctx, sessions.openBearer(newSession(ctx, headers, proven), digest(refreshToken)))
  const { cookie, isNew } = await meetDevice(ctx, ports.secretKey, proven, headers)
  const data = await tokensOf(ctx, ports, { userId, sessionId: session.id, refreshToken })
  const opened: OpenedSession = { data, cookies: [cookie] }
  return { opened, isNew }
}

/** A new access token with the grants of the user's memberships as of now. */
export async function tokensOf(
  ctx: Acting,
  { accessTokens }: Ports,
  { userId, sessionId, refreshToken }: { userId: number; sessionId: number; refreshToken: string },
): Promise<Tokens> {
  const { roles, organization_id, scopes, owns } = await one(
    ctx,
    users.grants(userId, ctx.now, hiddenScopesIn(ctx.settings)),
  )
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

export const userOf = (ctx: Acting, userId: number): Promise<User> =>
  one(ctx, users.inFull(userId, ctx.now, hiddenScopesIn(ctx.settings)))

const cookieOf = (value: string, maxAgeSeconds: number): Cookie => ({ name: 'service_session', value, maxAgeSeconds })

function newSession({ ip, now }: Acting, headers: Headers, proven: Proven): NewSession {
  const userAgent = headers['user-agent']
  const { id: userId, signedInBy, secondFactor = null, passkeyId = null, sso = null, authenticatedAt = now } = proven
  return {
    userId,
    ip,
    userAgent: typeof userAgent === 'string' ? userAgent.slice(0, 255) : null,
    signedInBy,
    secondFactor,
    passkeyId,
    sso,
    authenticatedAt,
    now,
  }
}
