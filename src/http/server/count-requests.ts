// Counts requests against rate limits and sets the RateLimit fields of the answers.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RegisterOptions } from '#http/caller.ts'
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

type CountRequests = Pick<RegisterOptions, 'countCaller' | 'countGuess'>

/** For the routes of `api`. */
export function countRequests(api: FastifyInstance, { rateLimits, deviceOf }: Counters): CountRequests {
  api.decorateReply('rateLimitVerdict', null)
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
      const key = !credential
        ? addressKey(request.ip)
        : credential.kind === 'api_key'
          ? `key ${credential.consumerKey}`
          : `user ${credential.userId}`
      await count(reply, 'requests', key)
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
