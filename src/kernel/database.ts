// The roads to PostgreSQL: shared connections for reads, a pool for changes, each as `app` or as `system`.
import { Client, type ClientConfig, Pool, type PoolClient, types } from 'pg'
import { type Plans, runBatch } from './batch.ts'
import { DatabaseUnavailable, isStalePlan } from './errors.ts'
import { type Statement, sql } from './sql.ts'

export type Role = 'titular_app' | 'titular_system'

export type DatabaseOptions = {
  urls: Record<Role, string>
  /** Start-up options that take the role and its time-outs; null when the login is the role itself (PgBouncer). */
  sessionOptions: Record<Role, string> | null
  readConnections: number
  changeConnections: number
  /** Errors of idle connections, for the log; the pools replace them by themselves. */
  onError: (error: Error) => void
}

export type Transaction = {
  ask<Row>(statement: Statement<Row>): Promise<Row[]>
  batch(statements: Statement[]): Promise<unknown[][]>
}

/** `waiting`: who waits for a connection; of shared ones, for the answers to those before. */
export type PoolState = { name: string; size: number; open: number; idle: number; waiting: number }

export type Database = {
  /** One round trip, one implicit transaction. */
  read(role: Role, statements: readonly Statement[]): Promise<unknown[][]>
  /** BEGIN together with the `opening` statements; commits when `work` resolves, rolls back when it throws. */
  change<Result>(
    role: Role,
    opening: readonly Statement[],
    work: (transaction: Transaction, opened: unknown[][]) => Promise<Result>,
  ): Promise<Result>
  pools(): PoolState[]
  close(): Promise<void>
}

export const typeParsers = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
    return (format !== 'binary' && parsers[oid]) || types.getTypeParser(oid, format ?? 'text')
  },
}

const asText = (text: string): string => text

/** Row = wire: ids are numbers within 2^53, money stays a decimal string, dates and times are ISO strings. */
const parsers: Record<number, (text: string) => unknown> = {
  20: Number,
  1016: (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)),
  1082: asText,
  1700: asText,
  1184: (text) => (text.endsWith('+00') ? isoFromUtc(text) : new Date(text).toISOString()),
  1185: (text) => text,
}

/** `2026-11-20 14:42:55.123456+00` → `2026-11-20T14:42:55.123Z`, without a Date. */
function isoFromUtc(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0').slice(0, 3)}Z`
}

const CONNECT_TIMEOUT_MS = 2000

export function openDatabase(options: DatabaseOptions): Database {
  const configFor = (role: Role): ClientConfig => ({
    connectionString: options.urls[role],
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: role,
    types: typeParsers,
    ...(options.sessionOptions && { options: options.sessionOptions[role] }),
  })
  const plans: Plans = { version: 0 }
  const reads = {
    titular_app: createLanes(options.readConnections, () => connectLane('titular_app')),
    titular_system: createLanes(Math.max(1, options.readConnections >> 1), () => connectLane('titular_system')),
  }
  async function connectLane(role: Role): Promise<Client> {
    const client = new Client(configFor(role))
    client.on('error', options.onError)
    await client.connect()
    return client
  }
  const pools = { titular_app: createPool('titular_app'), titular_system: createPool('titular_system') }
  function createPool(role: Role): Pool {
    const pool = new Pool({
      ...configFor(role),
      max: role === 'titular_app' ? options.changeConnections : Math.max(2, options.changeConnections >> 1),
    })
    pool.on('error', options.onError)
    // The pool listens to idle ones only; one that breaks in use would end the process. Its statements fail anyway.
    pool.on('connect', (client) => client.on('error', () => {}))
    return pool
  }

  return {
    async read(role, statements) {
      const read = () => reads[role].run((client) => runBatch(client, statements, plans))
      return read().catch((error: unknown) => {
        if (!isStalePlan(error)) throw error
        return read()
      })
    },
    async change(role, opening, work) {
      const client = await pools[role].connect().catch((error: unknown) => {
        throw new DatabaseUnavailable(error)
      })
      return inTransaction({ client, plans }, opening, work)
    },
    pools: () => [
      { name: 'reads_app', ...reads.titular_app.state() },
      { name: 'reads_system', ...reads.titular_system.state() },
      poolState('changes_app', pools.titular_app),
      poolState('changes_system', pools.titular_system),
    ],
    async close() {
      await Promise.all([reads.titular_app.close(), reads.titular_system.close()])
      await Promise.all([pools.titular_app.end(), pools.titular_system.end()])
    },
  }
}

