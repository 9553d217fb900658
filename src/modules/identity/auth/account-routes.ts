// The account: profile, proving an address, a forgotten password (docs/interface/identity.md, Authentication).
import { passwordRules } from './register-user.ts'
import { Type } from 'typebox'
import { first } from '#kernel/data/context.ts'
import { open, user } from '#kernel/values/permissions.ts'
import { hiddenScopesIn } from '#ports/settings-in-force.ts'
import { route, row } from '#http/route.ts'
import { guesses } from './passwords/guess-limits.ts'
import { changeProfile, checkChange, profileRules } from './change-profile.ts'
import { checkEnding, endAllSessions, EndingToken } from './sessions/new-sign-in.ts'
import { EndedSessions } from './sessions/session.ts'
import { checkReset, forgotPassword, resetPassword } from './passwords/reset-password.ts'
import { checkUndo, undoAddressChange } from './undo-address-change.ts'
import {
  CheckedUser,
  OnlyEmail,
  ProfileChange,
  ResetKey,
  ResetPassword,
  UndoneChange,
  User,
  VerifyAccount,
  VerifyToken,
} from './user.ts'
import { VerifiedAccountOrChallenge } from './second-factors/second-factor.ts'
import { userTokens } from './sessions/user-tokens.ts'
import { users } from './users.ts'
import { checkProof, resendVerification, verifyAccount } from './verify-account.ts'

const MAILED = { data: null, message: 'If the address has an account that needs it, a mail is on its way' }

const profileRoutes = [
  route({
    method: 'GET',
    path: '/auth/me',
    access: user,
    purpose: 'Get the caller’s profile and organizations.',
    description:
      'Organizations are those with a membership in force, each with role, scopes and capabilities; invites are at ' +
      '`GET /invites`. `active_team_id` is null once that membership has ended.',
    data: User,
    read: ({ userId, now, ports }) => row(users.inFull(userId, now, hiddenScopesIn(ports.settings))),
  }),
  route({
    method: 'PUT',
    path: '/auth/me',
    access: user,
    purpose: 'Update the caller’s profile.',
    description:
      'Only the given fields change. A new `email` or `password` needs `current_password`. A new `email` ' +
      'counts once it is verified; the old address is notified, and can undo the change until a day after. ' +
      'A new `password` ends every session.',
    body: ProfileChange,
    rules: profileRules,
    openapi: { example: { name: 'Ana Souza', phone: '+55 11 5555-0101', language: 'pt-BR' } },
    data: User,
    features: {
      limit: { policy: 'credentials', when: (body) => 'password' in body || 'email' in body },
      stepUp: (body) => 'password' in body || 'email' in body,
    },
    before: (io, { body }) => checkChange(io, body),
    run: (ctx, { body, raw }, checked) => changeProfile(ctx, body, checked, raw.headers),
  }),
  route({
    method: 'POST',
    path: '/auth/check-user',
    access: open,
    purpose: 'Check whether an e-mail address has an account.',
    description:
      '200 either way. `status` is `PENDING` until the address is verified, and null where there is no account. ' +
      'Requests are limited by network address and by e-mail address, as sign-ins are.',
    body: OnlyEmail,
    openapi: { example: { email: 'ana@acme.example' } },
    data: CheckedUser,
    features: { limit: guesses },
    run: async (ctx, { body }) => {
      const found = await first(ctx, users.statusOf(body.email))
      return { data: { exists: found !== undefined, status: found?.status ?? null } }
    },
  }),
]

