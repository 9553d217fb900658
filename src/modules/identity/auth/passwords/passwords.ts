// Password rules, and argon2id hashing with bounded concurrency.
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2'
import { AppError } from '#kernel/values/errors.ts'
import { commonPasswords } from './common-passwords.ts'

export const MINIMUM_PASSWORD_LENGTH = 8
export const MAXIMUM_PASSWORD_LENGTH = 128

export type PasswordProblem = 'too_short' | 'too_long' | 'common'

// Length is counted in code points. A password is never cut, trimmed or normalised.
export function passwordProblem(password: string): PasswordProblem | null {
  // A code point has at most two UTF-16 units, so a longer text needs no counting.
  if (password.length > MAXIMUM_PASSWORD_LENGTH * 2) return 'too_long'
  const characters = Array.from(password).length
  if (characters < MINIMUM_PASSWORD_LENGTH) return 'too_short'
  if (characters > MAXIMUM_PASSWORD_LENGTH) return 'too_long'
  return commonPasswords().has(password.toLowerCase()) ? 'common' : null
}

// Argon2id is the library's default; its name cannot be imported, because it is a const enum.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 }
const PREFIX = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`
const WAITING_BEFORE_REFUSAL = 64
const RETRY_SECONDS = 1

// Calls beyond the queue's limit fail with 503.
export type PasswordHasher = {
  hash(password: string): Promise<string>
  // null stands for an account that does not exist or has no password: the result is false, after the same work.
  verify(hash: string | null, password: string): Promise<boolean>
}

type Limits = { concurrency?: number; maxWaiting?: number }

export function createPasswordHasher({
  concurrency = hashingConcurrency(availableParallelism()),
  maxWaiting = WAITING_BEFORE_REFUSAL,
}: Limits = {}): PasswordHasher {
  const take = createQueue(concurrency, maxWaiting)
  const unknownAccount = unmatchableHash()
  return {
    hash: (password) => take(() => argon2Hash(password, COST)),
    verify: (hash, password) => take(() => argon2Verify(hash ?? unknownAccount, password)),
  }
}

// Half the cores, so that a flood of logins leaves half for the rest of the API.
export function hashingConcurrency(cores: number): number {
  return Math.max(1, Math.floor(cores / 2))
}

export function needsRehash(hash: string): boolean {
  return !hash.startsWith(PREFIX)
}

// A random hash that no password matches (256 bits); checking it takes as long as checking a real one.
function unmatchableHash(): string {
  return `${PREFIX}${randomText(16)}$${randomText(COST.outputLen)}`
}

// Base64 without padding, as in the text form of argon2 hashes.
function randomText(bytes: number): string {
  return randomBytes(bytes).toString('base64').replace(/=+$/, '')
}

function createQueue(concurrency: number, maxWaiting: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async function take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running >= concurrency) {
      if (waiting.length >= maxWaiting) throw new AppError('SERVICE_UNAVAILABLE', { retryAfter: RETRY_SECONDS })
      // A finished call passes its slot directly to the first waiter, so the count stays exact.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running += 1
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