export const poolState = (name: string, pool: Pool): PoolState => ({
  name,
  size: pool.options.max,
  open: pool.totalCount,
  idle: pool.idleCount,
  waiting: pool.waitingCount,
})

const BEGIN = sql`begin`
const COMMIT = sql`commit`

async function inTransaction<Result>(
  { client, plans }: { client: PoolClient; plans: Plans },
  opening: readonly Statement[],
  work: (transaction: Transaction, opened: unknown[][]) => Promise<Result>,
): Promise<Result> {
  let broken: Error | undefined
  try {
    let failed: Error | undefined
    const batch = (statements: readonly Statement[]) =>
      runBatch(client as unknown as Client, statements, plans).catch((error: Error) => {
        failed = error
        throw error
      })
    const [, ...opened] = await batch([BEGIN, ...opening])
    const ask = async <Row>(statement: Statement<Row>) => ((await batch([statement]))[0] ?? []) as Row[]
    const result = await work({ ask, batch }, opened)
    // COMMIT of a transaction that failed rolls back and says so only in passing: an error that was swallowed comes back here.
    if (failed) throw failed
    await batch([COMMIT])
    return result
  } catch (error) {
    // A connection that cannot roll back is thrown away, or the next user would inherit the transaction.
    await client.query('rollback').catch((failure: Error) => (broken = failure))
    throw error
  } finally {
    client.release(broken)
  }
}

type Lanes = {
  run<Result>(work: (client: Client) => Promise<Result>): Promise<Result>
  state(): Omit<PoolState, 'name'>
  close(): Promise<void>
}
/** `turn` resolves when the work before has its answer; pg's own queue is deprecated. */
type Lane = { client: Promise<Client>; waiting: number; turn: Promise<unknown> }

/** A few connections shared by all reads; each work goes to the lane with the fewest before it. Lost ones are replaced. */
function createLanes(size: number, connect: () => Promise<Client>): Lanes {
  const lanes: (Lane | undefined)[] = Array.from({ length: size }, () => undefined)

  function open(index: number): Lane {
    const client = connect()
    const lane: Lane = { client, waiting: 0, turn: client.catch(() => {}) }
    lanes[index] = lane
    const forget = () => {
      if (lanes[index] === lane) lanes[index] = undefined
    }
    void lane.client.then((opened) => opened.once('end', forget).once('error', forget), forget)
    return lane
  }
  function leastBusy(): Lane {
    let best: Lane | undefined
    for (let index = 0; index < size; index++) {
      const lane = lanes[index]
      if (!lane) {
        // Open another connection only when all that are open have work.
        if (!best || best.waiting > 0) return open(index)
      } else if (!best || lane.waiting < best.waiting) best = lane
    }
    return best ?? open(0)
  }
  return {
    async run(work) {
      const lane = leastBusy()
      const before = lane.turn
      const isQueued = lane.waiting++ > 0
      let gaveUp = false
      const result = before
        .then(async () => {
          if (gaveUp) throw new DatabaseUnavailable('waited too long for a connection')
          const client = await lane.client.catch((error: unknown) => {
            throw new DatabaseUnavailable(error)
          })
          return work(client)
        })
        .finally(() => lane.waiting--)
      lane.turn = result.catch(() => {})
      if (isQueued)
        await inTime(before).catch((error: unknown) => {
          gaveUp = true
          throw error
        })
      return result
    },
    state() {
      const opened = lanes.filter((lane) => lane !== undefined)
      const waiting = opened.reduce((sum, lane) => sum + Math.max(0, lane.waiting - 1), 0)
      return { size, open: opened.length, idle: opened.filter((lane) => lane.waiting === 0).length, waiting }
    },
    async close() {
      await Promise.allSettled(lanes.map(async (lane) => (await lane?.client)?.end()))
    },
  }
}

/** Resolves with the turn, or rejects when it is long in coming: the statement before it may wait for a lock. */
function inTime(turn: Promise<unknown>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new DatabaseUnavailable('waited too long for a connection')),
      CONNECT_TIMEOUT_MS,
    )
    void turn.finally(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
