// A few connections that all reads share; each runs one group of statements at a time.
import type { Client } from 'pg'
import { DatabaseUnavailable } from '#kernel/http/errors.ts'
import { CONNECT_TIMEOUT_MS, type AnswerTimeouts, destroyConnection } from './answer-timeouts.ts'
import type { PoolState } from './pool-state.ts'

export type SharedConnections = {
  run<Result>(read: (client: Client) => Promise<Result>): Promise<Result>
  state(): Omit<PoolState, 'name'>
  close(): Promise<void>
}
/** `lastAnswer` resolves when every read so far has its answer. (pg's own queue is deprecated.) */
type SharedConnection = { client: Promise<Client>; opened?: Client; unanswered: number; lastAnswer: Promise<unknown> }

/** Each read goes to the connection with the fewest unanswered reads. Lost connections are replaced. */
export function createSharedConnections(
  size: number,
  connect: () => Promise<Client>,
  timeouts: AnswerTimeouts,
): SharedConnections {
  const connections: (SharedConnection | undefined)[] = Array.from({ length: size }, () => undefined)

  function open(index: number): SharedConnection {
    const client = connect()
    const connection: SharedConnection = { client, unanswered: 0, lastAnswer: client.catch(() => {}) }
    connections[index] = connection
    const forget = () => {
      if (connections[index] === connection) connections[index] = undefined
    }
    void client.then((opened) => (connection.opened = opened.once('end', forget).once('error', forget)), forget)
    return connection
  }
  const isSuspect = ({ opened }: SharedConnection): boolean => opened !== undefined && timeouts.isSuspect(opened)
  /** Reads that still run on a suspect connection are waited for; it gets no new ones. */
  function replaceSuspects(): void {
    for (const [index, connection] of connections.entries()) {
      if (!connection || !isSuspect(connection)) continue
      connections[index] = undefined
      if (connection.unanswered === 0 && connection.opened) destroyConnection(connection.opened)
    }
  }
  function leastBusy(): SharedConnection {
    replaceSuspects()
    let best: SharedConnection | undefined
    for (let index = 0; index < size; index++) {
      const connection = connections[index]
      if (!connection) {
        // Another connection is opened only when all open ones are busy.
        if (!best || best.unanswered > 0) return open(index)
      } else if (!best || connection.unanswered < best.unanswered) best = connection
    }
    return best ?? open(0)
  }
  return {
    async run(read) {
      const connection = leastBusy()
      const before = connection.lastAnswer
      const isQueued = connection.unanswered++ > 0
      let gaveUp = false
      const result = before
        .then(async () => {
          if (gaveUp) throw new DatabaseUnavailable('waited too long for a connection')
          const client = await connection.client.catch((error: unknown) => {
            throw new DatabaseUnavailable(error)
          })
          return read(client)
        })
        .finally(() => {
          connection.unanswered--
          if (connection.unanswered === 0 && connection.opened && isSuspect(connection))
            destroyConnection(connection.opened)
        })
      connection.lastAnswer = result.catch(() => {})
      if (isQueued)
        await inTime(before).catch((error: unknown) => {
          gaveUp = true
          throw error
        })
      return result
    },
    state() {
      const opened = connections.filter((connection) => connection !== undefined)
      const waiting = opened.reduce((sum, { unanswered }) => sum + Math.max(0, unanswered - 1), 0)
      return { size, open: opened.length, idle: opened.filter(({ unanswered }) => unanswered === 0).length, waiting }
    },
    async close() {
      await Promise.allSettled(connections.map(async (connection) => (await connection?.client)?.end()))
    },
  }
}

/** Rejects after `CONNECT_TIMEOUT_MS`: the read before may be waiting for a lock. */
function inTime(before: Promise<unknown>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new DatabaseUnavailable('waited too long for a connection')),
      CONNECT_TIMEOUT_MS,
    )
    void before.finally(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