const proofRoutes = [
  route({
    method: 'POST',
    path: '/auth/verify-account',
    access: open,
    purpose: 'Verify an e-mail address with the mailed token.',
    description:
      'Anybody can register with an address that is not theirs. So the first verification ends the password ' +
      'and the sessions that the account had, **unless the request also sends `password`, or the ' +
      'credentials of one of those sessions** (`Authorization: Bearer`, or cookie and nonce). If no ' +
      'password is left, `password_required` is true: ask for a new one in the same step, and set it with ' +
      '`reset_key` by POST /auth/reset-password. A token for a changed address ends nothing.',
    body: VerifyAccount,
    openapi: {
      example: {
        email: 'ana@acme.example',
        token: '5sX0m2kqPzXyq3n6VwTz1sJ8cQm4d7e9f0a1bh5nBqU',
        password: 'vento-lilas-7',
      },
    },
    data: VerifiedAccountOrChallenge,
    fails: ['email_taken'],
    features: { limit: guesses, secret: true },
    before: (io, { body, raw }) => checkProof(io, body, raw.headers),
    run: async (ctx, { body, raw }, proof) => {
      const verified = await verifyAccount(ctx, body, proof, raw.headers)
      const isChosen = !('password_required' in verified.data && verified.data.password_required)
      const message = isChosen ? 'Address confirmed' : 'Address confirmed; choose a password with reset_key'
      return { ...verified, message }
    },
  }),
  route({
    method: 'POST',
    path: '/auth/undo-email-change',
    access: open,
    purpose: 'Undo a change of e-mail address.',
    description:
      'Takes the token that was mailed to the old address, until a day after the new one counts. The old ' +
      'address is restored; password, sessions, API keys and mailed tokens of the account end; `reset_key` ' +
      'sets a new password.',
    body: VerifyToken,
    openapi: { example: { email: 'ana@acme.example', token: '5sX0m2kqPzXyq3n6VwTz1sJ8cQm4d7e9f0a1bh5nBqU' } },
    data: UndoneChange,
    fails: ['email_taken'],
    features: { limit: guesses, secret: true },
    before: (io, { body }) => checkUndo(io, body),
    run: async (ctx, { body }, found) => ({
      data: await undoAddressChange(ctx, body, found),
      message: 'The change is undone; choose a new password with reset_key',
    }),
  }),
  route({
    method: 'POST',
    path: '/auth/end-sessions',
    access: open,
    purpose: 'End all sessions of an account.',
    description:
      'Takes the token of the mail about a sign-in from a new device, for a week and as often as it is ' +
      'sent; 422 afterwards. The password, second factors and API keys stay.',
    body: EndingToken,
    openapi: {
      operationId: 'endAllSessions',
      example: { token: '7.1795442400.b1946ac92492d2347c6235b4d2611184c2f1a0b3d4e' },
    },
    data: EndedSessions,
    features: { limit: guesses, secret: true },
    before: (io, { body }) => checkEnding(io, body.token),
    run: async (ctx, _input, account) => ({
      data: await endAllSessions(ctx, account),
      message: 'All sessions have ended; choose a new password',
    }),
  }),
  route({
    method: 'POST',
    path: '/auth/resend-verification',
    access: open,
    purpose: 'Resend the verification mail.',
    description: 'The answer is the same whether the address is known or not.',
    body: OnlyEmail,
    openapi: { example: { email: 'ana@acme.example' } },
    data: Type.Null(),
    status: 202,
    features: { limit: guesses },
    before: async ({ ports }) => ports,
    run: async (ctx, { body }, ports) => {
      await resendVerification(ctx, ports, body.email)
      return MAILED
    },
  }),
]

const resetRoutes = [
  route({
    method: 'POST',
    path: '/auth/forgot-password',
    access: open,
    purpose: 'Request a password reset by mail.',
    description: 'The answer is the same whether the address is known or not.',
    body: OnlyEmail,
    openapi: { operationId: 'requestPasswordReset', example: { email: 'ana@acme.example' } },
    data: Type.Null(),
    status: 202,
    features: { limit: guesses },
    before: async ({ ports }) => ports,
    run: async (ctx, { body }, ports) => {
      await forgotPassword(ctx, ports, body.email)
      return MAILED
    },
  }),
  route({
    method: 'POST',
    path: '/auth/validate-reset-token',
    access: open,
    purpose: 'Check whether a password reset key is valid.',
    description:
      '200 either way, and the key can still be used afterwards. `valid` is false for a wrong key or address, and ' +
      'for a key that was used, replaced by a newer one, or is older than 60 minutes.',
    body: ResetKey,
    openapi: { example: { email: 'ana@acme.example', key: '5sX0m2kqPzXyq3n6VwTz1sJ8cQm4d7e9f0a1bh5nBqU' } },
    data: Type.Object({ valid: Type.Boolean() }),
    features: { limit: guesses },
    run: async (ctx, { body }) => {
      const found = await first(ctx, userTokens.find(body.key, body.email, ['reset'], ctx.now))
      return { data: { valid: found !== undefined } }
    },
  }),
  route({
    method: 'POST',
    path: '/auth/reset-password',
    access: open,
    purpose: 'Reset the password with the mailed key.',
    description: 'Every session of the account ends.',
    body: ResetPassword,
    rules: passwordRules,
    openapi: {
      example: {
        email: 'ana@acme.example',
        key: '5sX0m2kqPzXyq3n6VwTz1sJ8cQm4d7e9f0a1bh5nBqU',
        password: 'vento-lilas-8',
      },
    },
    data: Type.Null(),
    features: { limit: guesses },
    before: (io, { body }) => checkReset(io, body),
    run: async (ctx, { body, raw }, checked) => ({
      data: null,
      message: 'Password changed; sign in with it',
      cookies: [await resetPassword(ctx, body, checked, raw.headers)],
    }),
  }),
]

export const accountRoutes = [...profileRoutes, ...proofRoutes, ...resetRoutes]
