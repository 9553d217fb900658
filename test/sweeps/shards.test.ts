// On a cluster (CITUS_URL): which requests visit several shards. Those of one organization never do, which test/harness/shards.ts
// checks for all statements of all tests; here are those of the vendor and of people.
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { prepare, type Statement } from '#kernel/values/sql.ts'
import { optionsOf, shardsVisited } from '#test/harness/explain.ts'
import { watchStatements } from '#test/harness/watched.ts'
import { APP, SYSTEM } from '../../src/postgres/roles.ts'
import { type ListScene, listScene, parametersOf } from './lists.ts'
import { guarded, key, send } from './sweep.ts'

/** By the beginning of the path. */
const ACROSS: Record<string, string> = {
  '/admin/': 'records of all organizations',
  '/me/inbox': 'of a person, in all of their organizations: the visibility of tickets is asked of each node',
}

const isAcross = (path: string): boolean => Object.keys(ACROSS).some((beginning) => path.startsWith(beginning))

const { isDistributed } = inject('postgres')

describe.skipIf(!isDistributed)('requests', () => {
  let scene: ListScene
  let asked: { role: typeof APP | typeof SYSTEM; statement: Statement }[] = []
  let clients: Record<typeof APP | typeof SYSTEM, Client>

  beforeAll(async () => {
    scene = await listScene()
    const { database, service } = scene.app
    watchStatements(service.database, (role, statements) => {
      asked.push(...statements.map((statement) => ({ role, statement })))
    })
    const connect = async (role: typeof APP | typeof SYSTEM) => {
      const client = new Client({ connectionString: database.url, options: optionsOf(role) })
      await client.connect()
      return client
    }
    clients = { [APP]: await connect(APP), [SYSTEM]: await connect(SYSTEM) }
  })
  afterAll(async () => {
    for (const client of Object.values(clients)) await client.end()
    await scene.app.close()
  })

  it('visit one shard, unless they are about all organizations', async () => {
    const { acme } = scene
    const judged = new Set<string>()
    const several: string[] = []
    for (const route of guarded.filter((one) => hasRecord(one.path))) {
      asked = []
      const speaker = ['staff', 'vendor'].includes(route.access.kind) ? acme.staff : acme.owner
      const parameters = parametersOf(scene, route)
      const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(parameters[name]))
      await send(speaker, route, path, route.method === 'GET' || route.method === 'DELETE' ? undefined : {}, {})
      for (const { role, statement } of asked) {
        const { text } = prepare(statement)
        if (judged.has(text)) continue
        judged.add(text)
        const asking = { role, organizationId: acme.id, userId: acme.owner.userId, mode: 'force_custom_plan' } as const
        const shards = await shardsVisited(clients[role], statement, asking).catch((error: Error) => error.message)
        if (typeof shards === 'string' || (shards > 1 && !isAcross(route.path)))
          several.push(`${key(route)} visits ${shards}: ${text}`)
      }
    }
    expect(judged.size).toBeGreaterThan(400)
    expect(several, several.join('\n')).toEqual([])
  })

  /** Those of which test/scenes/records.ts has no record are asked for in their own tests. */
  function hasRecord(path: string): boolean {
    try {
      parametersOf(scene, { path } as never)
      return true
    } catch {
      return false
    }
  }
})
