// Setting up an authenticator app and taking it away, and the recovery codes that come with it.
import { first, type IoContext, type Ports, type SystemContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import { randomToken } from '#kernel/keys/secrets.ts'
import { checkCode, checkFirstCode, sourceOf } from './check-code.ts'
import { deviceSignIns } from '../devices/device-sign-ins.ts'
import { checkCurrentPassword, provenAccount } from '../passwords/current-password.ts'
import { lockedAccount } from '../passwords/locked-account.ts'
import { newRecoveryCodes, recoveryDigest } from './recovery-codes.ts'
import type { GivenCode } from './second-factor.ts'
import { recoveryCodes, signInChallenges, type TotpFactor, totpFactors } from './second-factors.ts'
import { notify } from '../security-notices.ts'
import { sessions } from '../sessions/sessions.ts'
import { enrollmentOf, totpSecret } from './totp.ts'

type Proven = { ports: Ports; provenHash: string }

export async function checkPasswordOnly(io: IoContext, { current_password: password }: { current_password: string }) {
  return { ports: io.ports, provenHash: await checkCurrentPassword(io, password) }
}

/** A new secret, which counts once a code has confirmed it. An older one that was never confirmed is replaced. */
export async function beginTotp(ctx: SystemContext, { ports, provenHash }: Proven) {
  const { id, email } = await provenAccount(ctx, provenHash)
  const nonce = randomToken(16)
  if (!(await first(ctx, totpFactors.begin(id, nonce, ctx.now)))) throw alreadyEnabled()
  const secret = totpSecret(ports.secretKey, { user_id: id, nonce })
  return enrollmentOf(secret, { issuer: ports.settings.brand, label: email })
}

type FirstCode = { ports: Ports; factor: TotpFactor; step: number }

export async function checkConfirmation(io: IoContext, { code }: { code: string }): Promise<FirstCode> {
  const from = sourceOf(io)
  const [factor] = await io.read(totpFactors.byUser(from.userId))
  if (!factor) throw conflict('authenticator_missing', 'No authenticator app is being set up')
  if (factor.is_confirmed) throw alreadyEnabled()
  return { ports: io.ports, factor, step: await checkFirstCode(io, from, factor, code) }
}

export async function confirmTotp(ctx: SystemContext, { ports, factor, step }: FirstCode) {
  const { id: userId } = await lockedAccount(ctx)
  if (!(await first(ctx, totpFactors.confirm(factor, step, ctx.now)))) throw alreadyEnabled()
  await ctx.ask(sessions.prove(ctx.caller.sessionId ?? 0, { by: 'totp', passkeyId: null }, ctx.now))
  await ctx.ask(sessions.doubtOthers(userId, ctx.caller.sessionId, ctx.now))
  await ctx.ask(deviceSignIns.withdrawAllOf(userId))
  await notify(ctx, userId, 'mfa_enabled')
  return replaceCodes(ctx, ports, userId)
}

const alreadyEnabled = () =>
  conflict('authenticator_exists', 'An authenticator app is set up already; take it away first')

export async function checkDisabling(io: IoContext, body: { current_password: string } & GivenCode): Promise<Proven> {
  const proven = await checkPasswordOnly(io, body)
  await checkCode(io, sourceOf(io), body)
  return proven
}

export async function disableTotp(ctx: SystemContext, { provenHash }: Proven): Promise<void> {
  const { id } = await provenAccount(ctx, provenHash)
  await removeTotp(ctx, id)
  await notify(ctx, id, 'mfa_disabled')
}

/** The sessions that a code has proven count as proven by the password alone. */
export async function removeTotp(ctx: SystemContext, userId: number): Promise<void> {
  await ctx.ask(totpFactors.remove(userId))
  await ctx.ask(recoveryCodes.remove(userId))
  await ctx.ask(signInChallenges.removeAllOf(userId))
  await ctx.ask(sessions.forgetCodes(userId))
}

export async function checkRenewal(io: IoContext, body: { code: string }): Promise<Ports> {
  await checkCode(io, sourceOf(io), body)
  return io.ports
}

export async function renewRecoveryCodes(ctx: SystemContext, ports: Ports) {
  const { id: userId } = await lockedAccount(ctx)
  const factor = await first(ctx, totpFactors.byUser(userId))
  if (!factor?.is_confirmed) throw conflict('authenticator_missing', 'The authenticator app was taken away meanwhile')
  await notify(ctx, userId, 'recovery_codes_renewed')
  return replaceCodes(ctx, ports, userId)
}

async function replaceCodes(ctx: SystemContext, { secretKey }: Ports, userId: number) {
  const codes = newRecoveryCodes()
  const digests = codes.map((code) => recoveryDigest(secretKey, userId, code))
  await ctx.ask(recoveryCodes.replace(userId, digests, ctx.now))
  return { recovery_codes: codes }
}
