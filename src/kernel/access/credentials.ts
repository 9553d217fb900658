// Reads the credential of a request (spec 5.1; docs/interface.md, Credentials): the first present of bearer token, API
// key and session cookie. When that one is bad the request fails; the others are not tried.
import { AppError } from '#kernel/http/errors.ts'
import type { AccessTokens } from './access-tokens.ts'
import { digest, isSessionNonce } from '#kernel/keys/secrets.ts'

export type Credential =
  | { kind: 'bearer'; userId: number; sessionId: number; mayBeStaff: boolean }
  | { kind: 'session'; userId: number; sessionId: number; secret: Buffer }
  | { kind: 'api_key'; consumerKey: string; secret: Buffer }

export type RequestCredentials = {
  authorization: string | undefined
  cookie: string | undefined
  nonce: string | undefined
  /** The route takes the session cookie without a nonce, because it returns one. */
  cookieAlone?: boolean
  /** The raw values of the query: one string, several, or none. */
  consumerKey: unknown
  consumerSecret: unknown
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
  if (given.consumerKey !== undefined || given.consumerSecret !== undefined)
    return apiKey(given.consumerKey, given.consumerSecret)
  if (given.cookie !== undefined) return session(given.cookie, given, secretKey, now)
  return null
}

/** `<session id>.<user id>.<secret>` */
export type SessionCookie = { sessionId: number; userId: number; secret: string }

export function readSessionCookie(cookie: string): SessionCookie | null {
  const match = /^([1-9]\d{0,15})\.([1-9]\d{0,15})\.([\w-]{43})$/.exec(cookie)
  if (!match) return null
  const [, sessionId = '', userId = '', secret = ''] = match
  return { sessionId: Number(sessionId), userId: Number(userId), secret }
}

/** Finds the cookie in a `Cookie` header, with or without the `__Host-` prefix that it has under TLS. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='))
  return pairs.find(([key]) => key === name || key === `__Host-${name}`)?.[1]
}

async function bearer(token: string, accessTokens: AccessTokens, now: Date): Promise<Credential> {
  const verdict = await accessTokens.verify(token, now)
  if (!verdict.isValid) throw unauthenticated()
  const { userId, sessionId, roles } = verdict.access
  return { kind: 'bearer', userId, sessionId, mayBeStaff: roles.includes('administrator') }
}

function basic(encoded: string): Credential {
  const decoded = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  if (colon < 0) throw unauthenticated()
  return apiKey(decoded.slice(0, colon), decoded.slice(colon + 1))
}

function apiKey(consumerKey: unknown, consumerSecret: unknown): Credential {
  if (typeof consumerKey !== 'string' || typeof consumerSecret !== 'string') throw unauthenticated()
  if (!/^ck_[\w-]{20,60}$/.test(consumerKey) || !/^cs_[\w-]{20,60}$/.test(consumerSecret)) throw unauthenticated()
  return { kind: 'api_key', consumerKey, secret: digest(consumerSecret) }
}

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

export const unauthenticated = (): AppError => new AppError('AUTHENTICATION_ERROR')
