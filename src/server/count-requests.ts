// Which counters a request runs against, and what its answer says of them.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RegisterOptions } from '#kernel/http/caller.ts'
import { AppError } from '#kernel/http/errors.ts'
import {
  accountKey,
  addressKey,
  rateLimitHeaders,
  type RateLimits,
  type RateLimitVerdict,
  tightest,
} from '#kernel/access/rate-limits.ts'

export type LimitName = 'credentials' | 'public' | 'requests'

export type Counters = {
  rateLimits: RateLimits<LimitName>
  /** The name of a device that signed in to the account of that address before; null for one from elsewhere. */
  deviceOf: (request: Pick<FastifyRequest, 'headers' | 'ip'>, email: string) => Promise<string | null>
}

export function countRequests({ rateLimits, deviceOf }: Counters): Pick<RegisterOptions, 'countCaller' | 'countGuess'> {
  const verdicts = new WeakMap<object, RateLimitVerdict>()
  async function count(reply: FastifyReply, policy: LimitName, key: string): Promise<void> {
    const before = verdicts.get(reply)
    const verdict = await rateLimits.consume(policy, key)
    const heeded = before ? tightest(before, verdict) : verdict
    verdicts.set(reply, heeded)
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
    // One key after the other: counted together, two requests could each take the last point of one and fail at the
    // other. The address first: a flood from one of them is told so before it costs a look at the devices.
    countGuess: async (request, reply, policy, guessed) => {
      await count(reply, policy, addressKey(request.ip))
      if (guessed === null) return
      if ('userId' in guessed) return count(reply, policy, `user ${guessed.userId}`)
      await count(reply, policy, accountKey(guessed.email, await deviceOf(request, guessed.email)))
    },
  }
}
