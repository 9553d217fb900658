// Signs in at OpenID providers with openid-client. The issuer is what a customer typed, so that every answer may be
// hostile: only public addresses are connected to, nothing is followed, and time and size are bounded.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import * as openid from 'openid-client'
import { type Dispatcher, fetch as request } from 'undici'
import { guardedAgent } from '#ports/outgoing.ts'
import { storable } from '#kernel/values/text/text.ts'
import { isVerified, otherIssuer, whyRefused } from './claims.ts'
import {
  type IdentityProvider,
  OtherIssuer,
  ProviderUnavailable,
  RefusedSignOn,
  type SignedOn,
  type SignOnAnswer,
  type SignOnRequest,
  type SingleSignOn,
} from '#ports/single-sign-on.ts'

export type OpenidConnectOptions = {
  /** Whether the loopback may be connected to, without TLS, for the sandbox and tests. */
  loopback: boolean
  /** For one request to a provider. */
  timeoutMs?: number
}

const SCOPE = 'openid email profile'
/** What a provider says of itself changes rarely; its keys are fetched anew when an unknown one signs. */
const DISCOVERY_TTL_MS = 600_000
const MOST_PROVIDERS = 200
const MAX_BYTES = 1024 * 1024
const CLOCK_TOLERANCE_SECONDS = 30
/** Whose issuer has no policy in its path, by which it is asked. */
const B2C = /^https:\/\/[\w-]+\.b2clogin\.com\//

export function createOpenidConnect({ loopback, timeoutMs = 8000 }: OpenidConnectOptions): SingleSignOn {
  const agent = guardedAgent({ connections: 4, maxResponseSize: MAX_BYTES }, { loopback })
  const known = new LRUCache<string, Promise<openid.Configuration>>({ max: MOST_PROVIDERS, ttl: DISCOVERY_TTL_MS })
  const fetch = fetchWith(agent)

  async function discovered(provider: IdentityProvider): Promise<openid.Configuration> {
    const { issuer, clientId, clientSecret } = provider
    const key = createHash('sha256')
      .update(JSON.stringify([issuer, clientId, clientSecret]))
      .digest('base64')
    const found = known.get(key) ?? discover(provider)
    known.set(key, found)
    return found.catch((error: unknown) => {
      known.delete(key)
      const other = otherIssuer(error)
      if (other !== null) throw new OtherIssuer(other)
      throw new ProviderUnavailable('the provider could not be discovered', { cause: error })
    })
  }

  async function discover({ issuer, clientId, clientSecret }: IdentityProvider): Promise<openid.Configuration> {
    const metadata = { [openid.clockTolerance]: CLOCK_TOLERANCE_SECONDS }
    const configuration = await openid.discovery(new URL(issuer), clientId, metadata, authenticatedBy(clientSecret), {
      [openid.customFetch]: fetch,
      timeout: timeoutMs / 1000,
      execute: loopback ? [openid.allowInsecureRequests] : [],
    })
    const { issuer: named, authorization_endpoint: authorization = '' } = configuration.serverMetadata()
    // The library lets the issuers of Entra ID differ, also those of all tenants, and those of Azure AD B2C.
    if (!B2C.test(issuer) && new URL(named).href !== new URL(issuer).href) throw new OtherIssuer(named)
    // A browser will open it, so that no other scheme may come through.
    if (!(loopback ? /^https?:\/\// : /^https:\/\//).test(authorization)) throw new Error('no authorization endpoint')
    // The signature of the ID token is checked too, although it comes straight from the provider.
    openid.enableNonRepudiationChecks(configuration)
    return configuration
  }

  return {
    async begin(provider, { redirectUri, state, nonce, codeVerifier }, loginHint) {
      const configuration = await discovered(provider)
      return openid.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: SCOPE,
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        login_hint: loginHint,
      }).href
    },
    async finish(provider, asked, answer) {
      const configuration = await discovered(provider)
      const tokens = await openid
        .authorizationCodeGrant(configuration, callbackOf(asked, answer), {
          pkceCodeVerifier: asked.codeVerifier,
          expectedState: asked.state,
          expectedNonce: asked.nonce,
          idTokenExpected: true,
        })
        .catch(failed)
      const claims = tokens.claims()
      if (!claims || !isSound(claims, provider) || claims.iss !== configuration.serverMetadata().issuer)
        throw new RefusedSignOn('the ID token is not valid')
      return signedOn(claims, await personOf(configuration, tokens.access_token, claims))
    },
    close: () => agent.destroy(),
  }
}

