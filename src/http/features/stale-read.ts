// Reads of routes that may be answered by a replica (docs/operations.md). Who may read is decided by the primary alone.
import { isDeepStrictEqual } from 'node:util'
import type { Role } from '#kernel/database/database.ts'
import type { Statement } from '#kernel/values/sql.ts'
import type { Engine } from '#http/request-context.ts'
import type { Route } from '#http/route.ts'

type StaleReadOptions = { engine: Pick<Engine, 'database' | 'replica'>; route: Pick<Route, 'features'>; role: Role }

/**
 * The row of the access check, and the rows of the statements. The replica's rows count only when its access check,
 * which has bound them, gives the same row as that of the primary: not when a member, a role or a scope has changed
 * meanwhile.
 */
export async function readWithAccess(
  { engine: { database, replica }, route, role }: StaleReadOptions,
  access: Statement,
  statements: readonly Statement[],
): Promise<unknown[][]> {
  const all = [access, ...statements]
  if (!route.features.mayBeStale || !replica || statements.length === 0) return database.read(role, all)
  const onReplica = replica.attempt((connections) => connections.read(role, all))
  const [[checked = []], found] = await Promise.all([database.read(role, [access]), onReplica])
  if (found === null || !isDeepStrictEqual(found[0], checked)) return database.read(role, all)
  return [checked, ...found.slice(1)]
}
