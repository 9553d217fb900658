// One transaction on a connection of the pool: groups of statements from BEGIN to COMMIT (docs/performance.md).
import { isDeepStrictEqual } from 'node:util'
import { type Statement, prepare, sql } from '#kernel/values/sql.ts'
import { BOUND, type Bound } from './distributed.ts'

export type Transaction = {
  /**
   * Runs a statement. Those that are asked for in the same tick travel in one round trip, in that order; when one of them
   * fails, all fail.
   */
  ask<Row>(statement: Statement<Row>): Promise<Row[]>
  /** Runs a statement whose rows nobody needs: it travels with the next one, at the latest with COMMIT. */
  write(statement: Statement): void
  /** Statements of which `ask` gets the rows without a round trip, until another statement is asked for or written. */
  answered(statements: readonly Statement[], rows: readonly unknown[][]): void
  /** The organization is locked: nobody else changes it from now on, so that reads need not be part of this transaction. */
  lockHeld(): void
  /** Through a cluster, which copies what INSERT … SELECT without RETURNING adds, and that row security refuses. */
  readonly isDistributed: boolean
}

/** One round trip. */
export type RunGroup = (statements: readonly Statement[]) => Promise<unknown[][]>

export type Session = {
  run: RunGroup
  rollback: () => Promise<unknown>
  /** A cluster has no plan for such statements before it knows the organization. */
  isDistributed: boolean
  /** Its statements may take as long as those of a job. */
  isLong?: boolean
  /** Where the nodes of a cluster are read from. */
  ofNodes?: (run: RunGroup, locked: Locked) => RunGroup
}

/** What the access check has set, and whether the organization is locked meanwhile. */
export type Locked = { bound: Bound; isLocked: () => boolean }

export const BEGIN = sql`begin`
export const COMMIT = sql`commit`
export const AS_OF_ONE_MOMENT = sql`set transaction isolation level repeatable read, read only`
/** Else PostgreSQL plans each statement that writes a row with its audit anew: 1.1 to 1.5 ms, for 0.6 ms of execution. */
const KEEP_PLANS = sql`set local plan_cache_mode = force_generic_plan`

/** While a node answers, the coordinator has nothing to do: as long as a job waits for an answer. */
const MAY_PAUSE = sql`set local idle_in_transaction_session_timeout = '70s'`

/** BEGIN with the `opening` statements; commits when `transact` resolves, rolls back when it throws. */
export async function runTransaction<Result>(
  { run, rollback, isDistributed, isLong = false, ofNodes }: Session,
  opening: readonly Statement[],
  transact: (transaction: Transaction, opened: unknown[][]) => Promise<Result>,
): Promise<Result> {
  const isBound = ofNodes !== undefined && opening.some(({ isBinding }) => isBinding)
  const clustered = isBound && isLong ? [BEGIN, MAY_PAUSE] : [BEGIN]
  const begin = isDistributed ? clustered : [BEGIN, KEEP_PLANS]
  let runGroup = run
  let isLocked = false
  const groups = createGroups((statements) => runGroup(statements), {
    isDistributed,
    lockHeld: () => void (isLocked = true),
  })
  try {
    const opened = (await run([...begin, ...opening, ...(isBound ? [BOUND] : [])])).slice(begin.length)
    if (isBound) runGroup = ofNodes(run, { bound: opened.pop()?.[0] as Bound, isLocked: () => isLocked })
    const result = await transact(groups.transaction, opened)
    await groups.end(COMMIT)
    return result
  } catch (error) {
    await groups.abandon()
    await rollback()
    throw error
  }
}

type Queued = { statement: Statement; resolve: (rows: never[]) => void; reject: (error: Error) => void }
type Answered = { statement: Statement; rows: unknown[] }

const ignore = () => {}
const ENDED = new Error('the transaction has ended')

function createGroups(run: RunGroup, { isDistributed, lockHeld }: Pick<Transaction, 'isDistributed' | 'lockHeld'>) {
  let queue: Queued[] = []
  let known: Answered[] = []
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
    isDistributed,
    lockHeld,
    ask(statement) {
      if (hasEnded) return Promise.reject(ENDED)
      const found = known.find((one) => isSame(one.statement, statement))
      if (found) {
        known = known.filter((one) => one !== found)
        return Promise.resolve(found.rows as never[])
      }
      known = []
      return new Promise((resolve, reject) => {
        queue.push({ statement, resolve, reject })
        schedule()
      })
    },
    write(statement) {
      if (hasEnded) throw ENDED
      known = []
      queue.push({ statement, resolve: ignore, reject: ignore })
    },
    answered: (statements, rows) =>
      void (known = statements.map((statement, index) => ({ statement, rows: rows[index] ?? [] }))),
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

function isSame(one: Statement, other: Statement): boolean {
  const [a, b] = [prepare(one), prepare(other)]
  return a.name === b.name && isDeepStrictEqual(a.values, b.values)
}
