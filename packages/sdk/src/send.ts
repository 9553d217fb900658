// Sends a request until it is answered: with a limit of time, and again after a pause where that can do no harm.
import { ConnectionError, TimeoutError } from './errors.ts'

export type Transport = {
  fetch: typeof fetch
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** From 0 to 1, so that clients that failed together do not come back together. */
  random: () => number
  now: () => number
}

export type Outgoing = {
  url: string
  method: string
  headers: Record<string, string>
  body?: string | FormData | undefined
  credentials?: 'include'
  /** Whether sending it twice has the effect of sending it once. */
  isRepeatable: boolean
  /** How many times it may be sent again. */
  retries: number
  timeoutMs: number | null
  /** Whether a success is handed on unread, as a stream. */
  isStream: boolean
  signal?: AbortSignal | undefined
}

export type Incoming = { response: Response; text: string }

const FIRST_PAUSE_MS = 500
const LONGEST_BACK_OFF_MS = 8_000
/** Who asks for more is not waited for: the error says when. */
const LONGEST_PAUSE_MS = 60_000
const PASSING = new Set([429, 502, 503, 504])

export async function send(transport: Transport, request: Outgoing): Promise<Incoming> {
  for (let attempt = 1; ; attempt++) {
    const isLast = !request.isRepeatable || attempt > request.retries
    const answer = await sendOnce(transport, request).catch((error: unknown) => {
      if (isLast || !(error instanceof ConnectionError)) throw error
      return null
    })
    const pauseMs = pauseAfter(transport, answer, attempt)
    if (answer && (isLast || pauseMs === null || pauseMs > LONGEST_PAUSE_MS)) return answer
    await transport.sleep(pauseMs ?? 0, request.signal)
  }
}

async function sendOnce({ fetch }: Transport, request: Outgoing): Promise<Incoming> {
  const { url, method, headers, body, credentials, timeoutMs, isStream, signal } = request
  signal?.throwIfAborted()
  const limit = new AbortController()
  const timer = timeoutMs === null ? null : setTimeout(() => limit.abort(), timeoutMs)
  try {
    const response = await fetch(url, {
      method,
      headers,
      signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
      ...(body !== undefined && { body }),
      ...(credentials && { credentials }),
    })
    return { response, text: isStream && response.ok ? '' : await response.text() }
  } catch (cause) {
    signal?.throwIfAborted()
    if (limit.signal.aborted) throw new TimeoutError(`${method} ${url}: no answer within ${timeoutMs} ms`, { cause })
    throw new ConnectionError(`${method} ${url}: no answer`, { cause })
  } finally {
    // What is read as a stream has no limit from here on but the caller's signal.
    if (timer !== null) clearTimeout(timer)
  }
}

/** How long to wait before the next try; null where a further try would not help. */
function pauseAfter(transport: Transport, answer: Incoming | null, attempt: number): number | null {
  if (answer && !PASSING.has(answer.response.status) && !isStillRunning(answer)) return null
  const asked = answer && retryAfterSeconds(answer.response, transport.now())
  return asked === null ? backOffMs(transport, attempt) : asked * 1000
}

/** The same request with the same key came before, and its answer is on its way. */
const isStillRunning = ({ response, text }: Incoming): boolean =>
  response.status === 409 && text.includes('"request_in_progress"')

/** From half of the step to the whole, which doubles with each failure. */
export function backOffMs({ random }: Pick<Transport, 'random'>, failures: number): number {
  const step = Math.min(LONGEST_BACK_OFF_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10))
  return Math.round(step * (0.5 + random() / 2))
}

/** Of seconds or of a date; null without one that can be read. */
export function retryAfterSeconds(response: Response, now: number): number | null {
  const text = response.headers.get('retry-after')?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const time = text === '' ? Number.NaN : Date.parse(text)
  return Number.isNaN(time) ? null : Math.max(0, Math.ceil((time - now) / 1000))
}

export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(reasonOf(signal))
    const over = (): void => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }
    const timer = setTimeout(over, ms)
    const stop = (): void => {
      clearTimeout(timer)
      if (signal) reject(reasonOf(signal))
    }
    signal?.addEventListener('abort', stop, { once: true })
  })
}

const reasonOf = ({ reason }: AbortSignal): Error =>
  reason instanceof Error ? reason : new DOMException(String(reason), 'AbortError')
