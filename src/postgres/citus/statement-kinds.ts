// Which statements a node of a cluster can answer, by the names in their texts: read from the catalogue once, so that
// no statement has to fail in order to find out.
import { prepare, rowsOf, type Statement, sql } from '#kernel/values/sql.ts'
import type { SharedConnections } from '#kernel/database/shared-connections.ts'

/**
 * `node`: reads what the nodes have. `change`: changes it, or locks it. `both`: reads it together with what the
 * coordinator has. `coordinator`: does not reach the nodes.
 */
export type StatementKind = 'node' | 'change' | 'both' | 'coordinator'

export type StatementKinds = {
  of(statements: readonly Statement[]): Promise<StatementKind[]>
  /** A node has refused it. */
  refuse(statement: Statement): void
}

type Name = { name: string; isOnNodes: boolean; isFunction: boolean }

/** Of the schema: what the nodes have of it, what only the coordinator has, and functions that may change both. */
const NAMES = sql<Name>`
  select c.relname as name, exists (select 1 from pg_dist_partition d where d.logicalrelid = c.oid) as "isOnNodes",
    false as "isFunction"
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
  union all
  select p.proname, false, true from pg_proc p
   where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and p.provolatile = 'v'
     and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid
       and d.deptype = 'e')`
const CHANGES = /\b(?:insert|update|delete|nextval|share)\b/i
/** Its functions change what is on the nodes. */
const FUNCTIONS = 'titular_distribution'

type Names = { ofCoordinator: RegExp; ofNodes: RegExp; functions: RegExp }

const among = (names: readonly string[]) => new RegExp(`\\b(?:${names.join('|')})\\b`, 'i')

export function createStatementKinds(catalogue: SharedConnections): StatementKinds {
  /** By the name of the statement. */
  const known = new Map<string, StatementKind>()
  let reading: Promise<Names> | undefined

  async function namesOf(): Promise<Names> {
    const [rows] = await catalogue.read([NAMES])
    const names = rowsOf(NAMES, rows)
    const those = (which: (found: Name) => boolean) => names.filter(which).map(({ name }) => name)
    return {
      ofCoordinator: among(those(({ isOnNodes, isFunction }) => !isOnNodes && !isFunction)),
      ofNodes: among(those(({ isOnNodes }) => isOnNodes)),
      functions: among([FUNCTIONS, ...those(({ isFunction }) => isFunction)]),
    }
  }
  function kindOf({ ofCoordinator, ofNodes, functions }: Names, statement: Statement): StatementKind {
    const { name, text } = prepare(statement)
    const kind = known.get(name) ?? judged()
    known.set(name, kind)
    return kind

    function judged(): StatementKind {
      if (statement.isBinding) return 'coordinator'
      if (functions.test(text)) return 'change'
      if (!ofNodes.test(text)) return 'coordinator'
      if (CHANGES.test(text)) return 'change'
      return ofCoordinator.test(text) ? 'both' : 'node'
    }
  }
  return {
    async of(statements) {
      reading ??= namesOf()
      const names = await reading.catch((error: unknown) => {
        reading = undefined
        throw error
      })
      return statements.map((statement) => kindOf(names, statement))
    },
    refuse: (statement) => void known.set(prepare(statement).name, 'both'),
  }
}
