// The second factor: its step of a sign-in, and the authenticator app of the caller (docs/interface/identity.md,
// Authentication).
import { Type } from 'typebox'
import { open, user } from '#kernel/values/permissions.ts'
import type { Limit } from '#http/features/features.ts'
import { route, row } from '#http/route.ts'
import { checkAnswer } from './answer-challenge.ts'
import {
  ChallengeAnswer,
  codeRules,
  CurrentPassword,
  DisableTotp,
  OnlyCode,
  RecoveryCodes,
  SecondFactorStatus,
  TotpEnrollment,
} from './second-factor.ts'
import { secondFactors } from './second-factors.ts'
import { finishBrowserSignIn, finishSignIn } from '../sessions/sign-in.ts'
import {
  beginTotp,
  checkConfirmation,
  checkDisabling,
  checkPasswordOnly,
  checkRenewal,
  confirmTotp,
  disableTotp,
  renewRecoveryCodes,
} from './totp-enrollment.ts'
import { BrowserSession, Tokens } from '../user.ts'

const guesses: Limit = {
  policy: 'credentials',
  key: ({ challenge }) => (typeof challenge === 'string' ? challenge : undefined),
}
const ofCaller: Limit = { policy: 'credentials' }
const example = { challenge: 'Vw8zq0b4c1d2e3f4g5h6i7j8k9l0m1n2o3p4q5r6s7t', code: '287082' }
const STEP =
  'Takes the challenge with a code of the authenticator app, or with a recovery code. Each works once. A ' +
  'wrong one is 422; after five the sign-in begins again (401), after ten within an hour the account waits ' +
  '(429), where devices that have signed in before are counted by themselves.'

const steps = [
  route({
    method: 'POST',
    path: '/auth/login/second-factor',
    access: open,
    purpose: 'Finish a sign-in with the second factor.',
    description: STEP,
    body: ChallengeAnswer,
    rules: codeRules,
    openapi: { operationId: 'loginWithSecondFactor', example },
    data: Tokens,
    fails: ['AUTHENTICATION_ERROR'],
    features: { limit: guesses, secret: true },
    before: (io, { body, raw }) => checkAnswer(io, body, raw.headers),
    run: (ctx, { raw }, answered) => finishSignIn(ctx, answered, raw.headers),
  }),
  route({
    method: 'POST',
    path: '/auth/session/second-factor',
    access: open,
    purpose: 'Finish a browser sign-in with the second factor.',
    description: `${STEP} Sets the session cookie and returns the nonce.`,
    body: ChallengeAnswer,
    rules: codeRules,
    openapi: { operationId: 'createSessionWithSecondFactor', example },
    data: BrowserSession,
    fails: ['AUTHENTICATION_ERROR'],
    features: { limit: guesses, secret: true },
    before: (io, { body, raw }) => checkAnswer(io, body, raw.headers),
    run: (ctx, { raw }, answered) => finishBrowserSignIn(ctx, answered, raw.headers),
  }),
]

const apps = [
  route({
    method: 'GET',
    path: '/auth/mfa',
    access: user,
    purpose: 'Get the second factor of the caller’s account.',
    description:
      'When the authenticator app was set up, how many recovery codes and passkeys there are, and which ' +
      'organizations admit nobody without a second factor (`required_by`). No secret and no code is shown again.',
    data: SecondFactorStatus,
    read: ({ userId, now }) => row(secondFactors.status(userId, now)),
  }),
  route({
    method: 'POST',
    path: '/auth/mfa/totp',
    access: user,
    purpose: 'Begin to set up an authenticator app.',
    description: 'Nothing changes until POST /auth/mfa/totp/confirm. Another begin replaces the secret.',
    body: CurrentPassword,
    openapi: { operationId: 'beginTotp', example: { current_password: 'vento-lilas-7' } },
    data: TotpEnrollment,
    status: 201,
    fails: ['authenticator_exists'],
    features: { stepUp: true, limit: ofCaller, secret: true },
    before: (io, { body }) => checkPasswordOnly(io, body),
    run: async (ctx, _input, proven) => ({ data: await beginTotp(ctx, proven) }),
  }),
  route({
    method: 'POST',
    path: '/auth/mfa/totp/confirm',
    access: user,
    purpose: 'Finish setting up an authenticator app with a code of it.',
    description:
      'From now on a sign-in with the password answers with a challenge. The session of this request counts ' +
      'as signed in with a second factor; others do not.',
    body: OnlyCode,
    openapi: { operationId: 'confirmTotp', example: { code: '287082' } },
    data: RecoveryCodes,
    fails: ['authenticator_exists', 'authenticator_missing'],
    features: { limit: ofCaller, secret: true },
    before: (io, { body }) => checkConfirmation(io, body),
    run: async (ctx, _input, checked) => ({
      data: await confirmTotp(ctx, checked),
      message: 'The second factor is on; keep the recovery codes, they are not shown again',
    }),
  }),
  route({
    method: 'POST',
    path: '/auth/mfa/totp/disable',
    access: user,
    purpose: 'Take the authenticator app away.',
    description: 'The recovery codes end too. Organizations that require a second factor then refuse the caller.',
    body: DisableTotp,
    rules: codeRules,
    openapi: { operationId: 'disableTotp', example: { current_password: 'vento-lilas-7', code: '287082' } },
    data: Type.Null(),
    features: { stepUp: true, limit: ofCaller },
    before: (io, { body }) => checkDisabling(io, body),
    run: async (ctx, _input, proven) => {
      await disableTotp(ctx, proven)
      return { data: null, message: 'The second factor is off' }
    },
  }),
  route({
    method: 'POST',
    path: '/auth/mfa/recovery-codes',
    access: user,
    purpose: 'Get new recovery codes.',
    description: 'The former ones end.',
    body: OnlyCode,
    openapi: { operationId: 'renewRecoveryCodes', example: { code: '287082' } },
    data: RecoveryCodes,
    fails: ['authenticator_missing'],
    features: { limit: ofCaller, secret: true },
    before: (io, { body }) => checkRenewal(io, body),
    run: async (ctx, _input, ports) => ({
      data: await renewRecoveryCodes(ctx, ports),
      message: 'Keep the recovery codes, they are not shown again',
    }),
  }),
]

export const secondFactorRoutes = [...steps, ...apps]
