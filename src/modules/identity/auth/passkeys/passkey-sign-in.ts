// POST /auth/login/passkey and /auth/session/passkey: signing in with a passkey alone. The authenticator has verified
// its person, so that it counts as two factors.
import { first, type IoContext, type Ports, type SystemContext } from '#kernel/data/context.ts'
import { AppError } from '#kernel/values/errors.ts'
import { randomToken } from '#kernel/keys/secrets.ts'
import { refusedSignIn } from '../account-log.ts'
import type { PasskeyAnswer, RequestOptions } from './passkey.ts'
import { passkeyChallenges, passkeys, type StoredPasskey } from './passkeys.ts'
import { type Headers, openBearer, openBrowser } from '../sessions/sign-in.ts'
import { users } from '../users.ts'
import { challengeIn, requestOptions, usedCounter } from './webauthn.ts'

export async function beginPasskeySignIn(ctx: SystemContext, ports: Ports): Promise<RequestOptions> {
  const challenge = randomToken()
  await ctx.ask(passkeyChallenges.begin(challenge, null, ctx.now))
  return requestOptions(ports, challenge)
}

export type CheckedPasskey = { passkey: StoredPasskey; ports: Ports }

/** 401 for whatever is wrong. */
export async function checkPasskey(io: IoContext, answer: PasskeyAnswer): Promise<CheckedPasskey> {
  const passkey = await usedPasskey(io, answer)
  if (!passkey) throw notAccepted()
  return { passkey, ports: io.ports }
}

/** The challenge is used up, whatever comes of it. Null, and in the audit log, for whatever is wrong. */
export async function usedPasskey(io: IoContext, { credential }: PasskeyAnswer): Promise<StoredPasskey | null> {
  const { read, ports, now } = io
  const challenge = challengeIn(credential)
  const [used] = await read(passkeyChallenges.use(challenge, null, now))
  const [passkey] = used ? await read(passkeys.byCredential(credential.id)) : []
  const counter = passkey ? await usedCounter(ports, credential, passkey, challenge) : null
  const isFirst = passkey && counter !== null && (await read(passkeys.use(passkey, counter, now))).length > 0
  if (passkey && isFirst) return passkey
  await read(refusedSignIn(io, passkey?.user_id ?? null))
  return null
}

const notAccepted = (): AppError =>
  new AppError('AUTHENTICATION_ERROR', { message: 'The passkey is unknown or was not accepted; begin again' })

export async function signInByPasskey(ctx: SystemContext, checked: CheckedPasskey, headers: Headers) {
  return openBearer(ctx, checked.ports, await admitted(ctx, checked), headers)
}

export async function signInBrowserByPasskey(ctx: SystemContext, checked: CheckedPasskey, headers: Headers) {
  return openBrowser(ctx, checked.ports, await admitted(ctx, checked), headers)
}

/** The account, locked. 401 when it was disabled, or the passkey removed, since it was checked. */
async function admitted(ctx: SystemContext, { passkey }: CheckedPasskey) {
  const account = await first(ctx, users.locked(passkey.user_id))
  const known = account && (await ctx.ask(passkeys.byCredential(passkey.credential_id)))
  if (!account || !known?.length) throw notAccepted()
  return { ...account, signedInBy: 'passkey', secondFactor: 'passkey', passkeyId: passkey.id } as const
}
