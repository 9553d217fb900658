// The federal registry of companies through BrasilAPI, or any service that answers `{base}/{cnpj}` with the same
// fields.
//
// 404 is `not_found`. 400 is not: the check digits are valid, so that a source that refuses the number does not know
// CNPJs with letters and has searched for nothing. The next source is asked; after the last one the answer is
// `unavailable`.

import { bulkhead, ConstantBackoff, handleWhen, retry, timeout, TimeoutStrategy, wrap, type IPolicy } from 'cockatiel'
import { LRUCache } from 'lru-cache'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { errors, request, type Dispatcher } from 'undici'
import { guardedAgent } from '#ports/outgoing.ts'
import { storable } from '#kernel/values/text/text.ts'
import type { CompanyRegistry, RegistryAnswer } from '#ports/company-registry.ts'

export type BrasilapiOptions = {
  /** Asked in this order until one answers. Minha Receita's address works as a second one. */
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
const ACTIVE = 2

// Answers contain the partners' names (`qsa`), too; only these fields are read.
const Company = Type.Object({
  cnpj: Type.String(),
  razao_social: Type.String({ minLength: 1, maxLength: 300, pattern: '^[^\\u0000-\\u001f\\u007f]+$' }),
  situacao_cadastral: Type.Integer(),
})

/** A failure of the source after which a second request may succeed. */
class SourceFailure extends Error {}

type FoundAnswer = Extract<RegistryAnswer, { outcome: 'found' }>
type SourceAnswer = FoundAnswer | { outcome: 'not_found' } | { outcome: 'not_understood' }

export function createBrasilapi(options: BrasilapiOptions): CompanyRegistry & { close(): Promise<void> } {
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
  const known = new LRUCache<string, FoundAnswer>({ max: 10_000, ttl: options.cacheMs ?? DAY_MS })
  const crowd = bulkhead(concurrency, concurrency * 4)
  const patience = patient(timeoutMs)

  async function find(cnpj: string): Promise<RegistryAnswer> {
    const cached = known.get(cnpj)
    if (cached) return cached
    for (const baseUrl of options.baseUrls) {
      const answer = await patience.execute(({ signal }) => ask(agent, baseUrl, cnpj, signal)).catch(notUnderstood)
      if (answer.outcome === 'found') known.set(cnpj, answer)
      if (answer.outcome !== 'not_understood') return answer
    }
    return { outcome: 'unavailable' }
  }

  return {
    find: (cnpj) => crowd.execute(() => find(cnpj)).catch(() => ({ outcome: 'unavailable' })),
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

async function ask(agent: Dispatcher, baseUrl: string, cnpj: string, signal: AbortSignal): Promise<SourceAnswer> {
  const url = `${baseUrl.replace(/\/+$/, '')}/${cnpj}`
  const response = await request(url, { dispatcher: agent, signal, headers: { accept: 'application/json' } })
  if (response.statusCode === 200) return read(await response.body.json(), cnpj)
  await response.body.dump()
  if (response.statusCode === 404) return { outcome: 'not_found' }
  if (response.statusCode >= 500) throw new SourceFailure(`status ${response.statusCode}`)
  return { outcome: 'not_understood' }
}

function read(body: unknown, cnpj: string): SourceAnswer {
  if (!Value.Check(Company, body) || body.cnpj.replace(/[./-]/g, '') !== cnpj) return { outcome: 'not_understood' }
  return {
    outcome: 'found',
    legalName: storable(body.razao_social).trim(),
    status: body.situacao_cadastral === ACTIVE ? 'active' : 'inactive',
  }
}

function notUnderstood(): SourceAnswer {
  return { outcome: 'not_understood' }
}
