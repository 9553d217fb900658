// Signing in and out (spec 4.1; docs/interface/identity.md, Authentication). account-routes.ts has the account's
// routes.
import { Type } from 'typebox'
import { open, user } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { accountRoutes } from './account-routes.ts'
import { apiKeyRoutes } from './keys/api-key-routes.ts'
import { deviceRoutes } from './devices/device-routes.ts'
import { consentRules } from './given-consents.ts'
import { guesses } from './passwords/guess-limits.ts'
import { refreshSession } from './sessions/refresh-session.ts'
import { passwordRules, hashNew, registerUser, registerEmail } from './register-user.ts'
import { BrowserSessionOrChallenge, TokensOrChallenge } from './second-factors/second-factor.ts'
import { passkeyRoutes } from './passkeys/passkey-routes.ts'
import { secondFactorRoutes } from './second-factors/second-factor-routes.ts'
import { stepUpRoute } from './sessions/step-up-route.ts'
import { sessionRoutes } from './sessions/session-routes.ts'
import { browserSession, checkPassword, signIn, signInBrowser } from './sessions/sign-in.ts'
import { BrowserSession, Login, Refresh, Register, RegisterEmail, Tokens } from './user.ts'

const CHALLENGED =
  'For an account with a second factor the answer is a challenge instead, for the step below this path.'

const signInRoutes = [
  route({
    method: 'POST',
    path: '/auth/register',
    access: open,
    purpose: 'Register with a password.',
    description:
      'The user is PENDING until the mailed link proves the address, and may sign in meanwhile. Send this ' +
      'password, or these tokens, along with POST /auth/verify-account: otherwise a new password has to be ' +
      'chosen.',
    body: Register,
    rules: (body) => ({ ...passwordRules(body), ...consentRules(body) }),
    openapi: {
      example: {
        email: 'ana@acme.example',
        password: 'vento-lilas-7',
        name: 'Ana Souza',
        consents: [{ purpose: 'terms_of_use', version: '2026-11' }],
      },
    },
    data: Tokens,
    status: 201,
    fails: ['email_taken'],
    features: { limit: { policy: 'public' }, secret: true },
    before: async (io, { body }) => ({
      ports: io.ports,
      passwordHash: await hashNew(io, body.password),
    }),
    run: async (ctx, { body, raw }, prepared) => ({
      ...(await registerUser(ctx, body, prepared, raw.headers)),
      message: 'Registered; a mail asks to confirm the address',
    }),
  }),
  route({
    method: 'POST',
    path: '/auth/register-email',
    access: open,
    purpose: 'Register with an e-mail address alone.',
    description: 'Mails a link. The answer is the same whether the address is known or not.',
    body: RegisterEmail,
    rules: consentRules,
    openapi: { example: { email: 'ana@acme.example' } },
    data: Type.Null(),
    status: 202,
    features: { limit: guesses },
    before: async ({ ports }) => ports,
    run: async (ctx, { body, raw }, ports) => {
      await registerEmail(ctx, ports, body, raw.headers)
      return { data: null, message: 'A mail with a link is on its way' }
    },
  }),
  route({
    method: 'POST',
    path: '/auth/login',
    access: open,
    purpose: 'Sign in with e-mail and password.',
    description: CHALLENGED,
    body: Login,
    openapi: { example: { email: 'ana@acme.example', password: 'vento-lilas-7' } },
    data: TokensOrChallenge,
    fails: ['AUTHENTICATION_ERROR'],
    features: { limit: guesses, secret: true },
    before: (io, { body }) => checkPassword(io, body),
    run: (ctx, { raw }, checked) => signIn(ctx, checked, raw.headers),
  }),
  route({
    method: 'POST',
    path: '/auth/refresh',
    access: open,
    purpose: 'Exchange a refresh token for new tokens.',
    description:
      'A refresh token can be used once. For 10 seconds after that it gives the same new tokens again; ' +
      'later its use ends the session.',
    body: Refresh,
    openapi: {
      operationId: 'refreshTokens',
      example: { refresh_token: 'h5nBqU5sX0m2kqPzXyq3n6VwTz1sJ8cQm4d7e9f0a1b' },
    },
    data: Tokens,
    fails: ['AUTHENTICATION_ERROR'],
    features: { secret: true },
    before: async ({ ports }) => ports,
    run: (ctx, { body, raw }, ports) => refreshSession(ctx, ports, body.refresh_token, raw.headers),
  }),
  route({
    method: 'POST',
    path: '/auth/session',
    access: open,
    purpose: 'Create a browser session.',
    description: `Sets the session cookie and returns the nonce for the header X-Service-Nonce. ${CHALLENGED}`,
    body: Login,
    openapi: { operationId: 'createSession', example: { email: 'ana@acme.example', password: 'vento-lilas-7' } },
    data: BrowserSessionOrChallenge,
    fails: ['AUTHENTICATION_ERROR'],
    features: { limit: guesses, secret: true },
    before: (io, { body }) => checkPassword(io, body),
    run: (ctx, { raw }, checked) => signInBrowser(ctx, checked, raw.headers),
  }),
  route({
    method: 'GET',
    path: '/auth/session',
    access: user,
    purpose: 'Get a new nonce for the browser session.',
    description: 'Needs the session cookie alone, without a nonce.',
    data: BrowserSession,
    features: { cookieAlone: true, secret: true },
    before: async ({ ports }) => ports,
    run: async (ctx, _input, ports) => ({
      data: await browserSession(ctx, ports, ctx.caller.userId ?? 0, ctx.caller.sessionId ?? 0),
    }),
  }),
]

export const authRoutes = [
  ...signInRoutes,
  ...secondFactorRoutes,
  ...passkeyRoutes,
  ...deviceRoutes,
  stepUpRoute,
  ...sessionRoutes,
  ...accountRoutes,
  ...apiKeyRoutes,
]
