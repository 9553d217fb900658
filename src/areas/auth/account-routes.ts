// The account: profile, proving an address, a forgotten password (docs/interface.md, Authentication and profile).
import { passwordRules } from './register.ts'
import { Type } from 'typebox'
import { first } from '#kernel/context.ts'
import { open, user } from '#kernel/permissions.ts'
import { route, row } from '#kernel/route.ts'
import { guesses } from './limits.ts'
import { changeProfile, checkChange } from './profile.ts'
import { checkReset, forgotPassword, resetPassword } from './reset-password.ts'
import { CheckedUser, OnlyEmail, ProfileChange, ResetKey, ResetPassword, Tokens, User, VerifyAccount } from './user.ts'
import { userTokens } from './user-tokens.ts'
import { users } from './users.ts'
import { checkProof, resendVerification, verifyAccount } from './verify.ts'

const MAILED = { data: null, message: 'If the address has an account that needs it, a mail is on its way' }

const profileRoutes = [
  route({
    method: 'GET',
    path: '/auth/me',
    access: user,
    purpose: 'The caller, with their organizations.',
    data: User,
    read: ({ userId, now }) => row(users.inFull(userId, now)),
  }),
  route({
    method: 'PUT',
    path: '/auth/me',
    access: user,
    purpose: 'Change the given fields of the profile.',
    description:
      'A new `email` counts once the mail to it is confirmed. A new `password` needs `current_password` and ends every session.',
    body: ProfileChange,
    rules: passwordRules,
    example: { name: 'Ana Souza', phone: '+55 11 5555-0101', language: 'pt-BR' },
    data: User,
    limit: { policy: 'credentials', when: (body) => 'password' in body || 'email' in body },
    before: (outside, { body }) => checkChange(outside, body),
    run: (ctx, { body }, checked) => changeProfile(ctx, body, checked),
  }),
  route({
    method: 'POST',
    path: '/auth/check-user',
    access: open,
    purpose: 'Whether an address has an account.',
    body: OnlyEmail,
    example: { email: 'ana@acme.example' },
    data: CheckedUser,
    limit: guesses,
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
    purpose: 'Prove an address with the mailed token.',
    description:
      'Whoever registered with an address may not be its owner. So a first proof ends the password and the sessions that the account had, unless the request also brings `password`, or the access token of one of those sessions. A token for a changed address ends nothing.',
    body: VerifyAccount,
    example: {
      email: 'ana@acme.example',
      token: '5sX0m2kqPzXyq3n6VwTz1sJ8cQm4d7e9f0a1bh5nBqU',
      password: 'vento-lilas-7',
    },
    data: Tokens,
    fails: ['CONFLICT'],
    limit: guesses,
    secret: true,
    before: (outside, { body, raw }) => checkProof(outside, body, raw.headers),
    run: async (ctx, { body, raw }, proof) => ({
      data: await verifyAccount(ctx, body, proof, raw.headers),
      message: 'Address confirmed',
    }),
  }),
  route({
    method: 'POST',
    path: '/auth/resend-verification',
    access: open,
    purpose: 'Mail another link to prove the address.',
    body: OnlyEmail,
    example: { email: 'ana@acme.example' },
    data: Type.Null(),
    status: 202,
    limit: guesses,
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
    purpose: 'Mail a link to set a new password.',
    body: OnlyEmail,
    example: { email: 'ana@acme.example' },
    data: Type.Null(),
    status: 202,
    limit: guesses,
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
    purpose: 'Whether the mailed key still works.',
    body: ResetKey,
    example: { email: 'ana@acme.example', key: '5sX0m2kqPzXyq3n6VwTz1sJ8cQm4d7e9f0a1bh5nBqU' },
    data: Type.Object({ valid: Type.Boolean() }),
    limit: guesses,
    run: async (ctx, { body }) => {
      const found = await first(ctx, userTokens.find(body.key, body.email, ['reset'], ctx.now))
      return { data: { valid: found !== undefined } }
    },
  }),
  route({
    method: 'POST',
    path: '/auth/reset-password',
    access: open,
    purpose: 'Set a new password with the mailed key.',
    description: 'Every session of the account ends.',
    body: ResetPassword,
    rules: passwordRules,
    example: {
      email: 'ana@acme.example',
      key: '5sX0m2kqPzXyq3n6VwTz1sJ8cQm4d7e9f0a1bh5nBqU',
      password: 'vento-lilas-8',
    },
    data: Type.Null(),
    limit: guesses,
    before: (outside, { body }) => checkReset(outside, body),
    run: async (ctx, { body }, passwordHash) => {
      await resetPassword(ctx, body, passwordHash)
      return { data: null, message: 'Password changed; sign in with it' }
    },
  }),
]

export const accountRoutes = [...profileRoutes, ...proofRoutes, ...resetRoutes]
