// The grant of client credentials of OAuth 2.0 (RFC 6749, 4.4): an API key is exchanged for a token that lives a
// quarter of an hour, so that its secret travels rarely, and never in an address.
import { isInForce } from '#kernel/values/time/clock-skew.ts'
import { isFromAllowed, isLiveKey } from './callers.ts'
import { type KeyCredential, keyPair } from './credentials.ts'
import type { Database } from '#kernel/database/database.ts'
import { type Statement, sql } from '#kernel/values/sql.ts'

/** RFC 6749, 5.2. */
export type TokenRefusal = {
  status: 400 | 401
  error: 'invalid_request' | 'invalid_client' | 'unsupported_grant_type' | 'invalid_scope'
  error_description: string
}

export type TokenRequest = {
  credential: KeyCredential
  /** Null: all that the key has. */
  scopes: readonly string[] | null
}

/** What the database says of the key. */
export type Client = {
  key_id: number
  organization_id: number | null
  user_id: number
  name: string
  scopes: string[]
  /** Of the secret that was sent, which may be the former one. */
  secret_version: number
  /** When the key ends, or the former secret if it was sent. */
  ends_at: string | null
  is_from_allowed: boolean | null
}

export const GRANT_TYPE = 'client_credentials'

/** The key and the scopes that the form and the header ask for, or why not. */
export function readTokenRequest(
  authorization: string | undefined,
  form: URLSearchParams,
): TokenRequest | TokenRefusal {
  const names = [...form.keys()]
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) return invalidRequest('A parameter is there twice')
  const given = clientOf(authorization, form)
  if ('error' in given) return given
  const grantType = form.get('grant_type')
  if (grantType === null || grantType === '') return invalidRequest('The parameter grant_type is missing')
  if (grantType !== GRANT_TYPE)
    return { status: 400, error: 'unsupported_grant_type', error_description: `Only ${GRANT_TYPE} is supported` }
  const credential = keyPair(given.id, given.secret)
  if (!credential) return invalidClient()
  const scope = form.get('scope')
  return { credential, scopes: scope === null || scope.trim() === '' ? null : scope.trim().split(/ +/) }
}

type ClientCredentials = { id: string; secret: string }

/** `client_secret_basic` or `client_secret_post` (2.3.1), never both. */
function clientOf(authorization: string | undefined, form: URLSearchParams): ClientCredentials | TokenRefusal {
  const [id, secret] = [form.get('client_id'), form.get('client_secret')]
  if (authorization === undefined) return id === null || secret === null ? invalidClient() : { id, secret }
  if (secret !== null) return invalidRequest('The client authenticates in the header or in the body, not in both')
  const [, encoded] = /^basic +([\w+/=-]+) *$/i.exec(authorization) ?? []
  const decoded = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  const named = { id: formDecoded(decoded.slice(0, colon)), secret: formDecoded(decoded.slice(colon + 1)) }
  if (colon < 0 || named.id === null || named.secret === null) return invalidClient()
  if (id !== null && id !== named.id) return invalidRequest('client_id differs from that of the header')
  return { id: named.id, secret: named.secret }
}

/** Both halves come form-encoded (2.3.1); some clients encode `_` and `-` too. Null for what cannot be decoded. */
function formDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

/** Undefined for a key that does not exist or has ended, or whose secret is another one. */
export async function findClient(
  database: Database,
  credential: KeyCredential,
  { ip, now }: { ip: string | null; now: Date },
): Promise<Client | undefined> {
  const [[client] = []] = await database.read('titular_app', [clientStatement(credential, ip, now)])
  return client as Client | undefined
}

function clientStatement(credential: KeyCredential, ip: string | null, now: Date): Statement<Client> {
  const { proof } = credential
  if (!('secret' in proof)) throw new Error('a token is not exchanged for another one')
  const columns = sql`k.key_id, ${isFromAllowed(ip)} as is_from_allowed,
    case when k.secret_digest = ${proof.secret} then k.secret_version else k.secret_version - 1 end as secret_version,
    least(k.expires_at, case when k.secret_digest <> ${proof.secret} then k.previous_secret_ends_at end) as ends_at`
  return credential.of === 'vendor'
    ? sql<Client>`
        select ${columns}, null::bigint as organization_id, k.created_by as user_id, k.name, k.permissions as scopes
          from access_check_vendor_keys k where ${isLiveKey(credential, now)}`
    : sql<Client>`
        select ${columns}, k.organization_id, k.user_id, k.user_name as name, k.scopes
          from access_check_keys k where ${isLiveKey(credential, now)} and ${isInForce('k', now)}`
}

/** What the token may do: what was asked for, or all that the key has. */
export function grantedScopes({ scopes }: TokenRequest, held: readonly string[]): readonly string[] | TokenRefusal {
  const foreign = scopes?.find((scope) => !held.includes(scope))
  if (foreign === undefined) return [...new Set(scopes ?? held)]
  return { status: 400, error: 'invalid_scope', error_description: 'The key lacks a scope that was asked for' }
}

export const invalidRequest = (error_description: string): TokenRefusal => ({
  status: 400,
  error: 'invalid_request',
  error_description,
})
export const invalidClient = (error_description = 'Unknown key, or another secret'): TokenRefusal => ({
  status: 401,
  error: 'invalid_client',
  error_description,
})
