// Transactions bound to an organization, or to none: the contexts that operations and jobs work with.
import type { Acting, Caller, OrganizationContext, Settings, SystemContext } from '#kernel/data/context.ts'
import type { Database } from '#kernel/database/database.ts'
import type { Replica } from '#kernel/database/replica.ts'
import { AS_OF_ONE_MOMENT, type Transaction } from '#kernel/database/transaction.ts'
import { ownerStatement, tenantStatement, testClockOf } from './access-check.ts'
import { AppError, isLockTimeout, isRetryable, notFound, RETRY_SECONDS } from '#kernel/values/errors.ts'
import type { EventConsumers } from '#kernel/data/events.ts'
import type { RoleName } from '#kernel/values/permissions.ts'
import type { Company } from '#kernel/values/schema.ts'
import { type Statement, sql } from '#kernel/values/sql.ts'
import type { TenantQueue } from '#kernel/database/tenant-queue.ts'
import type { TenantStore } from '#kernel/data/tenant-store.ts'

/** What all contexts of one request or job have in common. */
export type Origin = {
  caller: Caller
  now: Date
  requestId: string
  ip: string | null
  /** The caller's reason (`X-Reason`). */
  reason?: string | null
  consumers: EventConsumers
  settings: Settings
  store: TenantStore
}

export const SYSTEM_CALLER: Caller = {
  kind: 'system',
  userId: null,
  name: 'system',
  email: null,
  proven: true,
  staff: true,
  sessionId: null,
  language: 'en',
}

/** The organization of a context, and what the caller may do there. */
export type Binding = {
  organizationId: number
  role: RoleName
  scopes: readonly string[]
  company: Company | null
  /** The row of the lock: the time of an organization with a test clock is read under its lock. */
  locked: unknown
}

const asEverything = (organizationId: number): Omit<Binding, 'locked'> => ({
  organizationId,
  role: 'owner',
  scopes: ['*'],
  company: null,
})

const timesOf = (realNow: Date, testClock: Date | null) => ({ now: testClock ?? realNow, realNow, testClock })

/** The same transaction as the service itself has it in a job. */
export const asSystemIn = (ctx: OrganizationContext): OrganizationContext => ({
  ...ctx,
  ...asEverything(ctx.organizationId),
  caller: SYSTEM_CALLER,
})

export function organizationContext(
  transaction: Transaction,
  origin: Origin,
  { locked, ...binding }: Binding,
  onEnqueued: () => void,
): OrganizationContext {
  const { ask, write } = transaction
  return { ...origin, ...timesOf(origin.now, testClockOf(locked)), ...binding, ask, write, onEnqueued }
}

export function systemContext(transaction: Transaction, origin: Origin, onEnqueued: () => void): SystemContext {
  const { ask, write } = transaction
  const acting: Acting = { ...origin, ...timesOf(origin.now, null), ask, write, onEnqueued }
  return {
    ...acting,
    async enter(organizationId) {
      const opening = [tenantStatement(organizationId, true), ...origin.store.entering(organizationId)]
      const [, locked] = await Promise.all(opening.map((statement) => ask(statement))).catch((cause: unknown) => {
        // A time-out of this lock is not retried.
        if (isLockTimeout(cause)) throw new AppError('SERVICE_UNAVAILABLE', { retryAfter: RETRY_SECONDS, cause })
        throw cause
      })
      if (!locked?.length) throw notFound('Organization not found')
      return organizationContext(
        transaction,
        origin,
        { ...asEverything(organizationId), locked: locked[0] },
        onEnqueued,
      )
    },
  }
}

