// Passkeys of the caller: registering, renaming, removing.
import { first, type IoContext, type Ports, type SystemContext } from '#kernel/data/context.ts'
import { conflict, invalid, notFound } from '#kernel/values/errors.ts'
import { randomToken } from '#kernel/keys/secrets.ts'
import { checkCurrentPassword, provenAccount } from '../passwords/current-password.ts'
import type { CreationOptions, NewPasskey, Passkey } from './passkey.ts'
import { lockedAccount } from '../passwords/locked-account.ts'
import { passkeyChallenges, passkeys } from './passkeys.ts'
import { notify } from '../security-notices.ts'
import { sessions } from '../sessions/sessions.ts'
import { challengeIn, createdPasskey, creationOptions } from './webauthn.ts'

const MOST_PASSKEYS = 20

type Proven = { ports: Ports; provenHash: string }

export async function checkBeforeOptions(io: IoContext, { current_password: password }: { current_password: string }) {
  return { ports: io.ports, provenHash: await checkCurrentPassword(io, password) }
}

export async function beginPasskey(ctx: SystemContext, { ports, provenHash }: Proven): Promise<CreationOptions> {
  const account = await provenAccount(ctx, provenHash)
  const known = await ctx.ask(passkeys.credentialIds(account.id))
  if (known.length >= MOST_PASSKEYS) throw tooMany()
  const challenge = randomToken()
  await ctx.ask(passkeyChallenges.begin(challenge, account.id, ctx.now))
  return creationOptions(
    ports,
    account,
    known.map(({ credential_id: id }) => id),
    challenge,
  )
}

const tooMany = () => conflict('limit_reached', `An account has at most ${MOST_PASSKEYS} passkeys; remove one first`)

export type CreatedPasskey = Exclude<Awaited<ReturnType<typeof createdPasskey>>, null>

/** The challenge is used up, whatever comes of it. */
export async function checkNewPasskey(
  { read, caller, ports, now }: IoContext,
  { credential }: NewPasskey,
): Promise<CreatedPasskey> {
  const challenge = challengeIn(credential)
  const [used] = await read(passkeyChallenges.use(challenge, caller?.userId ?? 0, now))
  const created = used ? await createdPasskey(ports, credential, challenge) : null
  if (!created) throw invalid({ credential: 'was not accepted; begin again with POST /auth/passkeys/options' })
  return created
}

export async function addPasskey(ctx: SystemContext, name: string, created: CreatedPasskey): Promise<Passkey> {
  const { id: userId } = await lockedAccount(ctx)
  if ((await ctx.ask(passkeys.credentialIds(userId))).length >= MOST_PASSKEYS) throw tooMany()
  const added = await first(ctx, passkeys.add({ userId, name, ...created }, ctx.now))
  if (!added) throw conflict('passkey_exists', 'The passkey is registered already')
  await notify(ctx, userId, 'passkey_added', { passkey_id: added.id, name })
  return added
}

export async function renamePasskey(ctx: SystemContext, id: number, name: string): Promise<Passkey> {
  const renamed = await first(ctx, passkeys.rename(id, ctx.caller.userId ?? 0, name))
  if (!renamed) throw notFound()
  return renamed
}

/** Ends the sessions that it opened, since its device may be lost; the caller's own stays, without a second factor. */
export async function removePasskey(ctx: SystemContext, id: number): Promise<void> {
  const { sessionId } = ctx.caller
  // A sign-in with the passkey holds the same lock, so its session is ended, or it finds no passkey.
  const { id: userId } = await lockedAccount(ctx)
  const removed = await first(ctx, passkeys.remove(id, userId))
  if (!removed) throw notFound()
  await ctx.ask(sessions.endAllOfPasskey(id, ctx.now, sessionId))
  await ctx.ask(sessions.forgetPasskey(id))
  await notify(ctx, userId, 'passkey_removed', { passkey_id: id, name: removed.name })
}
