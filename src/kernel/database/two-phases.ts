// On a cluster: what a transaction changes on a node and on the coordinator is committed together, or not at all
// (docs/decisions/0128).
import { type Statement, sql } from '#kernel/data/sql.ts'
import type { StatementKinds } from './cluster-statements.ts'
import { AS_OF_ONE_MOMENT, COMMIT, type RunGroup } from './transaction.ts'

/**
 * Citus commits in one phase, the node before the coordinator, unless a table that it knows was changed on the coordinator too.
 * The tables of the coordinator are none of those; this one is. It has no rows.
 */
const IN_TWO_PHASES = sql`delete from titular_distribution.two_phases where id = 0`

/** Held while the coordinator has committed and the node has not yet: what is enqueued is there before what it is about. */
const held = (organizationId: Statement) => sql`select pg_advisory_xact_lock(-${organizationId})`
const BETWEEN_PHASES = held(sql`nullif(current_setting('app.organization_id', true), '')::bigint`)
/** For a transaction that enters several organizations, of which the settings have the last. */
export const betweenPhases = (organizationId: number): Statement => held(sql`${organizationId}::bigint`)
/** Whether no commit of the organization is between its phases. */
export const isCommitted = (organizationId: Statement): Statement =>
  sql`pg_try_advisory_xact_lock_shared(-${organizationId})`

const COMMITTING = [IN_TWO_PHASES, BETWEEN_PHASES]

/** For the groups of one transaction. */
export function committingTogether(run: RunGroup, kinds: StatementKinds): RunGroup {
  let mayHaveChanged = false
  let onlyReads = false
  return async (statements) => {
    onlyReads ||= statements.includes(AS_OF_ONE_MOMENT)
    if (onlyReads) return run(statements)
    // Two phases are right in any case: so also where the catalogue cannot be read.
    const found = mayHaveChanged ? [] : await kinds.of(statements).catch(() => ['change'])
    mayHaveChanged ||= found.includes('change')
    if (!mayHaveChanged || statements.at(-1) !== COMMIT) return run(statements)
    const rows = await run([...statements.slice(0, -1), ...COMMITTING, COMMIT])
    return rows.toSpliced(-1 - COMMITTING.length, COMMITTING.length)
  }
}
