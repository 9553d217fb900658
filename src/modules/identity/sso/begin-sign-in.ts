// POST /auth/sso and /auth/login/sso/begin: where to send the browser, and what binds the sign-in to it, or to the
// program.
import { one, type IoContext, type SystemContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import type { Cookie, Result } from '#http/route.ts'
import { randomToken } from '#kernel/keys/secrets.ts'
import { asUnavailable, domainOf, providerOfDomain, requestOf } from './provider.ts'
import type { BeginSignOn, BegunProgramSignOn, BegunSignOn } from './sign-on.ts'
import { signIns } from './sign-ins.ts'

export const COOKIE = 'service_sign_on'
const COOKIE_SECONDS = 600

export type SignInStart = { url: string; state: string; connectionId: number | null }

/**
 * `port`: on which a program waits for the answer; the page `/sso` reads it from the state, and hands the answer on.
 */
export async function askProvider(io: IoContext, email: string, port: number | null = null): Promise<SignInStart> {
  const provider = await providerOfDomain(io, domainOf(email))
  if (!provider) throw notFound('There is no single sign-on for this domain')
  const state = port === null ? randomToken() : `${randomToken()}.${port}`
  const url = await io.ports.singleSignOn.begin(provider, requestOf(io.ports, state), email).catch(asUnavailable)
  return { url, state, connectionId: provider.connection?.id ?? null }
}

export async function beginSignOn(
  ctx: SystemContext,
  { return_path: returnPath = '/' }: BeginSignOn,
  { url, state, connectionId }: SignInStart,
): Promise<Result<BegunSignOn>> {
  const browser = randomToken()
  const { expires_at } = await one(ctx, signIns.begin({ state, browser, connectionId, returnPath }, ctx.now))
  return { data: { authorization_url: url, expires_at }, cookies: [signOnCookie(browser, COOKIE_SECONDS)] }
}

export async function beginProgramSignOn(
  ctx: SystemContext,
  { url, state, connectionId }: SignInStart,
): Promise<Result<BegunProgramSignOn>> {
  const token = randomToken()
  const { expires_at } = await one(
    ctx,
    signIns.begin({ state, browser: token, connectionId, returnPath: '/' }, ctx.now),
  )
  return { data: { authorization_url: url, sign_on_token: token, expires_at } }
}

/** With 0 seconds the browser forgets it. */
export const signOnCookie = (value: string, maxAgeSeconds: number): Cookie => ({ name: COOKIE, value, maxAgeSeconds })
