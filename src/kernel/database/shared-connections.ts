// A few connections that all reads share. Each has several reads on the wire at a time: PostgreSQL finds the next one
// when it has answered one, and neither side is woken up for each (docs/decisions/0052).
import type { Client } from 'pg'
import { type Plans, sendBatch } from '#kernel/database/batch.ts'
import type { Statement } from '#kernel/values/sql.ts'
import { DatabaseUnavailable } from '#kernel/values/errors.ts'
import { type AnswerTimeouts, destroyConnection } from './answer-timeouts.ts'
import type { PoolState } from './pool-state.ts'

export type SharedConnections = {
  /** One round trip, one implicit transaction. */
  read(statements: readonly Statement[]): Promise<unknown[][]>
  state(): Omit<PoolState, 'name'>
  close(): Promise<void>
}

type PendingRead = {
  statements: readonly Statement[]
  since: number
  resolve: (rows: unknown[][]) => void
  reject: (error: Error) => void
}
/** `onWire` and `waiting` are in the order of their arrival; the first on the wire is the one that PostgreSQL runs. */
type SharedConnection = {
  opening: Promise<Client>
  opened: Client | undefined
  onWire: PendingRead[]
  waiting: PendingRead[]
  /** When the first on the wire got its turn. */
  turnSince: number
  watch: NodeJS.Timeout | undefined
}

/** Reads beyond them wait in the process, where those that wait too long are dropped. */
const MAX_ON_WIRE = 8
const MAX_TOGETHER = 4
const WATCH_MS = 100

/** Each read goes to the connection with the fewest unanswered reads. Lost connections are replaced. */
export function createSharedConnections(
  size: number,
  connect: () => Promise<Client>,
  plans: Plans,
  timeouts: AnswerTimeouts,
): SharedConnections {
  const connections: (SharedConnection | undefined)[] = Array.from({ length: size }, () => undefined)

  function open(index: number): SharedConnection {
    const opening = connect()
    const connection: SharedConnection = {
      opening,
      opened: undefined,
      onWire: [],
      waiting: [],
      turnSince: 0,
      watch: undefined,
    }
    connections[index] = connection
    const forget = () => {
      if (connections[index] === connection) connections[index] = undefined
      if (latest === connection) latest = undefined
    }
    const use = (client: Client): void => {
      connection.opened = client.once('end', forget).once('error', forget)
      send(connection)
    }
    const fail = (error: unknown): void => {
      forget()
      for (const { reject } of connection.waiting.splice(0)) reject(new DatabaseUnavailable(error))
    }
    void opening.then(use, fail)
    return connection
  }
  const isSuspect = ({ opened }: SharedConnection): boolean => opened !== undefined && timeouts.isSuspect(opened)
  /** Reads that still run on a suspect connection are waited for; it gets no new ones. */
  function replaceSuspects(): void {
    for (const [index, connection] of connections.entries()) {
      if (!connection || !isSuspect(connection)) continue
      connections[index] = undefined
      if (unanswered(connection) === 0 && connection.opened) destroyConnection(connection.opened)
    }
  }
  /**
   * Reads of one turn of the event loop share a connection, up to `MAX_TOGETHER`: one write brings them to PostgreSQL.
   */
  let latest: SharedConnection | undefined
  let together = 0
  function next(): SharedConnection {
    if (latest && together < MAX_TOGETHER && unanswered(latest) < MAX_ON_WIRE) {
      together++
      return latest
    }
    if (!latest) setImmediate(() => (latest = undefined))
    together = 1
    return (latest = leastBusy())
  }
  function leastBusy(): SharedConnection {
    replaceSuspects()
    let best: SharedConnection | undefined
    for (let index = 0; index < size; index++) {
      const connection = connections[index]
      if (!connection) {
        // Another connection is opened only when all open ones are busy.
        if (!best || unanswered(best) > 0) return open(index)
      } else if (!best || unanswered(connection) < unanswered(best)) best = connection
    }
    return best ?? open(0)
  }
  function send(connection: SharedConnection): void {
    const { opened, onWire, waiting } = connection
    if (!opened) return
    while (onWire.length < MAX_ON_WIRE) {
      const read = waiting.shift()
      if (!read) return
      onWire.push(read)
      if (onWire.length === 1) connection.turnSince = performance.now()
      sendBatch(opened, read.statements, plans, {
        resolve: (rows) => {
          answered(connection, read)
          read.resolve(rows)
        },
        reject: (error) => {
          answered(connection, read)
          read.reject(error)
        },
      })
    }
  }
  function answered(connection: SharedConnection, read: PendingRead): void {
    const { onWire, opened } = connection
    onWire.splice(onWire.indexOf(read), 1)
    connection.turnSince = performance.now()
    if (opened && unanswered(connection) === 0 && isSuspect(connection)) destroyConnection(opened)
    else send(connection)
  }
  /** One timer for all reads of a connection, which runs while there are any. */
  function watch(connection: SharedConnection): void {
    connection.watch ??= setTimeout(() => {
      // Runs after the sockets are read, so an answer that has arrived already counts.
      setImmediate(() => {
        connection.watch = undefined
        rejectLate(connection)
        if (unanswered(connection) > 0) watch(connection)
      })
    }, WATCH_MS)
  }
  function rejectLate(connection: SharedConnection): void {
    const { onWire, waiting, opened, turnSince } = connection
    const now = performance.now()
    const isLate = ({ since }: PendingRead) => now - since >= timeouts.waits.connectMs
    // The answer of a read behind the first still comes; it is rejected already.
    for (const [index, read] of onWire.entries())
      if (index > 0 && isLate(read)) read.reject(new DatabaseUnavailable(WAITED))
    for (const read of waiting.filter(isLate)) {
      waiting.splice(waiting.indexOf(read), 1)
      read.reject(new DatabaseUnavailable(WAITED))
    }
    const [running] = onWire
    if (!running || !opened || now - turnSince < timeouts.waits.answerMs) return
    running.reject(new DatabaseUnavailable(`no answer within ${timeouts.waits.answerMs} ms`))
    timeouts.lost(opened)
  }
  return {
    read: (statements) =>
      new Promise((resolve, reject) => {
        const connection = next()
        connection.waiting.push({ statements, since: performance.now(), resolve, reject })
        send(connection)
        watch(connection)
      }),
    state() {
      const opened = connections.filter((connection) => connection !== undefined)
      const waiting = opened.reduce((sum, one) => sum + Math.max(0, unanswered(one) - 1), 0)
      return { size, open: opened.length, idle: opened.filter((one) => unanswered(one) === 0).length, waiting }
    },
    async close() {
      for (const connection of connections) clearTimeout(connection?.watch)
      await Promise.allSettled(connections.map(async (connection) => (await connection?.opening)?.end()))
    },
  }
}

const unanswered = ({ onWire, waiting }: SharedConnection): number => onWire.length + waiting.length
const WAITED = 'waited too long for a connection'
