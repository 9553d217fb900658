// Clients of the tests: of a person or a key, with every request that went out.
import { createTitular, bearer, type Titular, type TitularOptions } from '../src/index.ts'
import type { TestApp } from '../../../test/harness/app.ts'
import type { Speaker } from '../../../test/harness/world.ts'

export type SentRequest = { method: string; path: string; headers: Headers }
export type WatchedClient = { titular: Titular; sent: SentRequest[]; pauses: number[] }

export const addressOf = (request: Parameters<typeof fetch>[0]): string =>
  request instanceof Request ? request.url : request.toString()

/** A client whose pauses take no time, and are kept instead. `through` stands for the network. */
export function watched(
  app: Pick<TestApp, 'url'>,
  options: Partial<TitularOptions> = {},
  through: typeof fetch = fetch,
): WatchedClient {
  const sent: SentRequest[] = []
  const pauses: number[] = []
  const titular = createTitular({
    baseUrl: app.url,
    random: () => 1,
    sleep: (ms, signal) => {
      pauses.push(ms)
      return signal?.aborted ? Promise.reject(signal.reason as Error) : Promise.resolve()
    },
    fetch: async (url, init) => {
      sent.push({
        method: init?.method ?? 'GET',
        path: addressOf(url).replace(/^.*\/api\/v1/, ''),
        headers: new Headers(init?.headers),
      })
      return through(url, init)
    },
    ...options,
  })
  return { titular, sent, pauses }
}

export const clientOf = (
  app: Pick<TestApp, 'url'>,
  who: Pick<Speaker, 'token'>,
  organization?: number,
  through?: typeof fetch,
): WatchedClient => watched(app, { credentials: bearer(who.token), organization }, through)

/** What an attempt failed with. */
export const failureOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    (value) => Promise.reject(new Error(`it did not fail: ${JSON.stringify(value)}`)),
    (error: unknown) => error,
  )

/** Ten calls at once. */
export const tens = <Value>(attempt: () => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: 10 }, attempt))
