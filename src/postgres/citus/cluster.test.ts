// A distributed installation: needs a Citus cluster, given by CITUS_URL (docs/scaling.md); skipped without one.
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { sentQuote } from '#test/scenes/commerce.ts'
import type { Organization } from '#test/harness/world.ts'
import { distribute } from './distribute.ts'
import { inspect } from './inspect.ts'
import { moveOrganization } from './move.ts'

const { isDistributed, nodes } = inject('postgres')
const quiet = { info: () => {}, warn: () => {}, error: () => {} }

describe.skipIf(!isDistributed)('a cluster', () => {
  let app: TestApp
  let acme: Organization
  let other: Organization

  beforeAll(async () => {
    app = await startApp()
    acme = await app.world.organization()
    other = await app.world.organization()
    for (const one of [acme, other]) await sentQuote(one)
  })
  afterAll(() => app.close())

  async function asked<Row>(node: string, statement: string, user?: string): Promise<Row[]> {
    const url = new URL(node)
    url.pathname = new URL(app.database.url).pathname
    if (user !== undefined) url.username = user
    const client = new Client({ connectionString: url.href, application_name: 'shards' })
    await client.connect()
    try {
      await client.query(`set citus.show_shards_for_app_name_prefixes = '*'`)
      return (await client.query(statement)).rows as Row[]
    } finally {
      await client.end()
    }
  }

  it('keeps no restrictive policy on a shard, and no row that a node gives to nobody', async () => {
    const shards = []
    for (const node of nodes.slice(1)) {
      const policies = `select polname from pg_policy where not polpermissive and polrelid::regclass::text ~ '_\\d{6}$'`
      expect(await asked(node, policies)).toEqual([])
      const found = await asked<{ name: string }>(
        node,
        `select relname as name from pg_class where relkind = 'r' and relname ~ '^quotes_\\d+$'`,
      )
      for (const { name } of found) {
        shards.push(name)
        expect(await asked(node, `select 1 from ${name}`, 'titular_app')).toEqual([])
      }
    }
    expect(shards.length).toBeGreaterThan(1)
  })
  it('has nothing to be distributed any more, and nothing to be mended', async () => {
    const again = await distribute({ ownerUrl: app.database.url, log: quiet })
    expect(again.distributed).toEqual([])
    expect((await asOwnerOf(inspect)).problems).toEqual([])
  })
  it('moves an organization, after which it is as before', async () => {
    const before = await acme.owner.get('/quotes')
    for (const node of [...nodes.slice(1), ...nodes.slice(1)]) {
      const { hostname: host, port } = new URL(node)
      await asOwnerOf((client) =>
        moveOrganization(client, { organizationId: acme.id, to: { host, port: Number(port) }, isAlone: true }),
      )
      expect((await acme.owner.get('/quotes')).data).toEqual(before.data)
    }
    expect((await asOwnerOf(inspect)).problems).toEqual([])
  })

  async function asOwnerOf<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    const client = new Client({ connectionString: app.database.url })
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }
})
