// Passkeys: those of the caller, and signing in with one (docs/interface/identity.md, Authentication).
import { Type } from 'typebox'
import { open, user } from '#kernel/values/permissions.ts'
import type { Limit } from '#http/features/features.ts'
import { route, row } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import {
  CreationOptions,
  NewPasskey,
  NewPasskeyOptions,
  Passkey,
  PasskeyAnswer,
  PasskeyName,
  PasskeyPaging,
  RequestOptions,
} from './passkey.ts'
import { beginPasskeySignIn, checkPasskey, signInBrowserByPasskey, signInByPasskey } from './passkey-sign-in.ts'
import { passkeys } from './passkeys.ts'
import {
  addPasskey,
  beginPasskey,
  checkBeforeOptions,
  checkNewPasskey,
  removePasskey,
  renamePasskey,
} from './register-passkey.ts'
import { BrowserSession, Tokens } from '../user.ts'

const limit: Limit = { policy: 'credentials' }
const id = 'Vw8zq0b4c1d2e3f4g5h6i7'
const answer = {
  credential: {
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0Iiwi…',
      authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2M…',
      signature: 'MEUCIQCv7EqsBRtf2E4o_BjzZfBwNpP8fLjd5y6TUOLWt5l9…',
      userHandle: 'dGl0dWxhcg',
    },
  },
}

const signIns = [
  route({
    method: 'POST',
    path: '/auth/login/passkey/options',
    access: open,
    purpose: 'Begin a sign-in with a passkey.',
    description: 'Works for one sign-in, with tokens or of a browser, within five minutes.',
    openapi: { operationId: 'beginPasskeyLogin' },
    data: RequestOptions,
    status: 201,
    features: { limit, secret: true },
    before: async ({ ports }) => ports,
    run: async (ctx, _input, ports) => ({ data: await beginPasskeySignIn(ctx, ports) }),
  }),
  route({
    method: 'POST',
    path: '/auth/login/passkey',
    access: open,
    purpose: 'Sign in with a passkey.',
    description: 'Counts as a sign-in with a second factor. Whatever is wrong with the passkey is 401.',
    body: PasskeyAnswer,
    openapi: { operationId: 'loginWithPasskey', example: answer },
    data: Tokens,
    fails: ['AUTHENTICATION_ERROR'],
    features: { limit, secret: true },
    before: (io, { body }) => checkPasskey(io, body),
    run: (ctx, { raw }, checked) => signInByPasskey(ctx, checked, raw.headers),
  }),
  route({
    method: 'POST',
    path: '/auth/session/passkey',
    access: open,
    purpose: 'Create a browser session with a passkey.',
    description: 'Sets the session cookie and returns the nonce. Counts as a sign-in with a second factor.',
    body: PasskeyAnswer,
    openapi: { operationId: 'createSessionWithPasskey', example: answer },
    data: BrowserSession,
    fails: ['AUTHENTICATION_ERROR'],
    features: { limit, secret: true },
    before: (io, { body }) => checkPasskey(io, body),
    run: (ctx, { raw }, checked) => signInBrowserByPasskey(ctx, checked, raw.headers),
  }),
]

const own = [
  route({
    method: 'GET',
    path: '/auth/passkeys',
    access: user,
    purpose: 'List the caller’s passkeys.',
    description:
      'Newest first. `is_backed_up` are those that a provider of passkeys keeps; `last_used_at` is null for those ' +
      'that never signed in.',
    query: PasskeyPaging,
    page: Passkey,
    read: ({ userId }, { query }) => passkeys.page(userId, query),
  }),
  route({
    method: 'POST',
    path: '/auth/passkeys/options',
    access: user,
    purpose: 'Begin to register a passkey.',
    description: 'Works for one registration within five minutes.',
    body: NewPasskeyOptions,
    openapi: { operationId: 'beginPasskey', example: { current_password: 'vento-lilas-7' } },
    data: CreationOptions,
    status: 201,
    fails: ['limit_reached'],
    features: { stepUp: true, limit, secret: true },
    before: (io, { body }) => checkBeforeOptions(io, body),
    run: async (ctx, _input, proven) => ({ data: await beginPasskey(ctx, proven) }),
  }),
  route({
    method: 'POST',
    path: '/auth/passkeys',
    access: user,
    purpose: 'Register a passkey.',
    description:
      'Takes what the browser made of the options of `POST /auth/passkeys/options`, once and within five minutes; ' +
      'else 422 on `credential`. The person gets a mail. 409 for a passkey that is registered already, and when ' +
      'there are 20.',
    body: NewPasskey,
    openapi: {
      example: {
        name: 'Phone',
        credential: {
          id,
          rawId: id,
          type: 'public-key',
          clientExtensionResults: {},
          response: {
            clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwi…',
            attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVik…',
          },
        },
      },
    },
    data: Passkey,
    status: 201,
    fails: ['limit_reached', 'passkey_exists'],
    features: { limit },
    before: (io, { body }) => checkNewPasskey(io, body),
    run: async (ctx, { body }, created) => ({
      data: await addPasskey(ctx, body.name, created),
      message: 'The passkey is registered',
    }),
  }),
  route({
    method: 'GET',
    path: '/auth/passkeys/{id}',
    access: user,
    purpose: 'Get one of the caller’s passkeys.',
    description: '404 for a passkey of somebody else, and for one that was removed.',
    params: ById,
    data: Passkey,
    read: ({ userId }, { params }) => row(passkeys.byId(params.id, userId)),
  }),
  route({
    method: 'PUT',
    path: '/auth/passkeys/{id}',
    access: user,
    purpose: 'Update the name of a passkey.',
    description:
      'Nothing but its name changes: it signs in as before, and nobody is mailed. 404 for a passkey of somebody else.',
    params: ById,
    body: PasskeyName,
    openapi: { example: { name: 'Old phone' } },
    data: Passkey,
    run: async (ctx, { params, body }) => ({ data: await renamePasskey(ctx, params.id, body.name) }),
  }),
  route({
    method: 'DELETE',
    path: '/auth/passkeys/{id}',
    access: user,
    purpose: 'Delete a passkey.',
    description:
      'The sessions that it opened end; the current one stays, and no longer counts as one with a second factor.',
    params: ById,
    data: Type.Null(),
    features: { stepUp: true },
    run: async (ctx, { params }) => {
      await removePasskey(ctx, params.id)
      return { data: null, message: 'The passkey is removed' }
    },
  }),
]

export const passkeyRoutes = [...signIns, ...own]