export type Transactions = {
  /** One transaction of the role `titular_app` in the organization, with the system as the caller: for jobs. */
  inOrganization<Result>(
    organizationId: number,
    origin: Origin,
    run: (ctx: OrganizationContext) => Promise<Result>,
  ): Promise<Result>
  /** One transaction across organizations. `reason` says why this cannot be bound to one. */
  asSystem<Result>(reason: string, origin: Origin, run: (ctx: SystemContext) => Promise<Result>): Promise<Result>
  read<Row>(organizationId: number | null, statement: Statement<Row>): Promise<Row[]>
  /**
   * `asSystem` for what only reads, as of the moment when it begins: from the replica, where there is one that is not
   * too far behind. `run` begins anew on the primary when the replica fails.
   */
  readingAsSystem<Result>(reason: string, origin: Origin, run: (ctx: SystemContext) => Promise<Result>): Promise<Result>
  snapshot: Snapshot
}

/**
 * All that is asked for is read as of one moment, however long it takes, and locks nothing. In an organization it is
 * what its owner may see; with null, everything.
 */
export type Snapshot = <Result>(
  organizationId: number | null,
  reading: (ask: Transaction['ask']) => Promise<Result>,
) => Promise<Result>

/** The first statement that reads sets the moment. */
const AS_OF_NOW = sql`select`
/** What is read may go to a store that is slow; no other transaction waits for this one. */
const MAY_PAUSE = sql`set local idle_in_transaction_session_timeout = '10min'`

/** Calls `onEnqueued` after the commit of each transaction that wrote jobs. */
export function createTransactions(
  database: Database,
  tenantQueue: TenantQueue,
  onEnqueued: () => void,
  replica: Replica | null = null,
): Transactions {
  return {
    inOrganization: (organizationId, origin, run) =>
      tenantQueue({ organizationId, callerKey: 'the service' }, ({ lockAcquired, hasLock }) =>
        committed(
          onEnqueued,
          (mark) =>
            database.longRunning.change(
              'titular_app',
              [tenantStatement(organizationId, true), ...origin.store.locking(organizationId)],
              (transaction, [, locked]) => {
                if (!locked?.length) throw notFound('Organization not found')
                lockAcquired()
                const binding = { ...asEverything(organizationId), locked: locked[0] }
                return run(organizationContext(transaction, origin, binding, mark))
              },
            ),
          hasLock,
        ),
      ),
    asSystem: (_reason, origin, run) =>
      committed(onEnqueued, (mark) =>
        database.longRunning.change('titular_system', [], (transaction) =>
          run(systemContext(transaction, origin, mark)),
        ),
      ),
    async read(organizationId, statement) {
      const role = organizationId === null ? 'titular_system' : 'titular_app'
      const tenant = organizationId === null ? [] : [tenantStatement(organizationId, true)]
      return ((await database.read(role, [...tenant, statement])).at(-1) ?? []) as never[]
    },
    readingAsSystem: async (_reason, origin, run) => {
      const reading = ({ longRunning }: Pick<Database, 'longRunning'>) =>
        longRunning.change('titular_system', [AS_OF_ONE_MOMENT, MAY_PAUSE, AS_OF_NOW], (transaction) =>
          run(systemContext(transaction, origin, () => {})),
        )
      return (await replica?.attempt(reading)) ?? reading(database)
    },
    snapshot: (organizationId, reading) =>
      database.longRunning.change(
        organizationId === null ? 'titular_system' : 'titular_app',
        [AS_OF_ONE_MOMENT, MAY_PAUSE, ...(organizationId === null ? [] : [ownerStatement(organizationId)])],
        ({ ask }) => reading(ask),
      ),
  }
}

const TRIES = 3

/**
 * Runs the transaction, up to three times when it lost against another one, and reports its jobs after the commit. A
 * time-out of the organization's lock is not retried; those of other locks are.
 */
export async function committed<Result>(
  onEnqueued: () => void,
  transact: (mark: () => void) => Promise<Result>,
  hasLock: () => boolean = () => true,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    let enqueued = false
    try {
      const result = await transact(() => (enqueued = true))
      if (enqueued) onEnqueued()
      return result
    } catch (error) {
      const mayFollow = isRetryable(error) || (hasLock() && isLockTimeout(error))
      if (attempt >= TRIES || !mayFollow) throw error
    }
  }
}
