// Access tokens (spec 5.2, RFC 9068): they name caller and session, are signed with RS256 and valid for a day.
import { LRUCache } from 'lru-cache'
import { latestBeginning } from '#kernel/values/time/clock-skew.ts'
import { randomToken } from '#kernel/keys/secrets.ts'
import type { SignatureRefusal, SigningKeys } from '#kernel/keys/signing-keys.ts'

const TYPE = 'at+jwt'
const LIFETIME_SECONDS = 86_400
const KEY_LIFETIME_SECONDS = 900
const MAXIMUM_LENGTH = 8192
// 192 bits of the signature.
const SUFFIX_LENGTH = 32
const CACHED_TOKENS = 20_000
const CACHED_CHARACTERS = 16 * 1024 * 1024

type AccessGrant = {
  userId: number
  sessionId: number
  organizationId: number | null
  roles: readonly string[]
  scopes: readonly string[]
}

/** A token for an API key (RFC 6749, 4.4). It ends with the secret that it was issued for. */
type KeyGrant = {
  consumerKey: string
  secretVersion: number
  /** Those that were asked for; all requests keep to those of the key, too. */
  scopes: readonly string[]
}
/** `endsAt`: when the key or its secret ends, if it does. No token says that it lives longer. */
type NewKeyGrant = KeyGrant & { now: Date; endsAt: Date | null }

type IssuedToken = { tokenId: string; issuedAt: number; expiresAt: number }
type VerifiedAccess = IssuedToken & (({ of: 'session' } & AccessGrant) | ({ of: 'key' } & KeyGrant))

type AccessRefusal = SignatureRefusal | 'too_long' | 'issuer' | 'claims' | 'expired' | 'issued_in_future'

type AccessVerdict = { isValid: true; access: VerifiedAccess } | { isValid: false; reason: AccessRefusal }

export type AccessTokens = {
  issue(grant: AccessGrant & { now: Date }): Promise<{ access_token: string; expires_in: number }>
  issueForKey(grant: NewKeyGrant): Promise<{ access_token: string; expires_in: number }>
  verify(token: string, now: Date): Promise<AccessVerdict>
}

type Settings = { keys: SigningKeys; issuer: string; lifetimeSeconds?: number }

type CachedToken = { token: string; access: VerifiedAccess }

// Caches verified tokens for one set of keys: other keys need another instance. Only tokens with a genuine signature
// are cached, so nobody without a login can fill the cache. Cached is only what never changes: whether the session has
// ended or a membership was lost is read from the database at every request.
export function createAccessTokens({ keys, issuer, lifetimeSeconds = LIFETIME_SECONDS }: Settings): AccessTokens {
  const known = new LRUCache<string, CachedToken>({
    max: CACHED_TOKENS,
    maxSize: CACHED_CHARACTERS,
    sizeCalculation: ({ token }) => token.length,
  })
  return {
    issue: async (grant) => ({
      access_token: await keys.sign(TYPE, claimsOf(grant, issuer, lifetimeSeconds)),
      expires_in: lifetimeSeconds,
    }),
    issueForKey: async (grant) => {
      const seconds = keyLifetime(grant)
      return { access_token: await keys.sign(TYPE, keyClaimsOf(grant, issuer, seconds)), expires_in: seconds }
    },
    verify: async (token, now) => {
      if (token.length > MAXIMUM_LENGTH) return { isValid: false, reason: 'too_long' }
      const kept = known.get(endOf(token))
      if (kept?.token === token) return checkTimes(kept.access, now)
      const access = await readToken(token, keys, issuer)
      if (typeof access === 'string') return { isValid: false, reason: access }
      const verdict = checkTimes(access, now)
      const ttl = Math.ceil(access.expiresAt * 1000 - now.getTime())
      if (verdict.isValid) known.set(endOf(token), { token, access }, { ttl })
      return verdict
    },
  }
}

// Finds a token in the cache, where the whole token is compared. A hash of all its 800 characters took 1.2 µs a
// request.
const endOf = (token: string): string => token.slice(-SUFFIX_LENGTH)

