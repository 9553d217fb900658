// Limits how long an answer of the database is waited for. When packets vanish without a reset, only a timer notices
// that the connection is lost.
import type { Client } from 'pg'
import { DatabaseUnavailable } from '#kernel/values/errors.ts'

/** How long a request waits for a connection, and then for an answer. */
export type Waits = { readonly connectMs: number; readonly answerMs: number }
/** Together they stay under ten seconds. */
export const WAITS: Waits = { connectMs: 2000, answerMs: 5000 }
/** For a job, whose statements PostgreSQL itself ends after a minute. */
export const LONG_ANSWER_MS = 65_000

export type AnswerTimeouts = {
  readonly waits: Waits
  /** Rejects after `ms`: the connection is destroyed, and all that were opened before then become suspect. */
  wait<Result>(client: Client, answer: Promise<Result>, ms: number): Promise<Result>
  /** No answer came: destroys the connection, and makes all that were opened before suspect. */
  lost(client: Client): void
  /** To be called for each connection that was opened. */
  opened(client: Client): void
  /** Opened before the last timeout: to be replaced when nothing runs on it. */
  isSuspect(client: Client): boolean
}

/** The server may still be at work; asking again would take as long. */
export class NoAnswer extends DatabaseUnavailable {}

type Waiting = { since: number; giveUp: () => void }

export function createAnswerTimeouts(waits: Waits): AnswerTimeouts {
  /** How many timeouts there had been when the connection was opened. */
  const timeoutsAtOpening = new WeakMap<Client, number>()
  const waiting = new Set<Waiting>()
  let timeouts = 0

  function lost(client: Client): void {
    timeouts++
    destroyConnection(client)
    // Others that have waited as long as a request may wait are on the same lost link.
    const longAgo = performance.now() - waits.answerMs
    for (const other of waiting) if (other.since <= longAgo) other.giveUp()
  }
  return {
    waits,
    lost,
    wait: (client, answer, ms) =>
      new Promise((resolve, reject) => {
        const one: Waiting = {
          since: performance.now(),
          giveUp: () => {
            waiting.delete(one)
            destroyConnection(client)
            reject(new NoAnswer(`no answer within ${ms} ms`))
          },
        }
        waiting.add(one)
        // setImmediate runs after the sockets are read, so an answer that has arrived already counts.
        const timeOut = () => {
          if (!waiting.has(one)) return
          one.giveUp()
          lost(client)
        }
        const timer = setTimeout(() => setImmediate(timeOut), ms)
        const done = () => {
          clearTimeout(timer)
          waiting.delete(one)
        }
        answer.finally(done).then(resolve, reject)
      }),
    opened: (client) => void timeoutsAtOpening.set(client, timeouts),
    isSuspect: (client) => timeoutsAtOpening.get(client) !== timeouts,
  }
}

/** Destroys the socket: pg's `end()` would wait for the other side, which does not answer. */
export const destroyConnection = (client: Client): void => void client.connection.stream.destroy()
