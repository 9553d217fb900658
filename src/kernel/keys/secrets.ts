// Random tokens, their digests, HMACs bound to a purpose, and the nonce of cookie sessions.
import { latestBeginning } from '#kernel/values/time/clock-skew.ts'
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url')

// Tables store this instead of the token. A plain hash is enough, because random tokens cannot be guessed.
export const digest = (token: string): Buffer => createHash('sha256').update(token, 'utf8').digest()

export type SecretKey = string | Uint8Array

// An HMAC bound to its purpose: a value derived for one purpose is not valid for another. Each part is preceded by its
// length, so that ('ab', 'c') and ('a', 'bc') give different values.
export function derive(secretKey: SecretKey, purpose: string, ...parts: (string | number | Uint8Array)[]): Buffer {
  if (secretKey.length === 0) throw new Error('derive needs a secret key')
  const hmac = createHmac('sha256', secretKey)
  for (const part of [purpose, ...parts]) {
    const bytes = part instanceof Uint8Array ? part : Buffer.from(String(part), 'utf8')
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    hmac.update(length).update(bytes)
  }
  return hmac.digest()
}

export function isEqual(left: string | Uint8Array, right: string | Uint8Array): boolean {
  const a = typeof left === 'string' ? Buffer.from(left, 'utf8') : left
  const b = typeof right === 'string' ? Buffer.from(right, 'utf8') : right
  // The lengths are no secret: all compared values have lengths that the code shows.
  return a.length === b.length && timingSafeEqual(a, b)
}

const NONCE_TICK_MS = 12 * 60 * 60 * 1000

type NonceBearer = { sessionId: number; userId: number; now: Date }

// A nonce is valid in the tick in which it was made and in the next one, so for 12 to 24 hours.
export function sessionNonce(secretKey: SecretKey, bearer: NonceBearer): { nonce: string; expires_at: string } {
  const tick = tickOf(bearer.now)
  return {
    nonce: nonceAt(secretKey, bearer, tick),
    expires_at: new Date((tick + 2) * NONCE_TICK_MS).toISOString(),
  }
}

export function isSessionNonce(secretKey: SecretKey, nonce: string, bearer: NonceBearer): boolean {
  // An instance whose clock is ahead may already use the tick that begins within a minute.
  const tick = tickOf(latestBeginning(bearer.now))
  const previous = tickOf(bearer.now) - 1
  // All three are always compared, so that the time taken does not tell which one matched.
  const ticks = [tick, previous + 1, previous].map((one) => isEqual(nonce, nonceAt(secretKey, bearer, one)))
  return ticks.includes(true)
}

const nonceAt = (secretKey: SecretKey, { sessionId, userId }: NonceBearer, tick: number): string =>
  derive(secretKey, 'session-nonce', sessionId, userId, tick).toString('base64url')

const tickOf = (now: Date): number => Math.floor(now.getTime() / NONCE_TICK_MS)