/** As the provider prefers it; `client_secret_basic` is the default of the standard. */
function authenticatedBy(clientSecret: string): openid.ClientAuth {
  const [basic, post] = [openid.ClientSecretBasic(clientSecret), openid.ClientSecretPost(clientSecret)]
  return (server, ...asked) => {
    const { token_endpoint_auth_methods_supported: supported = ['client_secret_basic'] } = server
    return (supported.includes('client_secret_basic') ? basic : post)(server, ...asked)
  }
}

/** As the standard has it: 255 ASCII characters at most. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/

/** What the library leaves to its user. */
const isSound = ({ sub, azp }: openid.IDToken, { clientId }: IdentityProvider): boolean =>
  SUBJECT.test(sub) && (azp === undefined || azp === clientId)

type Claims = Readonly<Record<string, unknown>>

/**
 * What the provider says of the person. It may have each claim in the ID token or behind the access token: one does not
 * replace the other. Without an address in the token there is no sign-in without the other answer.
 */
async function personOf(
  configuration: openid.Configuration,
  accessToken: string,
  claims: openid.IDToken,
): Promise<Claims> {
  const isWhole = ['email', 'email_verified', 'name'].every((one) => claims[one] !== undefined)
  if (isWhole || configuration.serverMetadata().userinfo_endpoint === undefined) return claims
  const asked: Promise<Claims> = openid.fetchUserInfo(configuration, accessToken, claims.sub)
  const info = await (claims['email'] === undefined ? asked.catch(failed) : asked.catch((): Claims => ({})))
  const { email = info['email'], name = info['name'], email_verified: said } = claims
  // What is said elsewhere of another address says nothing of this one.
  const isSame = info['email'] === undefined || info['email'] === email
  return { ...claims, email, name, email_verified: said ?? (isSame ? info['email_verified'] : undefined) }
}

function failed(cause: unknown): never {
  throw isUnavailable(cause)
    ? new ProviderUnavailable('the provider gave no answer', { cause })
    : new RefusedSignOn(whyRefused(cause))
}

function callbackOf({ redirectUri }: SignOnRequest, answer: SignOnAnswer): URL {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) url.searchParams.set(name, value)
  return url
}

/** A provider that fails is unavailable, whatever it says while it does. */
function fetchWith(dispatcher: Dispatcher): openid.CustomFetch {
  return async (url, { body, ...init }) => {
    const sent = { ...init, ...(body !== undefined && { body }), dispatcher }
    const answer = await request(url, sent).catch((cause: unknown) => {
      throw new ProviderUnavailable('no answer', { cause })
    })
    if (answer.status >= 500) throw new ProviderUnavailable(`HTTP ${answer.status}`)
    return answer
  }
}

function isUnavailable(error: unknown): boolean {
  if (error instanceof ProviderUnavailable) return true
  return error instanceof Error && error.cause !== undefined && isUnavailable(error.cause)
}

function signedOn({ iss, sub, amr }: openid.IDToken, { email, name, ...claims }: Claims): SignedOn {
  return {
    issuer: iss,
    subject: sub,
    email: typeof email === 'string' && storable(email) === email ? email : null,
    isEmailVerified: isVerified(claims['email_verified']) ?? (isVerified(claims['xms_edov']) || null),
    name: typeof name === 'string' && storable(name) === name ? name : null,
    hasTwoFactors: Array.isArray(amr) && amr.includes('mfa'),
  }
}
