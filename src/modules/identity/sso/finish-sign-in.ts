// POST /auth/session/sso and /auth/login/sso: the browser has come back from the provider. Whatever is wrong with its
// answer is 401.
import type { IoContext, Ports } from '#kernel/data/context.ts'
import { readCookie } from '#http/cookie-name.ts'
import { AppError } from '#kernel/values/errors.ts'
import { refusalEntry } from '#kernel/data/audit/audit.ts'
import { SYSTEM_CALLER } from '#kernel/access/transactions.ts'
import { refusedSignIn } from '#modules/identity/auth/account-log.ts'
import type { Headers } from '#modules/identity/auth/sessions/sign-in.ts'
import { RefusedSignOn, type SignedOn } from '#ports/single-sign-on.ts'
import { COOKIE } from './begin-sign-in.ts'
import { asUnavailable, domainOf, type Provider, providerById, requestOf } from './provider.ts'
import type { FinishSignOn, ProgramAnswer } from './sign-on.ts'
import { identities, signIns } from './sign-ins.ts'

export type CheckedSignOn = {
  provider: Provider
  signedOn: SignedOn
  /** The account that the provider's subject is linked to; null the first time. */
  userId: number | null
  returnPath: string
  ports: Ports
}

export const checkBrowserSignOn = (io: IoContext, body: FinishSignOn, headers: Headers): Promise<CheckedSignOn> =>
  checkSignOn(io, body, readCookie(headers.cookie?.toString(), COOKIE, io.ports.settings.publicUrl) ?? '')

export const checkProgramSignOn = (io: IoContext, { sign_on_token, ...body }: ProgramAnswer): Promise<CheckedSignOn> =>
  checkSignOn(io, body, sign_on_token)

/** `browser`: what only the browser, or the program, that began has. */
async function checkSignOn(io: IoContext, body: FinishSignOn, browser: string): Promise<CheckedSignOn> {
  const { read, ports, now } = io
  const [begun] = await read(signIns.use(body.state, browser, now))
  if (!begun) throw over()
  const provider = await providerById(io, begun.connection_id)
  if (!provider) throw over()
  const signedOn = await ports.singleSignOn.finish(provider, requestOf(ports, body.state), body).catch(asRefused)
  if (signedOn instanceof RefusedSignOn) {
    await tellWhy(io, provider, signedOn)
    const message = 'The identity provider has not signed you in; begin again'
    throw new AppError('AUTHENTICATION_ERROR', { reason: 'sso_refused', message, cause: signedOn })
  }
  const known = { ...signedOn, connectionId: begun.connection_id }
  const [identity] = await read(identities.userOf(known))
  const userId = identity?.user_id ?? null
  if (userId === null) assertVouched(signedOn, provider)
  return { provider, signedOn, userId, returnPath: begun.return_path, ports }
}

const asRefused = (error: unknown): RefusedSignOn => (error instanceof RefusedSignOn ? error : asUnavailable(error))

/**
 * To whoever looks after the connection, in the audit log: a wrong secret is the commonest mistake. The person learns
 * nothing.
 */
async function tellWhy(io: IoContext, { connection }: Provider, { message }: RefusedSignOn): Promise<void> {
  await io.read(refusedSignIn(io, null, 'sign_in_refused', { by: 'sso', cause: message }))
  if (connection === null) return
  const { organization_id: organizationId, id } = connection
  const { now, requestId, ip } = io
  const caller = { ...SYSTEM_CALLER, name: 'anonymous' }
  const refused = { request: `single sign-on by connection ${id}`, reason: message }
  await io.within(organizationId).read(refusalEntry({ caller, now, requestId, ip, organizationId, ...refused }))
}

/** An account is found by its address once only, and only where the provider vouches for the address. */
function assertVouched({ email, isEmailVerified }: SignedOn, { domains, connection }: Provider): void {
  if (email === null || !(isEmailVerified ?? connection?.trusts_email ?? false))
    throw notAccepted(
      'sso_email_unverified',
      'The identity provider does not say that your e-mail address is verified (`email_verified`)',
    )
  if (!domains.includes(domainOf(email)))
    throw notAccepted('sso_other_domain', 'The identity provider signed in an address of another domain')
}

type RefusedSignIn = 'sso_account_refused' | 'sso_email_unverified' | 'sso_expired' | 'sso_other_domain' | 'sso_staff'
export const notAccepted = (reason: RefusedSignIn, message: string): AppError =>
  new AppError('AUTHENTICATION_ERROR', { reason, message })

const over = (): AppError =>
  notAccepted('sso_expired', 'The sign-in has expired, was used, or was begun elsewhere; begin again')
