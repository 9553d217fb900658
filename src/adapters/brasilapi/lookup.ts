// Asks BrasilAPI, or any service that answers `{base}/{code}` alike, for what belongs to a code.
//
// 404 is `not_found`. 400 is not: the code is in its right form, so that a source that refuses it has searched for
// nothing. The next source is asked; after the last one the answer is `unavailable`.

import { bulkhead, ConstantBackoff, handleWhen, retry, timeout, TimeoutStrategy, wrap, type IPolicy } from 'cockatiel'
import { LRUCache } from 'lru-cache'
import { Type } from 'typebox'
import { errors, request, type Dispatcher } from 'undici'
import { guardedAgent } from '#ports/outgoing.ts'

export type LookupOptions = {
  /** Asked in this order until one answers. */
  baseUrls: readonly string[]
  /** Whether the loopback may be asked, for tests; other private addresses never are. */
  loopback?: boolean
  /** The limit for one source, its retry included. */
  timeoutMs?: number
  cacheMs?: number
  /** Lookups at a time; four times as many wait, the others get `unavailable` at once. */
  concurrency?: number
}

const DAY_MS = 24 * 60 * 60 * 1000
const RETRY_AFTER_MS = 100
const MAX_ANSWER_BYTES = 1024 * 1024

/** A text of one line, without control characters. */
export const LineOf = (minLength: 0 | 1, maxLength: number) =>
  Type.String({ minLength, maxLength, pattern: '^[^\\u0000-\\u001f\\u007f]*$' })

/** A failure of the source after which a second request may succeed. */
class SourceFailure extends Error {}

type Outcome<Name extends string> = Name extends string ? { outcome: Name } : never
/** What the body of a 200 says of the code; null when it says something else. */
type Parse<Answer> = (body: unknown, code: string) => Answer | null
type Source<Answer> = { agent: Dispatcher; baseUrl: string; parse: Parse<Answer> }

export type Lookup<Answer> = {
  find(code: string): Promise<Answer | Outcome<'not_found' | 'unavailable'>>
  close(): Promise<void>
}

export function createLookup<Answer extends Outcome<'found'>>(
  options: LookupOptions,
  parse: Parse<Answer>,
): Lookup<Answer> {
  const timeoutMs = options.timeoutMs ?? 5000
  const concurrency = options.concurrency ?? 4
  const agent = guardedAgent(
    {
      connections: concurrency,
      maxResponseSize: MAX_ANSWER_BYTES,
      connect: { timeout: timeoutMs },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    },
    { loopback: options.loopback ?? false },
  )
  const known = new LRUCache<string, Answer>({ max: 10_000, ttl: options.cacheMs ?? DAY_MS })
  const crowd = bulkhead(concurrency, concurrency * 4)
  const patience = patient(timeoutMs)

  async function find(code: string): ReturnType<Lookup<Answer>['find']> {
    const cached = known.get(code)
    if (cached) return cached
    for (const baseUrl of options.baseUrls) {
      const source = { agent, baseUrl, parse }
      const answer = await patience.execute(({ signal }) => ask(source, code, signal)).catch(notUnderstood)
      if (answer.outcome === 'found') known.set(code, answer)
      if (answer.outcome !== 'not_understood') return answer
    }
    return { outcome: 'unavailable' }
  }

  return {
    find: (code) => crowd.execute(() => find(code)).catch(() => ({ outcome: 'unavailable' })),
    close: () => agent.destroy(),
  }
}

function patient(timeoutMs: number): IPolicy {
  const again = retry(handleWhen(isRetryable), { maxAttempts: 1, backoff: new ConstantBackoff(RETRY_AFTER_MS) })
  return wrap(timeout(timeoutMs, TimeoutStrategy.Aggressive), again)
}

/** Socket errors too, since the source may close a kept-alive connection just when it is used. */
function isRetryable(error: unknown): boolean {
  return error instanceof SourceFailure || error instanceof errors.SocketError
}

async function ask<Answer>(
  { agent, baseUrl, parse }: Source<Answer>,
  code: string,
  signal: AbortSignal,
): Promise<Answer | Outcome<'not_found' | 'not_understood'>> {
  const url = `${baseUrl.replace(/\/+$/, '')}/${code}`
  const response = await request(url, { dispatcher: agent, signal, headers: { accept: 'application/json' } })
  if (response.statusCode === 200) return parse(await response.body.json(), code) ?? notUnderstood()
  await response.body.dump()
  if (response.statusCode === 404) return { outcome: 'not_found' }
  if (response.statusCode >= 500) throw new SourceFailure(`status ${response.statusCode}`)
  return notUnderstood()
}

const notUnderstood = (): Outcome<'not_understood'> => ({ outcome: 'not_understood' })
