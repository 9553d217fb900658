// One transaction on a connection of the pool: groups of statements from BEGIN to COMMIT (docs/performance.md).
import { type Statement, sql } from '#kernel/values/sql.ts'

export type Transaction = {
  /**
   * Runs a statement. Those that are asked for in the same tick travel in one round trip, in that order; when one of
   * them fails, all fail.
   */
  ask<Row>(statement: Statement<Row>): Promise<Row[]>
  /** Runs a statement whose rows nobody needs: it travels with the next one, at the latest with COMMIT. */
  write(statement: Statement): void
}

/** One round trip. */
export type RunGroup = (statements: readonly Statement[]) => Promise<unknown[][]>

/** The groups of one transaction on its connection. */
export type Session = {
  /** BEGIN with the `opening` statements, whose rows it gives. */
  begin: RunGroup
  /** Each later one. */
  run: RunGroup
  rollback: () => Promise<unknown>
}

export const BEGIN = sql`begin`
export const COMMIT = sql`commit`
export const AS_OF_ONE_MOMENT = sql`set transaction isolation level repeatable read, read only`
/**
 * Else PostgreSQL plans each statement that writes a row with its audit anew: 1.1 to 1.5 ms, for 0.6 ms of execution.
 */
const KEEP_PLANS = sql`set local plan_cache_mode = force_generic_plan`

/** The groups of a transaction whose round trips `run` makes. */
export const groupsOver = (run: RunGroup): Pick<Session, 'begin' | 'run'> => ({
  run,
  begin: async (opening) => (await run([BEGIN, KEEP_PLANS, ...opening])).slice(2),
})

/** BEGIN with the `opening` statements; commits when `transact` resolves, rolls back when it throws. */
export async function runTransaction<Result>(
  { begin, run, rollback }: Session,
  opening: readonly Statement[],
  transact: (transaction: Transaction, opened: unknown[][]) => Promise<Result>,
): Promise<Result> {
  const groups = createGroups(run)
  try {
    const result = await transact(groups.transaction, await begin(opening))
    await groups.end(COMMIT)
    return result
  } catch (error) {
    await groups.abandon()
    await rollback()
    throw error
  }
}

type QueuedStatement = { statement: Statement; resolve: (rows: never[]) => void; reject: (error: Error) => void }

const ignore = () => {}
const ENDED = new Error('the transaction has ended')

function createGroups(run: RunGroup) {
  let queue: QueuedStatement[] = []
  let isScheduled = false
  let hasEnded = false
  let last: Promise<unknown> = Promise.resolve()
  let failed: Error | undefined

  async function send(): Promise<void> {
    isScheduled = false
    const group = queue
    queue = []
    if (group.length === 0) return
    try {
      const rows = await run(group.map(({ statement }) => statement))
      for (const [index, { resolve }] of group.entries()) resolve((rows[index] ?? []) as never[])
    } catch (error) {
      failed ??= error as Error
      for (const { reject } of group) reject(error as Error)
    }
  }
  const schedule = () => {
    if (isScheduled) return
    isScheduled = true
    // After the group before: pg runs one at a time.
    last = last.then(send)
  }
  const transaction: Transaction = {
    ask(statement) {
      if (hasEnded) return Promise.reject(ENDED)
      return new Promise((resolve, reject) => {
        queue.push({ statement, resolve, reject })
        schedule()
      })
    },
    write(statement) {
      if (hasEnded) throw ENDED
      queue.push({ statement, resolve: ignore, reject: ignore })
    },
  }
  return {
    transaction,
    /** COMMIT of a failed transaction rolls back without an error, so a failure that was swallowed is thrown here. */
    async end(commit: Statement): Promise<void> {
      await last
      if (failed) throw failed
      transaction.write(commit)
      hasEnded = true
      await send()
      if (failed) throw failed
    },
    /** What still runs beside the code that failed sends nothing more: the connection goes to another transaction. */
    async abandon(): Promise<void> {
      hasEnded = true
      for (const { reject } of queue.splice(0)) reject(ENDED)
      await last
    },
  }
}
