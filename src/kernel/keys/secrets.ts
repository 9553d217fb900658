// Random tokens, their digests, HMACs bound to a purpose, and the nonce of cookie sessions.
import { latestBeginning } from '#kernel/values/clock-skew.ts'
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url')
}

// What a table keeps instead of a token. The tokens are random, so a plain hash cannot be searched backwards.
export function digest(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest()
}

export type SecretKey = string | Uint8Array

// Every part goes in with its length before it, so ('ab', 'c') and ('a', 'bc') never meet, and a value
// derived for one purpose never serves another.
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
  // Lengths are no secret here: everything compared has a length that is known from the code.
  return a.length === b.length && timingSafeEqual(a, b)
}

const NONCE_TICK_MS = 12 * 60 * 60 * 1000

export type NonceBearer = { sessionId: number; userId: number; now: Date }

// A nonce is accepted in the tick it was made in and in the next one, hence it lives 12 to 24 hours.
export function sessionNonce(secretKey: SecretKey, bearer: NonceBearer): { nonce: string; expires_at: string } {
  const tick = tickOf(bearer.now)
  return {
    nonce: nonceAt(secretKey, bearer, tick),
    expires_at: new Date((tick + 2) * NONCE_TICK_MS).toISOString(),
  }
}

export function isSessionNonce(secretKey: SecretKey, nonce: string, bearer: NonceBearer): boolean {
  // Made by an instance whose clock is ahead, it may be of a tick that begins within a minute.
  const tick = tickOf(latestBeginning(bearer.now))
  const previous = tickOf(bearer.now) - 1
  // All are always compared, so the time tells nothing about which tick matched.
  const ticks = [tick, previous + 1, previous].map((one) => isEqual(nonce, nonceAt(secretKey, bearer, one)))
  return ticks.includes(true)
}

function nonceAt(secretKey: SecretKey, { sessionId, userId }: NonceBearer, tick: number): string {
  return derive(secretKey, 'session-nonce', sessionId, userId, tick).toString('base64url')
}

function tickOf(now: Date): number {
  return Math.floor(now.getTime() / NONCE_TICK_MS)
}
