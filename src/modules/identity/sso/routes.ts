// The routes of single sign-on: connections of an organization, and signing in (docs/interface/identity.md, Single
// sign-on).
import { Type } from 'typebox'
import { noStaff, open, org, orgAtLeast } from '#kernel/values/permissions.ts'
import type { Limit } from '#http/features/features.ts'
import { route } from '#http/route.ts'
import { parts } from '#kernel/data/lists/read-plans.ts'
import type { Ports } from '#kernel/data/context.ts'
import { ById } from '#kernel/values/schema.ts'
import { signOn } from './admit.ts'
import { askProvider, beginSignOn } from './begin-sign-in.ts'
import { changeConnection, createConnection, removeConnection, sealSecret } from './change-connection.ts'
import { ConnectionChange, ConnectionPaging, NewConnection, SsoConnection } from './connection.ts'
import { checkBrowserSignOn } from './finish-sign-in.ts'
import { programRoutes } from './program-routes.ts'
import { domainOf } from './provider.ts'
import { connections } from './queries.ts'
import { BeginSignOn, BegunSignOn, FinishSignOn, SignedOnSession, SignOnOffer, SignOnQuestion } from './sign-on.ts'

const limit: Limit = { policy: 'credentials' }
/** Whoever sets a provider up can sign in as anybody of its domains, the owner included. */
const OWNER = noStaff(orgAtLeast('owner', 'organization'))

const signInRoutes = [
  route({
    method: 'GET',
    path: '/auth/sso',
    access: open,
    purpose: 'Get whether there is single sign-on for an e-mail address.',
    description: 'Only the domain is looked at, so that the answer says nothing about accounts.',
    query: SignOnQuestion,
    openapi: { operationId: 'getSignOnOffer' },
    data: SignOnOffer,
    features: { limit: { policy: 'public' } },
    read: ({ ports }, { query }) =>
      parts([connections.offered(domainOf(query.email))], ([[offered]]) => ({
        is_available: (offered?.is_available ?? false) || isStaffs(ports, query.email),
        is_required: offered?.is_required ?? false,
      })),
  }),
  route({
    method: 'POST',
    path: '/auth/sso',
    access: open,
    purpose: 'Begin a sign-in by single sign-on.',
    description:
      'Open `authorization_url` in the browser that got this answer’s cookie, within ten minutes. The ' +
      'identity provider sends it back to the page `/sso` of this service, which finishes the sign-in and ' +
      'goes on to `return_path`. 503 when the provider does not answer.',
    body: BeginSignOn,
    openapi: { operationId: 'beginSignOn', example: { email: 'ana@acme.example', return_path: '/quotes/7' } },
    data: BegunSignOn,
    status: 201,
    fails: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
    features: { limit, secret: true },
    before: (io, { body }) => askProvider(io, body.email),
    run: (ctx, { body }, begun) => beginSignOn(ctx, body, begun),
  }),
  route({
    method: 'POST',
    path: '/auth/session/sso',
    access: open,
    purpose: 'Create a browser session by single sign-on.',
    description:
      'Takes the parameters with which the provider sent the browser back; the page `/sso` does. Needs the ' +
      'cookie of POST /auth/sso, and works once. Sets the session cookie and returns the nonce; for an ' +
      'account with an authenticator app the answer is a challenge instead. The first time it links the ' +
      'account of the verified address, or makes one.',
    body: FinishSignOn,
    openapi: {
      operationId: 'createSessionWithSignOn',
      example: {
        state: 'Vw8zq0b4c1d2e3f4g5h6i7j8k9l0m1n2o3p4q5r6s7t',
        code: 'SplxlOBeZQQYbYS6WxSbIA',
        iss: 'https://login.acme.example',
      },
    },
    data: SignedOnSession,
    fails: ['AUTHENTICATION_ERROR', 'SERVICE_UNAVAILABLE'],
    features: { limit, secret: true },
    before: (io, { body, raw }) => checkBrowserSignOn(io, body, raw.headers),
    run: (ctx, { raw }, checked) => signOn(ctx, checked, raw.headers),
  }),
]

const connectionRoutes = [
  route({
    method: 'GET',
    path: '/sso/connections',
    access: org('organization'),
    purpose: 'List the identity providers of the organization.',
    description: 'Newest first, without client secrets. Of their domains only `proven_domains` count.',
    query: ConnectionPaging,
    page: SsoConnection,
    read: ({ org: id }, { query }) => connections.page(id, query),
  }),
  route({
    method: 'POST',
    path: '/sso/connections',
    access: OWNER,
    purpose: 'Connect an identity provider.',
    description:
      'By OpenID Connect, with the authorization code flow; register the redirect URI `/sso` below the ' +
      'address of this service there. It signs in addresses of the domains whose TXT record is found (`POST ' +
      '/sites/{id}/verify`). 409 for a domain of another connection, and when there are ten.',
    body: NewConnection,
    openapi: {
      example: {
        name: 'Acme login',
        issuer: 'https://login.acme.example',
        client_id: 'titular',
        client_secret: 'kept-by-the-provider-and-us',
        domains: ['acme.example'],
        member_scopes: ['tickets', 'downloads'],
      },
    },
    data: SsoConnection,
    status: 201,
    fails: ['limit_reached', 'sso_domain_taken'],
    features: { stepUp: true },
    before: (io, { body }) => sealSecret(io.ports.secretKey, body.client_secret),
    run: async (ctx, { body }, sealed) => ({
      data: await createConnection(ctx, body, sealed),
      message: 'Identity provider connected',
    }),
  }),
  route({
    method: 'GET',
    path: '/sso/connections/{id}',
    access: org('organization'),
    purpose: 'Get an identity provider of the organization.',
    description:
      'Without its client secret, which is never returned. `proven_domains` are the domains whose TXT record is ' +
      'found; only these count.',
    params: ById,
    data: SsoConnection,
    read: ({ org: id }, { params }) => connections.byId(id, params.id),
  }),
  route({
    method: 'PATCH',
    path: '/sso/connections/{id}',
    access: OWNER,
    purpose: 'Update an identity provider.',
    description:
      'Only the given fields change. With a new `issuer` the sessions end that it opened, and accounts are ' +
      'linked anew. `is_required` needs a sign-in by the connection first (409).',
    params: ById,
    body: ConnectionChange,
    openapi: { example: { is_required: true } },
    data: SsoConnection,
    fails: ['sso_domain_taken', 'sso_not_tried'],
    features: { stepUp: true },
    before: async (io, { body }) =>
      body.client_secret === undefined ? null : sealSecret(io.ports.secretKey, body.client_secret),
    run: async (ctx, { params, body }, sealedSecret) => ({
      data: await changeConnection(ctx, params.id, { body, sealedSecret }),
      message: 'Identity provider updated',
    }),
  }),
  route({
    method: 'DELETE',
    path: '/sso/connections/{id}',
    access: OWNER,
    purpose: 'Delete an identity provider.',
    description:
      'The sessions end that it opened. Its members stay, and sign in with a password, which they can reset.',
    params: ById,
    data: Type.Null(),
    features: { stepUp: true },
    run: async (ctx, { params }) => {
      await removeConnection(ctx, params.id)
      return { data: null, message: 'Identity provider disconnected' }
    },
  }),
]

const isStaffs = ({ staffProvider }: Ports, email: string): boolean =>
  staffProvider?.domains.includes(domainOf(email)) ?? false

export const ssoRoutes = [...signInRoutes, ...programRoutes, ...connectionRoutes]