async function readToken(token: string, keys: SigningKeys, issuer: string): Promise<VerifiedAccess | AccessRefusal> {
  const signature = await keys.verify(TYPE, token)
  if (!signature.isGenuine) return signature.reason
  if (signature.payload['iss'] !== issuer) return 'issuer'
  return readClaims(signature.payload) ?? 'claims'
}

function claimsOf(grant: AccessGrant & { now: Date }, issuer: string, lifetimeSeconds: number) {
  return {
    iss: issuer,
    sub: String(grant.userId),
    sid: String(grant.sessionId),
    org: grant.organizationId,
    roles: grant.roles,
    scopes: grant.scopes,
    ...timesOf(grant.now, lifetimeSeconds),
  }
}

/** The subject of a token without a person is the client (RFC 9068, 2.2). */
function keyClaimsOf(grant: NewKeyGrant, issuer: string, lifetimeSeconds: number) {
  const { consumerKey, secretVersion, scopes, now } = grant
  return {
    iss: issuer,
    sub: consumerKey,
    client_id: consumerKey,
    secret_version: secretVersion,
    scope: scopes.join(' '),
    ...timesOf(now, lifetimeSeconds),
  }
}

function keyLifetime({ now, endsAt }: NewKeyGrant): number {
  if (endsAt === null) return KEY_LIFETIME_SECONDS
  const left = Math.floor((endsAt.getTime() - now.getTime()) / 1000)
  return Math.min(KEY_LIFETIME_SECONDS, Math.max(1, left))
}

function timesOf(now: Date, lifetimeSeconds: number) {
  const issuedAt = Math.floor(now.getTime() / 1000)
  return { jti: randomToken(16), iat: issuedAt, exp: issuedAt + lifetimeSeconds }
}

// Checked at every use, also of a cached token.
function checkTimes(access: VerifiedAccess, now: Date): AccessVerdict {
  const seconds = now.getTime() / 1000
  if (seconds >= access.expiresAt) return { isValid: false, reason: 'expired' }
  if (new Date(access.issuedAt * 1000) > latestBeginning(now)) return { isValid: false, reason: 'issued_in_future' }
  return { isValid: true, access }
}

type Payload = Readonly<Record<string, unknown>>

function readClaims(payload: Payload): VerifiedAccess | undefined {
  const { jti, iat, exp } = payload
  if (typeof jti !== 'string' || jti === '') return undefined
  if (!isPositiveInteger(iat) || !isPositiveInteger(exp)) return undefined
  const issued = { tokenId: jti, issuedAt: iat, expiresAt: exp }
  return payload['client_id'] === undefined ? readSession(payload, issued) : readKey(payload, issued)
}

function readKey({ sub, client_id, secret_version, scope }: Payload, issued: IssuedToken): VerifiedAccess | undefined {
  if (typeof client_id !== 'string' || sub !== client_id) return undefined
  if (!isPositiveInteger(secret_version) || typeof scope !== 'string') return undefined
  const scopes = Object.freeze(scope.split(' ').filter((one) => one !== ''))
  return Object.freeze({ of: 'key', consumerKey: client_id, secretVersion: secret_version, scopes, ...issued })
}

function readSession({ sub, sid, org, roles, scopes }: Payload, issued: IssuedToken): VerifiedAccess | undefined {
  const userId = readId(sub)
  const sessionId = readId(sid)
  if (userId === undefined || sessionId === undefined) return undefined
  if (org !== null && !isPositiveInteger(org)) return undefined
  if (!isTextList(roles) || !isTextList(scopes)) return undefined
  return Object.freeze({
    of: 'session',
    userId,
    sessionId,
    organizationId: org,
    roles: Object.freeze(roles),
    scopes: Object.freeze(scopes),
    ...issued,
  })
}

function readId(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^[1-9]\d{0,15}$/.test(value)) return undefined
  const id = Number(value)
  return Number.isSafeInteger(id) ? id : undefined
}

const isPositiveInteger = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
