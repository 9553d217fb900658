// On a cluster, checks every statement that requests and jobs run for one organization while a test runs: it visits the shard
// that has the organization's rows and no other.
import { Client } from 'pg'
import type { Database } from '#kernel/database/database.ts'
import { prepare, type Statement } from '#kernel/values/sql.ts'
import { APP } from '../../src/postgres/roles.ts'
import { optionsOf, shardsVisited } from './explain.ts'
import { watchStatements } from './watched.ts'

export type Shards = { throwIfSeveral(): Promise<void> }

/** Cached for the process, so that each text is checked once. */
const judged = new Set<string>()

export function holdToShard(database: Database, url: string): Shards {
  const waiting = new Map<string, Statement>()
  watchStatements(database, (role, statements) => {
    if (role !== APP) return
    for (const statement of statements) {
      const { text } = prepare(statement)
      if (!judged.has(text)) waiting.set(text, statement)
    }
  })
  return {
    async throwIfSeveral() {
      const several = await visitingSeveral(waiting, url)
      if (several.length > 0) throw new Error(`Visits several shards:\n${several.join('\n')}`)
    },
  }
}

async function visitingSeveral(statements: ReadonlyMap<string, Statement>, url: string): Promise<string[]> {
  if (statements.size === 0) return []
  const client = new Client({ connectionString: url, options: optionsOf(APP) })
  await client.connect()
  const found: string[] = []
  for (const [text, statement] of statements) {
    const asking = { role: APP, organizationId: 1, userId: 1, mode: 'force_custom_plan' } as const
    const shards = await shardsVisited(client, statement, asking).catch(() => null)
    // With these values it was refused when it ran, too; others are waited for.
    if (shards === null) continue
    judged.add(text)
    if (shards > 1) found.push(`${shards}: ${text}`)
  }
  await client.end()
  return found
}
