// A streaming replica for reads that may be a little old (docs/operations.md). Whatever it cannot answer, the primary
// does.
import { outageLog, type OutageLogger } from '#kernel/values/outage-log.ts'
import { sql } from '#kernel/values/sql.ts'
import type { Connections, Database } from './database.ts'

const CHECK_MS = 1000
/** Ten minutes of checks: a replica that is further behind has an unknown lag. */
const MOST_CHECKS = 600

export type ReplicaState = { isUsed: boolean; lagSeconds: number; answered: number; leftToPrimary: number }

export type Replica = {
  /** Null when the replica is away, is no replica, lags behind or fails: then the primary has to be asked. */
  attempt<Result>(
    use: (replica: Pick<Database, keyof Connections | 'longRunning'>) => Promise<Result>,
  ): Promise<Result | null>
  state(): ReplicaState
  close(): Promise<void>
}

type Options = {
  replica: Database
  primary: Pick<Database, 'read'>
  maxLagSeconds: number
  log: OutageLogger
  now?: () => number
}

/** What the primary had written at a time of this process's clock. */
type WrittenPosition = { position: bigint; at: number }

// As system: neither needs a right, and a position is no data.
const WRITTEN = sql<{ position: string }>`select (pg_current_wal_lsn() - '0/0')::text as position`
const REPLAYED = sql<{ is_standby: boolean; position: string | null }>`
  select pg_is_in_recovery() as is_standby, (pg_last_wal_replay_lsn() - '0/0')::text as position`

export function createReplica({
  replica,
  primary,
  maxLagSeconds,
  log,
  now = () => performance.now(),
}: Options): Replica {
  const outage = outageLog(log, { failed: 'the replica is not read from', over: 'the replica is read from again' })
  let written: WrittenPosition[] = []
  /** What the primary had written then is on the replica. */
  let freshAt = -Infinity
  let startedAt: number | undefined
  let timer: NodeJS.Timeout | undefined
  let checking: Promise<void> | undefined
  let isClosed = false
  let answered = 0
  let leftToPrimary = 0

  const isFresh = (): boolean => now() - freshAt <= maxLagSeconds * 1000

  async function check(): Promise<void> {
    const at = now()
    const [[primarys]] = (await primary.read('titular_system', [WRITTEN])) as [[{ position: string }]]
    written = [...written.slice(1 - MOST_CHECKS), { position: BigInt(primarys.position), at }]
    const [[its]] = (await replica.read('titular_system', [REPLAYED])) as [
      [{ is_standby: boolean; position: string | null }],
    ]
    if (!its.is_standby || its.position === null) throw new Error('DATABASE_REPLICA_URL names no replica')
    const replayed = BigInt(its.position)
    const reached = written.findLast(({ position }) => position <= replayed)
    if (reached) freshAt = reached.at
    written = written.filter((one) => one.at >= freshAt)
    if (isFresh()) outage.succeeded()
    else if (now() - (startedAt ?? at) > maxLagSeconds * 1000)
      outage.failed(new Error(`the replica is more than ${maxLagSeconds} seconds behind`))
  }
  function checkRepeatedly(): void {
    startedAt ??= now()
    checking = check()
      .catch((error: unknown) => {
        freshAt = -Infinity
        if (!isClosed) outage.failed(error)
      })
      .finally(() => {
        if (!isClosed) timer = setTimeout(checkRepeatedly, CHECK_MS).unref()
      })
  }
  return {
    async attempt(use) {
      // Begins with the first use, since nothing may connect while the service starts; the primary answers that one.
      if (startedAt === undefined) checkRepeatedly()
      if (isFresh()) {
        try {
          const result = await use(replica)
          answered++
          return result
        } catch {
          // Whether the replica is away the next check tells; a conflict with what is replayed says nothing about other
          // reads.
        }
      }
      leftToPrimary++
      return null
    },
    state: () => ({ isUsed: isFresh(), lagSeconds: (now() - freshAt) / 1000, answered, leftToPrimary }),
    async close() {
      isClosed = true
      clearTimeout(timer)
      await checking
      await replica.close()
    },
  }
}
