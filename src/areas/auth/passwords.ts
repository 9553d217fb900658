// Passwords: which are allowed, and argon2id hashes that are made and checked a few at a time.
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2'
import { AppError } from '#kernel/http/errors.ts'
import { commonPasswords } from './common-passwords.ts'

export const MINIMUM_PASSWORD_LENGTH = 8
export const MAXIMUM_PASSWORD_LENGTH = 128

export type PasswordProblem = 'too_short' | 'too_long' | 'common'

// Characters are code points, and a password is taken as it comes: never cut, trimmed or normalised.
export function passwordProblem(password: string): PasswordProblem | null {
  // A code point has at most two units: what is longer than that needs no counting.
  if (password.length > MAXIMUM_PASSWORD_LENGTH * 2) return 'too_long'
  const characters = Array.from(password).length
  if (characters < MINIMUM_PASSWORD_LENGTH) return 'too_short'
  if (characters > MAXIMUM_PASSWORD_LENGTH) return 'too_long'
  return commonPasswords.has(password.toLowerCase()) ? 'common' : null
}

// Argon2id is the library's default; its name cannot be imported, since it is a const enum.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 }
const PREFIX = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`
const WAITING_BEFORE_REFUSAL = 64
const RETRY_SECONDS = 1

// Beyond its line of waiters each answers 503.
export type PasswordHasher = {
  hash(password: string): Promise<string>
  // null stands for an account that does not exist or has no password: false, after the same work.
  verify(hash: string | null, password: string): Promise<boolean>
}

type Limits = { concurrency?: number; maxWaiting?: number }

export function createPasswordHasher({
  concurrency = hashingConcurrency(availableParallelism()),
  maxWaiting = WAITING_BEFORE_REFUSAL,
}: Limits = {}): PasswordHasher {
  const take = createLine(concurrency, maxWaiting)
  const unknownAccount = unmatchableHash()
  return {
    hash: (password) => take(() => argon2Hash(password, COST)),
    verify: (hash, password) => take(() => argon2Verify(hash ?? unknownAccount, password)),
  }
}

// Half the cores, so that a flood of logins leaves the rest of the API running.
export function hashingConcurrency(cores: number): number {
  return Math.max(1, Math.floor(cores / 2))
}

export function needsRehash(hash: string): boolean {
  return !hash.startsWith(PREFIX)
}

// A hash of no password at all: checking it costs what checking a real one costs, and 256 random bits never match.
function unmatchableHash(): string {
  return `${PREFIX}${randomText(16)}$${randomText(COST.outputLen)}`
}

// Base64 without padding, as the hash's text form has it.
function randomText(bytes: number): string {
  return randomBytes(bytes).toString('base64').replace(/=+$/, '')
}

function createLine(concurrency: number, maxWaiting: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async function take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running >= concurrency) {
      if (waiting.length >= maxWaiting) throw new AppError('SERVICE_UNAVAILABLE', { retryAfter: RETRY_SECONDS })
      // Whoever finishes hands over its place, so the count stays and nobody can slip in between.
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
