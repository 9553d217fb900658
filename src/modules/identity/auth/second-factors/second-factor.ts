// The second factor of a sign-in as clients see it (docs/interface/identity.md, Authentication).
import { Type, type Static } from 'typebox'
import type { Fields } from '#kernel/values/validation/problems.ts'
import { Closed, Id, Name, Nullable, Timestamp } from '#kernel/values/schema.ts'
import { BrowserSession, Password, Tokens, VerifiedAccount } from '../user.ts'

export const SECOND_FACTORS = ['totp', 'recovery_code', 'passkey', 'sso'] as const
export type SecondFactor = (typeof SECOND_FACTORS)[number]

export const SignInChallenge = Type.Object(
  {
    second_factor_required: Type.Boolean({ const: true, description: 'Always true', examples: [true] }),
    challenge: Type.String({
      description: 'For the second step; good for one sign-in and five attempts',
      examples: ['Vw8zq0b4c1d2e3f4g5h6i7j8k9l0m1n2o3p4q5r6s7t'],
    }),
    expires_at: Timestamp,
  },
  { description: 'The first step of a sign-in was right, and the account has a second factor' },
)
export type SignInChallenge = Static<typeof SignInChallenge>

export const TokensOrChallenge = Type.Union([Tokens, SignInChallenge])
export const BrowserSessionOrChallenge = Type.Union([BrowserSession, SignInChallenge])
export const VerifiedAccountOrChallenge = Type.Union([VerifiedAccount, SignInChallenge])

const Code = Type.String({ pattern: '^\\d{6}$', description: 'Of the authenticator app', examples: ['287082'] })
const RecoveryCode = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Instead of a code; each works once',
  examples: ['4k7p-m2xw-9rq3'],
})

const EITHER = { code: Type.Optional(Code), recovery_code: Type.Optional(RecoveryCode) }
export type GivenCode = { code?: string; recovery_code?: string }

export const ChallengeAnswer = Closed({
  challenge: Type.String({ minLength: 1, maxLength: 255, examples: ['Vw8zq0b4c1d2e3f4g5h6i7j8k9l0m1n2o3p4q5r6s7t'] }),
  ...EITHER,
})
export type ChallengeAnswer = Static<typeof ChallengeAnswer>
export const OnlyCode = Closed({ code: Code })
export const CurrentPassword = Closed({ current_password: Password })
export const DisableTotp = Closed({ current_password: Password, ...EITHER })

/** One of the two, not both. */
export function codeRules(_body: object, { isGiven }: { isGiven: (field: string) => boolean }): Fields {
  if (isGiven('code') && isGiven('recovery_code')) return { recovery_code: 'is given together with code' }
  return isGiven('code') || isGiven('recovery_code') ? {} : { code: 'is required, or recovery_code' }
}

export const SecondFactorStatus = Type.Object(
  {
    totp_enabled_at: Nullable(Timestamp),
    recovery_codes_left: Type.Integer({ description: 'Of ten', examples: [10] }),
    passkeys: Type.Integer({ description: 'How many', examples: [1] }),
    required_by: Type.Array(Type.Object({ id: Id, name: Name }, { description: 'An organization' }), {
      description: 'The organizations of the caller that admit nobody without a second factor',
    }),
  },
  { description: 'The second factor of the caller’s account' },
)
export type SecondFactorStatus = Static<typeof SecondFactorStatus>

export const TotpEnrollment = Type.Object(
  {
    secret: Type.String({ description: 'For typing it in', examples: ['GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'] }),
    uri: Type.String({
      description: 'For a QR code',
      examples: ['otpauth://totp/Titular:ana%40acme.example?issuer=Titular&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'],
    }),
  },
  { description: 'What the authenticator app needs; not shown again' },
)

export const RecoveryCodes = Type.Object(
  {
    recovery_codes: Type.Array(Type.String(), {
      description: 'Each works once, instead of a code of the app; not shown again',
      examples: [['4k7p-m2xw-9rq3', '0h5n-bq5s-x0m2']],
    }),
  },
  { description: 'New recovery codes; the former ones have ended' },
)
