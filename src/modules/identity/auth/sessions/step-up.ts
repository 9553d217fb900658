// POST /auth/step-up: the person of a session proves again who they are, for acts that need it.
import { Type, type Static } from 'typebox'
import { first, type IoContext, type SystemContext } from '#kernel/data/context.ts'
import { unauthenticated } from '#kernel/access/credentials.ts'
import { type AppError, invalid } from '#kernel/values/errors.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import { Closed, Nullable, Timestamp } from '#kernel/values/schema.ts'
import { record } from '../account-log.ts'
import { checkCode, sourceOf } from '../second-factors/check-code.ts'
import { checkCurrentPassword } from '../passwords/current-password.ts'
import { lockedAccount } from '../passwords/locked-account.ts'
import { PasskeyAnswer } from '../passkeys/passkey.ts'
import { passkeys } from '../passkeys/passkeys.ts'
import { usedPasskey } from '../passkeys/passkey-sign-in.ts'
import { ChallengeAnswer, SECOND_FACTORS, type SecondFactor } from '../second-factors/second-factor.ts'
import { notify } from '../security-notices.ts'
import { sessions } from './sessions.ts'
import { Password } from '../user.ts'
import { users } from '../users.ts'

const { code, recovery_code } = ChallengeAnswer.properties
export const StepUpProof = Closed({
  current_password: Type.Optional({ ...Password, description: 'Only for an account without an authenticator app' }),
  code,
  recovery_code,
  credential: Type.Optional({
    ...PasskeyAnswer.properties.credential,
    description: 'Of a passkey, with options of POST /auth/login/passkey/options',
  }),
})
export type StepUpProof = Static<typeof StepUpProof>

export const SteppedUp = Type.Object(
  {
    authenticated_at: Timestamp,
    second_factor: Nullable(Type.Enum(SECOND_FACTORS, { examples: ['totp'] })),
  },
  { description: 'The session after the proof' },
)

/** One of the four. */
export function proofRules(_body: object, { isGiven }: { isGiven: (field: string) => boolean }): Fields {
  const [given, ...others] = Object.keys(StepUpProof.properties).filter(isGiven)
  if (given === undefined) return { code: 'is required, or current_password, recovery_code or credential' }
  return Object.fromEntries(others.map((other) => [other, `is given together with ${given}`]))
}

type Proof = { by: SecondFactor | null; passkeyId: number | null }

export async function checkStepUp(io: IoContext, proof: StepUpProof): Promise<Proof> {
  const { credential, current_password: password } = proof
  if (credential !== undefined) return byPasskey(io, { credential })
  if (password === undefined) return { by: await checkCode(io, sourceOf(io), proof), passkeyId: null }
  const [account] = await io.read(users.byId(io.caller?.userId ?? 0))
  if (account?.has_totp)
    throw invalid({ current_password: 'does not suffice; send a code of the authenticator app, or a passkey' })
  await checkCurrentPassword(io, password)
  return { by: null, passkeyId: null }
}

async function byPasskey(io: IoContext, answer: PasskeyAnswer): Promise<Proof> {
  const passkey = await usedPasskey(io, answer)
  if (passkey?.user_id !== io.caller?.userId || !passkey) throw notAccepted()
  return { by: 'passkey', passkeyId: passkey.id }
}

const notAccepted = (): AppError => invalid({ credential: 'was not accepted; begin again' })

/** The session also counts as one with the second factor that was used. */
export async function stepUp(ctx: SystemContext, proof: Proof): Promise<Static<typeof SteppedUp>> {
  const { sessionId } = ctx.caller
  const { id: userId } = await lockedAccount(ctx)
  // It may have been removed since it was checked.
  if (proof.passkeyId !== null && !(await first(ctx, passkeys.isThere(proof.passkeyId)))) throw notAccepted()
  const proven = await first(ctx, sessions.prove(sessionId ?? 0, proof, ctx.now))
  if (!proven) throw unauthenticated()
  await record(ctx, 'stepped_up', userId, { by: proof.by ?? 'password' })
  if (proof.by === 'recovery_code') await notify(ctx, userId, 'recovery_code_used')
  return proven
}
