// Checks every statement of requests and jobs while a test runs: each part that names a tenant table must name its
// organization_id (docs/architecture.md). The tenant policies would hide other rows anyway; this is a second
// protection, and lets a distributed database find the one node that has the rows.
import type { Database, Role } from '#kernel/database/database.ts'
import { prepare, type Statement } from '#kernel/values/sql.ts'
import { unbound } from './statement-parts.ts'
import { watchStatements } from './watched.ts'

export type Statements = { throwIfUnbound(): void }

/** Cached for the process, so that each text is checked once. */
const judged = new Map<string, string[]>()

export function holdToOrganization(database: Database, tenantTables: readonly string[]): Statements {
  const tables = new Set(tenantTables)
  const found = new Set<string>()
  function look(role: Role, statements: readonly Statement[]): void {
    if (role !== 'titular_app') return
    for (const statement of statements) {
      const { text } = prepare(statement)
      const problems = judged.get(text) ?? unbound(text, tables)
      judged.set(text, problems)
      for (const problem of problems) found.add(problem)
    }
  }
  watchStatements(database, look)
  return {
    throwIfUnbound() {
      const problems = [...found]
      found.clear()
      if (problems.length > 0) throw new Error(`Without organization_id:\n${problems.join('\n')}`)
    },
  }
}
