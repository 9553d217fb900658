// Calls of another system's JSON API: bounded in time and size, without redirects. What an answer means is for the
// caller.
import { onFirstUse } from '#kernel/values/on-first-use.ts'
import { parsedJson } from '#kernel/values/text/json.ts'

type JsonApiOptions = {
  baseUrl: string
  headers: Record<string, string>
  /** For the whole exchange, so that a slow body cannot exceed it. */
  timeoutMs?: number
  maxAnswerBytes?: number
}

export type JsonAnswer = {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** Undefined when the body is empty or not JSON. */
  body: unknown
}

export type JsonApi = {
  send(method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: object): Promise<JsonAnswer>
  close(): Promise<void>
}

/** No connection, no answer in time, or one that is cut off or too long: whether the request took effect is unknown. */
export class NoAnswer extends Error {}

const MIB = 1024 * 1024
/**
 * After so many calls without an answer the system is left alone for a while, so that jobs that wait for it block no
 * others.
 */
const SILENT_CALLS = 10
const REST_MS = 30_000

export function jsonApi(options: JsonApiOptions): JsonApi {
  // The HTTP client is read with the first call, which is after the start.
  let isOpen = false
  const opened = onFirstUse(() => {
    isOpen = true
    return open(options)
  })
  return {
    send: async (...call) => (await opened()).send(...call),
    close: async () => (isOpen ? (await opened()).close() : undefined),
  }
}

async function open({
  baseUrl,
  headers,
  timeoutMs = 10_000,
  maxAnswerBytes = 4 * MIB,
}: JsonApiOptions): Promise<JsonApi> {
  const [{ Agent, request }, { BrokenCircuitError, circuitBreaker, ConsecutiveBreaker, handleType }] =
    await Promise.all([import('undici'), import('cockatiel')])
  const dispatcher = new Agent({ connections: 4, maxResponseSize: maxAnswerBytes })
  const breaker = circuitBreaker(handleType(NoAnswer), {
    halfOpenAfter: REST_MS,
    breaker: new ConsecutiveBreaker(SILENT_CALLS),
  })
  const send: JsonApi['send'] = async (method, path, body) => {
    try {
      const response = await request(`${baseUrl}${path}`, {
        method,
        headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }), ...headers },
        body: body ? JSON.stringify(body) : null,
        dispatcher,
        signal: AbortSignal.timeout(timeoutMs),
      })
      const text = await response.body.text()
      return { status: response.statusCode, headers: response.headers, body: parsedJson(text) }
    } catch (cause) {
      throw new NoAnswer('no answer', { cause })
    }
  }
  return {
    send: (...call) =>
      breaker
        .execute(() => send(...call))
        .catch((error: unknown) => {
          throw error instanceof BrokenCircuitError
            ? new NoAnswer('it has not answered for a while', { cause: error })
            : error
        }),
    close: () => dispatcher.destroy(),
  }
}
