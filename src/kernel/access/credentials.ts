// Reads the credential of a request (spec 5.1; docs/interface/general.md, Credentials): the first present of bearer
// token, API key and session cookie. When that one is bad the request fails; the others are not tried.
import { AppError } from '#kernel/values/errors.ts'
import type { AccessTokens } from './access-tokens.ts'
import { isStaffRole } from '#kernel/values/staff-roles.ts'
import { digest, isSessionNonce } from '#kernel/keys/secrets.ts'

export type Credential =
  | { kind: 'bearer'; userId: number; sessionId: number; mayBeStaff: boolean }
  | { kind: 'session'; userId: number; sessionId: number; secret: Buffer }
  | KeyCredential

/** Of an organization (`ck_…`) or the vendor (`vk_…`), which its name tells. */
export type KeyCredential = {
  kind: 'api_key'
  of: KeyOwner
  consumerKey: string
  proof: KeyProof
}
export type KeyOwner = 'organization' | 'vendor'
/** The secret itself; or a token that was issued for it, with the scopes that were asked for. */
export type KeyProof = { secret: Buffer } | { secretVersion: number; scopes: readonly string[] }

export type RequestCredentials = {
  authorization: string | undefined
  cookie: string | undefined
  nonce: string | undefined
  /** The route takes the session cookie without a nonce, because it returns one. */
  cookieAlone?: boolean
  /** The raw values of the query: one string, several, or none. */
  consumerKey: unknown
  consumerSecret: unknown
  /** Whether keys of organizations may be in the query (API_KEYS_IN_QUERY). */
  keysInQuery: boolean
}

/** Null when the request brings none. Throws 401 for one that is malformed, forged or expired. */
export async function readCredential(
  given: RequestCredentials,
  accessTokens: AccessTokens,
  secretKey: string,
  now: Date,
): Promise<Credential | null> {
  const { authorization } = given
  if (authorization !== undefined && /^bearer(\s|$)/i.test(authorization))
    return bearer(authorization.slice(6).trim(), accessTokens, now)
  if (authorization !== undefined && /^basic\s/i.test(authorization)) return basic(authorization.slice(6).trim())
  if (authorization !== undefined) throw unauthenticated()
  if (given.consumerKey !== undefined || given.consumerSecret !== undefined) return keyInQuery(given)
  if (given.cookie !== undefined) return session(given.cookie, given, secretKey, now)
  return null
}

/** `<session id>.<user id>.<secret>` */
type SessionCookie = { sessionId: number; userId: number; secret: string }

export function readSessionCookie(cookie: string): SessionCookie | null {
  const match = /^([1-9]\d{0,15})\.([1-9]\d{0,15})\.([\w-]{43})$/.exec(cookie)
  if (!match) return null
  const [, sessionId = '', userId = '', secret = ''] = match
  return { sessionId: Number(sessionId), userId: Number(userId), secret }
}

async function bearer(token: string, accessTokens: AccessTokens, now: Date): Promise<Credential> {
  const verdict = await accessTokens.verify(token, now)
  if (!verdict.isValid) throw unauthenticated()
  if (verdict.access.of === 'key') {
    const { consumerKey, secretVersion, scopes } = verdict.access
    return { kind: 'api_key', of: keyOwner(consumerKey), consumerKey, proof: { secretVersion, scopes } }
  }
  const { userId, sessionId, roles } = verdict.access
  return { kind: 'bearer', userId, sessionId, mayBeStaff: roles.some(isStaffRole) }
}

function basic(encoded: string): Credential {
  const decoded = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  const read = colon < 0 ? null : keyPair(decoded.slice(0, colon), decoded.slice(colon + 1))
  if (!read) throw unauthenticated()
  return read
}

/** Those of the vendor are never taken from the query, since addresses end up in logs. */
function keyInQuery({ consumerKey, consumerSecret, keysInQuery }: RequestCredentials): Credential {
  const read = keyPair(consumerKey, consumerSecret)
  if (!keysInQuery || read?.of === 'vendor') throw unauthenticated(NOT_IN_QUERY)
  if (!read) throw unauthenticated()
  return read
}

const NOT_IN_QUERY = 'This API key is not taken from the address: send it as HTTP Basic, or exchange it at /oauth/token'

/** Null for what cannot be one. */
export function keyPair(consumerKey: unknown, consumerSecret: unknown): KeyCredential | null {
  if (typeof consumerKey !== 'string' || typeof consumerSecret !== 'string') return null
  const of = keyOwner(consumerKey)
  const form = of === 'vendor' ? /^vk_[\w-]{20,60} vs_[\w-]{20,60}$/ : /^ck_[\w-]{20,60} cs_[\w-]{20,60}$/
  if (!form.test(`${consumerKey} ${consumerSecret}`)) return null
  return { kind: 'api_key', of, consumerKey, proof: { secret: digest(consumerSecret) } }
}

const keyOwner = (consumerKey: string): KeyOwner => (consumerKey.startsWith('vk_') ? 'vendor' : 'organization')

function session(
  cookie: string,
  { nonce, cookieAlone = false }: Pick<RequestCredentials, 'nonce' | 'cookieAlone'>,
  secretKey: string,
  now: Date,
): Credential {
  const read = readSessionCookie(cookie)
  if (!read) throw unauthenticated()
  const { sessionId, userId, secret } = read
  const isMeant = nonce !== undefined && isSessionNonce(secretKey, nonce, { sessionId, userId, now })
  if (!isMeant && !cookieAlone) throw unauthenticated()
  return { kind: 'session', userId, sessionId, secret: digest(secret) }
}

export const unauthenticated = (message?: string): AppError => new AppError('AUTHENTICATION_ERROR', { message })
