// POST /auth/login/second-factor and /auth/session/second-factor: the second step of a sign-in.
import { first, type IoContext, type Ports, type SystemContext } from '#kernel/data/context.ts'
import { AppError } from '#kernel/values/errors.ts'
import { randomToken } from '#kernel/keys/secrets.ts'
import { actingAs } from '../account-log.ts'
import { checkCode } from './check-code.ts'
import { deviceOf } from '../sessions/known-devices.ts'
import type { ChallengeAnswer, SecondFactor, SignInChallenge } from './second-factor.ts'
import { type FirstStep, signInChallenges } from './second-factors.ts'
import { notify } from '../security-notices.ts'
import type { Headers, Proven } from '../sessions/sign-in.ts'
import { type Account, users } from '../users.ts'

/** The first step was right; the second one has five minutes. */
export async function challenge(ctx: SystemContext, userId: number, step: FirstStep): Promise<SignInChallenge> {
  const token = randomToken()
  const [begun] = await ctx.ask(signInChallenges.begin(userId, token, step, ctx.now))
  return { second_factor_required: true, challenge: token, expires_at: begun?.expires_at ?? '' }
}

export type AnsweredChallenge = { userId: number; challenge: string; factor: SecondFactor; ports: Ports }

/** Only somebody with the right password gets here, so nobody else can use up the attempts of an account. */
export async function checkAnswer(io: IoContext, body: ChallengeAnswer, headers: Headers): Promise<AnsweredChallenge> {
  const { read, ports, now } = io
  const [challenged] = await read(signInChallenges.attempt(body.challenge, now))
  if (!challenged) throw overChallenge()
  const { user_id: userId, email } = challenged
  const keys = { secretKey: ports.secretKey, publicUrl: ports.settings.publicUrl }
  const device = await deviceOf(read, keys, () => now)({ headers, ip: io.ip ?? '' }, email)
  const factor = await checkCode(io, { userId, source: device ?? 'elsewhere' }, body)
  return { userId, challenge: body.challenge, factor, ports }
}

/** The account, locked. 401 when the challenge was used, or ended with the password, since the code was checked. */
export async function admittedBySecondFactor(
  ctx: SystemContext,
  answered: AnsweredChallenge,
): Promise<Proven & Account> {
  const { userId, factor } = answered
  const account = await first(ctx, users.locked(userId))
  const used = account && (await first(ctx, signInChallenges.use(answered.challenge, userId)))
  if (!account || !used) throw overChallenge()
  if (factor === 'recovery_code') await notify(actingAs(ctx, account), userId, 'recovery_code_used')
  const { signed_in_by: signedInBy, sso_connection_id: connectionId, sso_organization_id: organizationId } = used
  const sso = signedInBy === 'sso' ? { connectionId, organizationId, secondFactor: false } : null
  return { ...account, signedInBy, secondFactor: factor, sso }
}

const overChallenge = (): AppError =>
  new AppError('AUTHENTICATION_ERROR', { message: 'The sign-in has expired or was used; begin again' })
