// Signing in by single sign-on as clients see it (docs/interface/identity.md, Single sign-on).
import { Type, type Static } from 'typebox'
import { SignInChallenge } from '#modules/identity/auth/second-factors/second-factor.ts'
import { BrowserSession } from '#modules/identity/auth/user.ts'
import { Closed, Email, Timestamp } from '#kernel/values/schema.ts'

export const SignOnQuestion = Closed({ email: Email })

export const SignOnOffer = Type.Object(
  {
    is_available: Type.Boolean({ description: 'POST /auth/sso works with the address', examples: [true] }),
    is_required: Type.Boolean({ description: 'The organization of the domain asks for it', examples: [false] }),
  },
  { description: 'What there is for the domain of the address, whether or not it has an account' },
)

/** Local: a browser must not take it for another host. */
const ReturnPath = Type.String({
  maxLength: 500,
  pattern: '^/(?![/\\\\])[\\x21-\\x7e]*$',
  description: 'Where the browser goes afterwards: a path of the console, or of the vendor’s own portal',
  examples: ['/quotes/7'],
})

export const BeginSignOn = Closed({ email: Email, return_path: Type.Optional(ReturnPath) })
export type BeginSignOn = Static<typeof BeginSignOn>

export const BegunSignOn = Type.Object(
  {
    authorization_url: Type.String({
      description: 'To be opened in this browser, which gets a cookie with this answer',
      examples: ['https://login.acme.example/authorize?client_id=titular&response_type=code&…'],
    }),
    expires_at: Timestamp,
  },
  { description: 'A sign-in at the identity provider' },
)
export type BegunSignOn = Static<typeof BegunSignOn>

export const BeginProgramSignOn = Closed({
  email: Email,
  port: Type.Integer({
    minimum: 1024,
    maximum: 65_535,
    description: 'On which the program waits for the browser, at 127.0.0.1',
    examples: [51_763],
  }),
})

export const BegunProgramSignOn = Type.Object(
  {
    authorization_url: Type.String({
      description: 'To be opened in the person’s browser',
      examples: ['https://login.acme.example/authorize?client_id=titular&response_type=code&…'],
    }),
    sign_on_token: Type.String({
      description: 'For POST /auth/login/sso; the program keeps it to itself',
      examples: ['h5nBqU5sX0m2kqPzXyq3n6VwTz1sJ8cQm4d7e9f0a1b'],
    }),
    expires_at: Timestamp,
  },
  { description: 'A sign-in of a program at the identity provider' },
)
export type BegunProgramSignOn = Static<typeof BegunProgramSignOn>

const Parameter = Type.String({ minLength: 1, maxLength: 4000 })

/** The parameters with which the provider sends the browser back. */
export const FinishSignOn = Closed({
  state: { ...Parameter, examples: ['Vw8zq0b4c1d2e3f4g5h6i7j8k9l0m1n2o3p4q5r6s7t'] },
  code: Type.Optional({ ...Parameter, examples: ['SplxlOBeZQQYbYS6WxSbIA'] }),
  iss: Type.Optional({ ...Parameter, examples: ['https://login.acme.example'] }),
  error: Type.Optional({ ...Parameter, description: 'Instead of `code`', examples: ['access_denied'] }),
})
export type FinishSignOn = Static<typeof FinishSignOn>

/** The same with what the program got when it began. */
export const ProgramAnswer = Closed({
  ...FinishSignOn.properties,
  sign_on_token: { ...Parameter, examples: ['h5nBqU5sX0m2kqPzXyq3n6VwTz1sJ8cQm4d7e9f0a1b'] },
})
export type ProgramAnswer = Static<typeof ProgramAnswer>

export const SignedOnSession = Type.Union([
  Type.Object(
    { ...BrowserSession.properties, return_path: ReturnPath },
    { description: 'A browser session; its cookie is in the headers' },
  ),
  Type.Object(
    { ...SignInChallenge.properties, return_path: ReturnPath },
    { description: 'The account has a second factor: go on with POST /auth/session/second-factor' },
  ),
])
export type SignedOnSession = Static<typeof SignedOnSession>
