// Signing in by single sign-on for programs that hold no cookie: the browser hands the provider's answer to the program
// at the loopback (RFC 8252).
import { open } from '#kernel/values/permissions.ts'
import type { Limit } from '#http/features/features.ts'
import { route } from '#http/route.ts'
import { TokensOrChallenge } from '#modules/identity/auth/second-factors/second-factor.ts'
import { signOnProgram } from './admit.ts'
import { askProvider, beginProgramSignOn } from './begin-sign-in.ts'
import { checkProgramSignOn } from './finish-sign-in.ts'
import { BeginProgramSignOn, BegunProgramSignOn, ProgramAnswer } from './sign-on.ts'

const limit: Limit = { policy: 'credentials' }

export const programRoutes = [
  route({
    method: 'POST',
    path: '/auth/login/sso/begin',
    access: open,
    purpose: 'Begin a sign-in by single sign-on of a program without cookies.',
    description:
      'Open `authorization_url` in the person’s browser within ten minutes, and wait at ' +
      '`http://127.0.0.1:{port}/` (RFC 8252): the page `/sso` asks the person, and sends the browser there ' +
      'with `state`, and `code` or `error`, and `iss`. 503 when the provider does not answer.',
    body: BeginProgramSignOn,
    openapi: { operationId: 'beginProgramSignOn', example: { email: 'ana@acme.example', port: 51_763 } },
    data: BegunProgramSignOn,
    status: 201,
    fails: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
    features: { limit, secret: true },
    before: (io, { body }) => askProvider(io, body.email, body.port),
    run: (ctx, _input, begun) => beginProgramSignOn(ctx, begun),
  }),
  route({
    method: 'POST',
    path: '/auth/login/sso',
    access: open,
    purpose: 'Sign in by single sign-on with tokens.',
    description:
      'Takes the parameters that came to the loopback, and the `sign_on_token` of the begin; works once. ' +
      'For an account with an authenticator app the answer is a challenge instead, for POST ' +
      '/auth/login/second-factor.',
    body: ProgramAnswer,
    openapi: {
      operationId: 'loginWithSignOn',
      example: {
        state: 'Vw8zq0b4c1d2e3f4g5h6i7j8k9l0m1n2o3p4q5r6s7t.51763',
        code: 'SplxlOBeZQQYbYS6WxSbIA',
        iss: 'https://login.acme.example',
        sign_on_token: 'h5nBqU5sX0m2kqPzXyq3n6VwTz1sJ8cQm4d7e9f0a1b',
      },
    },
    data: TokensOrChallenge,
    fails: ['AUTHENTICATION_ERROR', 'SERVICE_UNAVAILABLE'],
    features: { limit, secret: true },
    before: (io, { body }) => checkProgramSignOn(io, body),
    run: (ctx, { raw }, checked) => signOnProgram(ctx, checked, raw.headers),
  }),
]
