// Counts requests against rate limits and sets the RateLimit fields of the answers.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerKeyOf } from '#http/access.ts'
import type { RegisterOptions } from '#http/caller.ts'
import type { Credential } from '#kernel/access/credentials.ts'
import { AppError } from '#kernel/values/errors.ts'
import {
  accountKey,
  addressKey,
  rateLimitHeaders,
  type RateLimits,
  type RateLimitVerdict,
  tightest,
} from '#kernel/access/rate-limits.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Of what was counted so far: the one that allows least. */
    rateLimitVerdict: RateLimitVerdict | null
  }
}

type LimitName = 'credentials' | 'public' | 'reports' | 'requests'

export type Counters = {
  rateLimits: RateLimits<LimitName>
  /** The name of the device when it signed in to the account of that e-mail address before; else null. */
  deviceOf: (request: Pick<FastifyRequest, 'headers' | 'ip'>, email: string) => Promise<string | null>
}

type CountRequests = Pick<RegisterOptions, 'countCaller' | 'countGuess' | 'proveCaller'>

/** The oldest is forgotten, and counts once more for its address. */
const MOST_PROVEN = 20_000

/** For the routes of `api`. */
export function countRequests(api: FastifyInstance, { rateLimits, deviceOf }: Counters): CountRequests {
  api.decorateReply('rateLimitVerdict', null)
  const proven = new Set<string>()
  async function count(reply: FastifyReply, policy: LimitName, key: string): Promise<void> {
    const verdict = await rateLimits.consume(policy, key)
    const { rateLimitVerdict: before } = reply
    const heeded = before ? tightest(before, verdict) : verdict
    reply.rateLimitVerdict = heeded
    reply.headers(rateLimitHeaders(heeded))
    if (!verdict.allowed) throw new AppError('RATE_LIMIT')
  }
  return {
    countCaller: async (request, reply, credential) => {
      const secret = credential && secretOf(credential)
      const isProven = credential && (!secret || proven.has(secret))
      await count(reply, 'requests', isProven ? callerKeyOf(credential) : addressKey(request.ip))
    },
    proveCaller(credential, isProven) {
      const secret = secretOf(credential)
      if (secret === null || proven.has(secret) === isProven) return
      if (!isProven) return void proven.delete(secret)
      if (proven.size >= MOST_PROVEN) proven.delete(proven.keys().next().value ?? '')
      proven.add(secret)
    },
    // One key after the other: in parallel, two requests could each take the last point of one key and fail at the
    // other. The network address first, so that a flood from one address is refused before devices are read.
    countGuess: async (request, reply, policy, guessed) => {
      await count(reply, policy, addressKey(request.ip))
      if (guessed === null) return
      if ('key' in guessed) return count(reply, policy, `key ${guessed.key}`)
      if ('userId' in guessed) return count(reply, policy, `user ${guessed.userId}`)
      await count(reply, policy, accountKey(guessed.email, await deviceOf(request, guessed.email)))
    },
  }
}

/**
 * The caller with its secret, which is wrong until it was admitted once: who knows a name alone uses up nothing of its
 * limit. Null for a token, which is signed.
 */
function secretOf(credential: Credential): string | null {
  const { secret } = { secret: null, ...(credential.kind === 'api_key' ? credential.proof : credential) }
  return secret && `${callerKeyOf(credential)} ${secret.toString('base64')}`
}
