// Who signs people of a domain in: a connection of an organization, or the provider of staff.
import type { IoContext } from '#kernel/data/context.ts'
import { AppError, RETRY_SECONDS } from '#kernel/values/errors.ts'
import { derive } from '#kernel/keys/secrets.ts'
import { unseal } from './sealed.ts'
import { type IdentityProvider, OtherIssuer, ProviderUnavailable, type SignOnRequest } from '#ports/single-sign-on.ts'
import type { Ports } from '#kernel/data/context.ts'
import { CLIENT_SECRET } from './change-connection.ts'
import { connections, type UsableConnection } from './queries.ts'

/** `connection` is null for the provider of staff. */
export type Provider = IdentityProvider & { connection: UsableConnection | null; domains: readonly string[] }

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

const REDIRECT_PATH = '/sso'

export async function providerOfDomain(io: IoContext, domain: string): Promise<Provider | null> {
  const { staffProvider } = io.ports
  if (staffProvider?.domains.includes(domain)) return { ...staffProvider, connection: null }
  const [found] = await io.read(connections.ofDomain(domain))
  return found ? providerOf(io, found) : null
}

/** Null when the connection was removed meanwhile. */
export async function providerById(io: IoContext, connectionId: number | null): Promise<Provider | null> {
  const { staffProvider } = io.ports
  if (connectionId === null) return staffProvider && { ...staffProvider, connection: null }
  const [found] = await io.read(connections.usableById(connectionId))
  return found ? providerOf(io, found) : null
}

async function providerOf({ ports }: IoContext, connection: UsableConnection): Promise<Provider> {
  const clientSecret = await unseal(ports.secretKey, CLIENT_SECRET, connection.client_secret)
  const { issuer, client_id: clientId, proven_domains: domains } = connection
  return { issuer, clientId, clientSecret, domains, connection }
}

/** Nonce and code verifier are not stored: whoever has the state of a browser still lacks the service's key. */
export const requestOf = ({ secretKey, settings }: Ports, state: string): SignOnRequest => ({
  redirectUri: `${settings.publicUrl}${REDIRECT_PATH}`,
  state,
  nonce: derive(secretKey, 'sso-nonce', state).toString('base64url'),
  codeVerifier: derive(secretKey, 'sso-code-verifier', state).toString('base64url'),
})

const NO_ANSWER = 'The identity provider does not answer as it should; try again, or ask who looks after it'
const ofOtherIssuer = ({ issuer }: OtherIssuer): string =>
  `The identity provider calls itself ${issuer}; its connection has to name exactly that \`issuer\``

/** 503 when the provider gives no answer; other errors stay as they are. */
export function asUnavailable(error: unknown): never {
  if (!(error instanceof ProviderUnavailable)) throw error
  throw new AppError('SERVICE_UNAVAILABLE', {
    message: error instanceof OtherIssuer ? ofOtherIssuer(error) : NO_ANSWER,
    retryAfter: RETRY_SECONDS,
    cause: error,
  })
}
