// OAuth 2.0 for API keys: POST /oauth/token (RFC 6749, 4.4) and its metadata (RFC 8414). Outside of the API, since the
// forms of requests and answers are those of the standard.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type Client,
  findClient,
  GRANT_TYPE,
  grantedScopes,
  invalidClient,
  invalidRequest,
  readTokenRequest,
  type TokenRefusal,
  type TokenRequest,
} from '#kernel/access/client-credentials.ts'
import { SCOPE_NAMES } from '#kernel/values/permissions.ts'
import { permissionsOf } from '#kernel/values/staff-roles.ts'
import { timesGiven } from '#http/caller.ts'
import { ERRORS, toAppError } from '#kernel/values/errors.ts'
import type { Engine } from '#http/request-context.ts'
import { plainAddress } from '#kernel/network/addresses.ts'
import type { Config } from '#config/config.ts'
import { type Counters, countRequests } from './count-requests.ts'

type OAuthOptions = Counters & { config: Pick<Config, 'publicUrl'>; engine: Engine }

const TOKEN_PATH = '/oauth/token'
const MAX_FORM_BYTES = 8192
const FORM = 'application/x-www-form-urlencoded'
const hidden = { schema: { hide: true } as object }

export async function oauth(app: FastifyInstance, { config, engine, ...counters }: OAuthOptions): Promise<void> {
  const metadata = metadataOf(config)
  app.get('/.well-known/oauth-authorization-server', hidden, async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').send(metadata),
  )
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) => done(null, body))
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null, null))
    scope.setErrorHandler((error, request, reply) => sendFailure(error, request, reply))
    const { countGuess } = countRequests(scope, counters)
    scope.post(TOKEN_PATH, { ...hidden, bodyLimit: MAX_FORM_BYTES }, async (request, reply) => {
      await countGuess(request, reply, 'credentials', null)
      const answered = await exchange(engine, request)
      return 'error' in answered ? refuse(reply, answered) : uncached(reply).send(answered)
    })
    scope.route({
      method: ['GET', 'PUT', 'PATCH', 'DELETE'],
      url: TOKEN_PATH,
      ...hidden,
      handler: async (_request, reply) =>
        uncached(reply)
          .code(405)
          .header('allow', 'POST')
          .send(bodyOf(invalidRequest('Use POST'))),
    })
  })
}

const metadataOf = ({ publicUrl }: Pick<Config, 'publicUrl'>) => ({
  issuer: publicUrl,
  token_endpoint: `${publicUrl}${TOKEN_PATH}`,
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  grant_types_supported: [GRANT_TYPE],
  response_types_supported: [],
  scopes_supported: [...SCOPE_NAMES, ...permissionsOf(['administrator'])],
  jwks_uri: `${publicUrl}/.well-known/jwks.json`,
  service_documentation: `${publicUrl}/docs`,
})

type Token = { access_token: string; token_type: 'Bearer'; expires_in: number; scope: string }

async function exchange(engine: Engine, request: FastifyRequest): Promise<Token | TokenRefusal> {
  const asked = readForm(request)
  if ('error' in asked) return asked
  const now = engine.clock()
  const { credential } = asked
  const client = await findClient(engine.database, credential, { ip: plainAddress(request.ip), now })
  if (!client) return invalidClient()
  const { organization_id: organizationId } = client
  request.loggedCaller = { userId: client.user_id, organizationId }
  if (client.is_from_allowed !== true) return refuseAddress(engine, request, asked, client)
  const scopes = grantedScopes(asked, client.scopes)
  if ('error' in scopes) return scopes
  engine.lastUses.ofKey({ of: credential.of, id: client.key_id }, organizationId, now)
  const { consumerKey } = credential
  const endsAt = client.ends_at === null ? null : new Date(client.ends_at)
  const grant = { consumerKey, secretVersion: client.secret_version, scopes, now, endsAt }
  const { access_token, expires_in } = await engine.ports.accessTokens.issueForKey(grant)
  return { access_token, token_type: 'Bearer', expires_in, scope: scopes.join(' ') }
}

function readForm(request: FastifyRequest): TokenRequest | TokenRefusal {
  if (timesGiven(request.raw, 'authorization') > 1) return invalidRequest('Several Authorization headers')
  if (Object.keys(Object(request.query)).length > 0)
    return invalidRequest('Send the parameters in the body; addresses end up in logs')
  if (typeof request.body !== 'string') return invalidRequest(`Send a body of the type ${FORM}`)
  return readTokenRequest(request.headers.authorization, new URLSearchParams(request.body))
}

/** Whoever sent it has the secret, so the key's owner has to learn of it. */
async function refuseAddress(
  { refusals, clock }: Engine,
  request: FastifyRequest,
  { credential }: TokenRequest,
  { organization_id: organizationId, user_id: userId, name }: Client,
): Promise<TokenRefusal> {
  const refusal = invalidClient('The key is not accepted from this network address')
  await refusals.record({
    organizationId,
    caller: { kind: 'api_key', userId, name },
    callerKey: credential.consumerKey,
    request: `POST ${TOKEN_PATH}`,
    reason: refusal.error_description,
    now: clock(),
    requestId: request.id,
    ip: request.ip,
  })
  return refusal
}

const bodyOf = ({ error, error_description }: TokenRefusal) => ({ error, error_description })

const uncached = (reply: FastifyReply): FastifyReply =>
  reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' })

function refuse(reply: FastifyReply, refusal: TokenRefusal): FastifyReply {
  if (refusal.status === 401) reply.header('www-authenticate', 'Basic realm="titular", charset="UTF-8"')
  return uncached(reply).code(refusal.status).send(bodyOf(refusal))
}

/** What is no refusal of the standard: too many requests, a body that is too large, a failure of ours. */
function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toAppError(error, request.id)
  const { status } = ERRORS[known.code]
  if (status >= 500) request.log.error({ err: known.details.cause ?? error }, 'request failed')
  if (known.details.retryAfter !== undefined) reply.header('retry-after', String(known.details.retryAfter))
  const name =
    status === 429 || status === 503 ? 'temporarily_unavailable' : status >= 500 ? 'server_error' : 'invalid_request'
  return uncached(reply).code(status).send({ error: name, error_description: known.message })
}
