// On a cluster: what a transaction changes on a node and on the coordinator is committed together, or not at all
// (docs/scaling.md).
import { prepare, type Statement, sql } from '#kernel/values/sql.ts'
import { AS_OF_ONE_MOMENT, COMMIT, type RunGroup } from '#kernel/database/transaction.ts'
import type { StatementKinds } from './statement-kinds.ts'

/**
 * Citus commits in one phase, the node before the coordinator, unless several nodes were written, or a table that it
 * knows was changed on the coordinator too. The tables of the coordinator are none of those; this one is. It has no
 * rows.
 */
const IN_TWO_PHASES = sql`delete from titular_distribution.two_phases where id = 0`

/**
 * Says that a commit may be between its phases: then what it has enqueued is there, and what that is about is not yet.
 */
const said = (organizationId: Statement) => sql`select pg_advisory_xact_lock_shared(-${organizationId})`
const BETWEEN_PHASES = said(sql`nullif(current_setting('app.organization_id', true), '')::bigint`)
/** For a transaction that enters several organizations, of which the settings have the last: from here to its end. */
export const betweenPhases = (organizationId: number): Statement => said(sql`${organizationId}::bigint`)

/**
 * Whether no commit of the organization may be between its phases. Whoever asks waits for nobody; a commit waits for
 * its end.
 */
export const isCommitted = (organizationId: Statement): Statement => sql`pg_try_advisory_xact_lock(-${organizationId})`

/**
 * The row is free as soon as the coordinator has committed, which is before the node has. The advisory lock is released
 * after both. Only for whom the row is there: nobody else can make it wait.
 */
export const writerLock = (organizationId: number | null): Statement => sql`
  with seen as materialized (select organization_id from event_sequences where organization_id = ${organizationId}),
       held as materialized (select pg_advisory_xact_lock(organization_id) from seen)
  select s.last_sequence, s.test_clock from held, event_sequences s where s.organization_id = ${organizationId}
    for update of s`

const WRITER_LOCK = prepare(writerLock(null)).name
export const isWriterLock = (statement: Statement): boolean => prepare(statement).name === WRITER_LOCK

const COMMITTING = [IN_TWO_PHASES, BETWEEN_PHASES]

/** For the groups of one transaction. */
export function committingTogether(run: RunGroup, kinds: StatementKinds): RunGroup {
  let mayHaveChanged = false
  let onlyReads = false
  return async (statements) => {
    onlyReads ||= statements.includes(AS_OF_ONE_MOMENT)
    if (onlyReads) return run(statements)
    // Two phases are right for all that is no read-only transaction: so also where the catalogue cannot be read.
    const found = mayHaveChanged ? [] : await kinds.of(statements).catch(() => ['change'])
    mayHaveChanged ||= found.includes('change')
    if (!mayHaveChanged || statements.at(-1) !== COMMIT) return run(statements)
    const rows = await run([...statements.slice(0, -1), ...COMMITTING, COMMIT])
    return rows.toSpliced(-1 - COMMITTING.length, COMMITTING.length)
  }
}
