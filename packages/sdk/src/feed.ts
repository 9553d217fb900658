// Events as they happen, in their order and without a gap: the reader goes on where it was when the connection is lost
// or the service is restarted.
import type { Answer } from './caller.ts'
import { ApiError, ConnectionError } from './errors.ts'
import type { TitularEvent } from './generated/events.ts'
import type { DataOf, Operation } from './operation.ts'
import type { CallOptions, Parameters } from './request.ts'
import { backOffMs, type Transport } from './send.ts'

type FeedPage<Event> = { events: readonly Event[]; next: number; has_more: boolean }

// oxlint-disable-next-line typescript/no-explicit-any -- any parameters
export type FeedOperation = Operation<any, FeedPage<object>>
/** `resource` says which record `data` is; an event of the vendor's feed has `position` besides. */
export type FeedEventOf<One> =
  DataOf<One> extends { events: readonly (infer Event)[] } ? TitularEvent & Omit<Event, keyof TitularEvent> : never

export type FollowOptions = CallOptions & {
  /** Each loss of the connection, and how long the reader waits; for a log. */
  onLoss?: ((error: Error, pauseMs: number) => void) | undefined
}

export type Feed<Event> = AsyncIterable<Event> & {
  /** To go on from: the last event that the loop is done with. Undefined before the first. */
  readonly cursor: number | undefined
}

/** As long as the service waits for an event at most, and what the answer may take besides. */
const WAIT_SECONDS = 30
const TIMEOUT_MS = 60_000

type Ask = (parameters: Parameters, options: CallOptions) => Promise<Answer<unknown>>

export function followFeed<Event>(
  transport: Transport,
  parameters: Parameters,
  { onLoss, ...options }: FollowOptions,
  ask: Ask,
): Feed<Event> {
  const { signal } = options
  const hasEnded = (): boolean => signal?.aborted === true
  let cursor: number | undefined

  async function ofPage(after: unknown): Promise<FeedPage<Event> | null> {
    for (let failures = 1; !hasEnded(); failures++) {
      try {
        const place = { wait: WAIT_SECONDS, ...parameters, ...(after !== undefined && { after }) }
        const { data } = await ask(place, { timeoutMs: TIMEOUT_MS, ...options, retries: 0 })
        return isFeedPage<Event>(data) ? data : null
      } catch (error) {
        if (hasEnded()) return null
        if (!isPassing(error)) throw error
        const asked = error instanceof ApiError ? error.retryAfterSeconds : null
        const pauseMs = asked === null ? backOffMs(transport, failures) : asked * 1000
        onLoss?.(error, pauseMs)
        await transport.sleep(pauseMs, signal).catch(unlessAborted)
      }
    }
    return null
  }
  const unlessAborted = (error: unknown): void => {
    if (!hasEnded()) throw error
  }

  return {
    get cursor() {
      return cursor
    },
    async *[Symbol.asyncIterator]() {
      let after: unknown = cursor ?? parameters['after']
      for (;;) {
        const page = await ofPage(after)
        if (page === null) return
        for (const event of page.events) {
          yield event
          // The loop is done with it: it asks for the next one.
          cursor = placeOf(event)
        }
        cursor = page.next
        after = page.next
      }
    },
  }
}

/** The vendor's feed counts over all organizations. */
function placeOf(event: unknown): number | undefined {
  if (typeof event !== 'object' || event === null) return undefined
  const place = 'position' in event ? event.position : 'sequence' in event ? event.sequence : undefined
  return typeof place === 'number' ? place : undefined
}

const isFeedPage = <Event>(data: unknown): data is FeedPage<Event> =>
  typeof data === 'object' && data !== null && 'events' in data

/** What ends by itself: the connection, too many requests, a restart, a failure of the service. */
const isPassing = (error: unknown): error is ConnectionError | ApiError =>
  error instanceof ConnectionError || (error instanceof ApiError && (error.status === 429 || error.status >= 500))
