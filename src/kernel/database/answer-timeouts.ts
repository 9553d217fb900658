// How long an answer of the database is waited for. A link may be gone without a word (packets vanish, nothing is refused):
// then only the clock tells.
import type { Client } from 'pg'
import { DatabaseUnavailable } from '#kernel/http/errors.ts'

export const CONNECT_TIMEOUT_MS = 2000
/** For a request: with the wait for a connection it stays under ten seconds. */
export const ANSWER_MS = 5000
/** For a job, whose statements PostgreSQL itself ends after a minute. */
export const LONG_ANSWER_MS = 65_000

export type AnswerTimeouts = {
  /** Gives up after `ms`: the connection is destroyed, and those from before that moment are not trusted any more. */
  wait<Result>(client: Client, answer: Promise<Result>, ms: number): Promise<Result>
  /** To be called for each connection that was opened. */
  opened(client: Client): void
  /** From before an answer stayed away; to be replaced when nothing runs on it. */
  isSuspect(client: Client): boolean
}

type Waiting = { since: number; giveUp: () => void }

export function createAnswerTimeouts(): AnswerTimeouts {
  const openedIn = new WeakMap<Client, number>()
  const waiting = new Set<Waiting>()
  let silences = 0

  function silent(one: Waiting): void {
    // The answer came while the process was busy.
    if (!waiting.has(one)) return
    silences++
    one.giveUp()
    // Whatever else has waited as long waits on the same link.
    const longAgo = performance.now() - ANSWER_MS
    for (const other of waiting) if (other.since <= longAgo) other.giveUp()
  }
  return {
    wait: (client, answer, ms) =>
      new Promise((resolve, reject) => {
        const one: Waiting = {
          since: performance.now(),
          giveUp: () => {
            waiting.delete(one)
            sever(client)
            reject(new DatabaseUnavailable(`no answer within ${ms} ms`))
          },
        }
        waiting.add(one)
        // After a look at the sockets: an answer that is there already counts.
        const timer = setTimeout(() => setImmediate(silent, one), ms)
        const done = () => {
          clearTimeout(timer)
          waiting.delete(one)
        }
        answer.finally(done).then(resolve, reject)
      }),
    opened: (client) => void openedIn.set(client, silences),
    isSuspect: (client) => openedIn.get(client) !== silences,
  }
}

/** Without a goodbye, which would wait for an answer too. */
export const sever = (client: Client): void => void client.connection.stream.destroy()
