// What the access check has set on the coordinator, the nodes are told (docs/scaling.md).
import { join, raw, sql } from '#kernel/values/sql.ts'
import type { StatementKinds } from './statement-kinds.ts'
import type { RunGroup } from '#kernel/database/transaction.ts'

/** What policies read, set by the access check (kernel/access/access-check.ts). */
export const BOUND_SETTINGS = [
  'app.organization_id',
  'app.staff',
  'app.scopes',
  'app.user_id',
  'app.role',
  'app.ticket_visibility',
] as const

export type BoundSettings = Record<(typeof BOUND_SETTINGS)[number], string | null>
/** Their values. */
export const BOUND = sql<BoundSettings>`select ${join(
  BOUND_SETTINGS.map((name) => sql`current_setting(${name}, true) as ${raw(`"${name}"`)}`),
  ', ',
)}`

/** Only SET LOCAL within BEGIN and COMMIT reaches the nodes; the function repeats with it what set_config has set. */
const TELL_NODES = sql`select titular_distribution.tell_nodes()`

/**
 * For the groups of one transaction: before the first statement that reaches a node, the nodes are told what has been
 * set, in the same round trip.
 */
export function tellingNodes(run: RunGroup, kinds: StatementKinds): RunGroup {
  let isUntold = false
  return async (statements) => {
    const found = await kinds.of(statements).catch(() => [])
    const sent = statements.flatMap((statement, index) => {
      isUntold ||= statement.isBinding === true
      const isReached = (found[index] ?? 'change') !== 'coordinator'
      if (!isUntold || !isReached || statement.isBinding) return [statement]
      isUntold = false
      return [TELL_NODES, statement]
    })
    const rows = await run(sent)
    return rows.filter((_, index) => sent[index] !== TELL_NODES)
  }
}
