// The tenant policies of each table, tested by SQL as the service's own role. test/sweeps/catalogue.test.ts reads the
// catalogue, test/sweeps/foreign-records.test.ts tests the routes.
import { tellNodes } from '#test/harness/database.ts'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { sessionOptions } from '../../src/postgres/roles.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { createRecords } from '#test/scenes/records.ts'
import { isAppendOnly, tablesOf } from './tables.ts'
import type { Organization } from '#test/harness/world.ts'

let app: TestApp
let acme: Organization
let other: Organization
let tenantTables: string[]

beforeAll(async () => {
  app = await startApp()
  acme = await app.world.organization()
  other = await app.world.organization()
  await createRecords(app, acme)
  const tables = await tablesOf(app.database)
  tenantTables = tables.tenantTables.filter((table) => !OF_SYSTEM.includes(table))
})
afterAll(() => app.close())

/** The role has no right to them at all (test/sweeps/catalogue.test.ts). */
const OF_SYSTEM = ['audit_redactions', 'audit_seals', 'organization_erasures', 'staff_entries', 'test_clocks']

const names = async (query: string, values: unknown[] = []): Promise<string[]> =>
  (await app.database.query<{ name: string }>(query, values)).map(({ name }) => name)

/** A connection like the service's, in one transaction with the given tenant and all scopes. */
async function asApp<Result>(tenant: number | '' | null, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: app.database.url, options: sessionOptions('titular_app') })
  await client.connect()
  try {
    await client.query('begin')
    if (tenant !== null)
      await client.query(`select set_config('app.organization_id', $1, true), set_config('app.scopes', '*', true)`, [
        String(tenant),
      ])
    await tellNodes(client)
    return await work(client)
  } finally {
    await client.end()
  }
}

const countOf = async (client: Client, table: string): Promise<number> =>
  Number((await client.query(`select count(*) as n from ${table}`)).rows[0]?.n)

/** On a cluster it would be a COPY, which heeds no policy and is refused. */
const RETURNING = inject('postgres').isDistributed ? ' returning 1' : ''

describe('the app role', () => {
  it('sees no rows when no organization is set', async () => {
    const empty: string[] = []
    for (const table of tenantTables) {
      const [row] = await app.database.query<{ n: number }>(
        `select count(*)::int as n from ${table} where organization_id = $1`,
        [acme.id],
      )
      if (!row?.n) empty.push(table)
      for (const nothing of ['', null] as const)
        expect(await asApp(nothing, (client) => countOf(client, table)), table).toBe(0)
    }
    expect(empty, 'tables without a record in test/scenes/records.ts, of which this shows nothing').toEqual([])
  })
  /** Of the organization's records those that nobody sees but the person whose they are, and staff. */
  const OF_ONE_PERSON = ['ticket_ratings']
  it('sees only the rows of its organization', async () => {
    for (const table of tenantTables) {
      const seen = await asApp(acme.id, async (client) => ({
        own: await countOf(client, table),
        foreign: Number(
          (await client.query(`select count(*) as n from ${table} where organization_id <> ${acme.id}`)).rows[0]?.n,
        ),
      }))
      expect(seen, table).toEqual({ own: expect.any(Number), foreign: 0 })
      if (OF_ONE_PERSON.includes(table)) expect(seen.own, table).toBe(0)
      else expect(seen.own, table).toBeGreaterThan(0)
    }
  })
  it('cannot write, move or remove a row of another organization', async () => {
    for (const table of tenantTables) {
      // A generated organization_id cannot be that of another organization.
      const columns = await names(
        `select quote_ident(attname) as name from pg_attribute
          where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
        [table],
      )
      const [source] = await app.database.query<{ row: object }>(
        `select to_jsonb(t) as row from ${table} t where organization_id = $1 limit 1`,
        [acme.id],
      )
      const list = columns.join(', ')
      const insert = `insert into ${table} (${list}) select ${list} from jsonb_populate_record(null::${table}, $1)${RETURNING}`
      const code = await asApp(other.id, (client) => failureOf(client, insert, [JSON.stringify(source?.row)]))
      expect(code, `insert into ${table}`).toBe('42501')
      const first = columns.find((column) => column !== 'organization_id' && column !== 'id') ?? 'organization_id'
      const foreign = `${table} set ${first} = ${first} where organization_id = ${acme.id}`
      expect(UNTOUCHED, `update ${table}`).toContain(await changedBy(other.id, `update ${foreign}`))
      const removal = `delete from ${table} where organization_id = ${acme.id}`
      expect(UNTOUCHED, removal).toContain(await changedBy(other.id, removal))
      if (isAppendOnly(table)) expect(await changedBy(acme.id, `update ${foreign}`), `update ${table}`).toBe('42501')
    }
  })
})

/** No row of another organization is affected, or the role may not change the table at all. */
const UNTOUCHED = [0, '42501']

const changedBy = (tenant: number, statement: string): Promise<number | string | null> =>
  asApp(tenant, (client) =>
    client.query(statement).then(
      ({ rowCount }) => rowCount,
      (error: Error & { code?: string }) => error.code ?? error.message,
    ),
  )

async function failureOf(client: Client, statement: string, values: unknown[]): Promise<string> {
  return client.query(statement, values).then(
    () => 'no failure',
    (error: Error & { code?: string }) => error.code ?? error.message,
  )
}
