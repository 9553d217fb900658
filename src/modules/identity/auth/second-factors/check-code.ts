// Checks a code of the authenticator app, or a recovery code. A right one is used up.
import type { IoContext } from '#kernel/data/context.ts'
import { AppError, invalid } from '#kernel/values/errors.ts'
import type { GivenCode, SecondFactor } from './second-factor.ts'
import {
  codeAttempts,
  MOST_ATTEMPTS,
  recoveryCodes,
  type TotpFactor,
  totpFactors,
  WINDOW_SECONDS,
} from './second-factors.ts'
import { refusedSignIn } from '../account-log.ts'
import { stepOf, totpSecret } from './totp.ts'

/** `source`: the session or device that tries; each has its own attempts, so that none can take those of another. */
export type CodeSource = { userId: number; source: string }

export const sourceOf = ({ caller }: IoContext): CodeSource => ({
  userId: caller?.userId ?? 0,
  source: `session ${caller?.sessionId}`,
})

/** 422 for a wrong code, 429 after ten of them in an hour. Outside of transactions: what was tried stays counted. */
export async function checkCode(io: IoContext, from: CodeSource, given: GivenCode): Promise<SecondFactor> {
  await countAttempt(io, from)
  const used = given.recovery_code === undefined ? await usedStep(io, from, given) : await usedCode(io, from, given)
  if (!used) return refuse(io, from, given)
  await io.read(codeAttempts.uncount(from.userId, from.source))
  return given.recovery_code === undefined ? 'totp' : 'recovery_code'
}

/** The step of a code for an app that is not confirmed yet, counted like all others. */
export async function checkFirstCode(io: IoContext, from: CodeSource, factor: TotpFactor, code: string) {
  await countAttempt(io, from)
  const step = stepOf(totpSecret(io.ports.secretKey, factor), code, io.now)
  if (step === null) return refuse(io, from, { code })
  await io.read(codeAttempts.uncount(from.userId, from.source))
  return step
}

async function countAttempt({ read, now }: IoContext, { userId, source }: CodeSource): Promise<void> {
  const [counted] = await read(codeAttempts.count(userId, source, now))
  if (!counted || counted.attempts <= MOST_ATTEMPTS) return
  const seconds = Math.ceil((Date.parse(counted.since) - now.getTime()) / 1000) + WINDOW_SECONDS
  throw new AppError('RATE_LIMIT', { retryAfter: Math.max(seconds, 1) })
}

async function usedStep({ read, ports, now }: IoContext, { userId }: CodeSource, { code = '' }: GivenCode) {
  const [factor] = await read(totpFactors.byUser(userId))
  const step = factor?.is_confirmed ? stepOf(totpSecret(ports.secretKey, factor), code, now) : null
  return step !== null && (await read(totpFactors.useStep(userId, step))).length > 0
}

async function usedCode(
  { read, ports, now }: IoContext,
  { userId }: CodeSource,
  { recovery_code: code = '' }: GivenCode,
) {
  return (await read(recoveryCodes.use(userId, code, ports, now))).length > 0
}

async function refuse(io: IoContext, { userId }: CodeSource, given: GivenCode): Promise<never> {
  await io.read(refusedSignIn(io, userId, 'second_factor_refused'))
  throw invalid({ [given.recovery_code === undefined ? 'code' : 'recovery_code']: 'is wrong, expired or used' })
}
