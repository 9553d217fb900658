// The walls between organizations, walked table by table: in the catalogue, and by SQL as the service's own role.
// test/strangers.test.ts walks the routes.
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sessionOptions } from '../src/postgres/roles.ts'
import { startApp, type TestApp } from './app.ts'
import { createRecords } from './records.ts'
import type { Organization } from './world.ts'

/** Not walled: they belong to no organization, or are read before it is known. Each is touched by the files that own it. */
const GLOBAL = [
  'address_undos', // of users
  'claims', // who holds a CNPJ or a provider's id; the app role sees kind and value only
  'code_counters',
  'known_addresses', // of users
  'number_series',
  'payment_references', // whose payment a provider means; found before the organization is known
  'prices',
  'products', // the vendor's own catalogue
  'provider_events',
  'rate_limits',
  'refresh_tokens',
  'schema_migrations',
  'service_audit',
  'sessions',
  'user_tokens',
  'users',
]
/** Walled, but the work or the answer may belong to no organization. */
const MAY_BELONG_TO_NONE = ['idempotency_keys', 'jobs']
/** Walled, but its key does not begin with organization_id, and why. */
const KEYED_OTHERWISE: Record<string, string> = {
  organizations_pkey: 'it is the organization',
  jobs_pkey: 'jobs may belong to none',
  jobs_periodic: 'jobs that belong to none',
  idempotency_keys_pkey: 'a digest over the caller and the organization',
  api_keys_consumer_key: 'random; found before the organization is known',
}
/** The only views that see through the walls. */
const DOORS = ['door', 'door_keys']
const APPEND_ONLY = ['audit_log', 'credit_notes', 'environment_history', 'events', 'filed_documents', 'service_history']

let app: TestApp
let acme: Organization
let other: Organization
let walled: string[]

beforeAll(async () => {
  app = await startApp({ environment: { LIMIT_REQUESTS: '1000000/60' } })
  acme = await app.world.organization()
  other = await app.world.organization()
  await createRecords(app, acme)
  const tables = await names(`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`)
  walled = tables.filter((table) => !GLOBAL.includes(table))
})
afterAll(() => app.close())

const names = async (query: string, values: unknown[] = []): Promise<string[]> =>
  (await app.database.query<{ name: string }>(query, values)).map(({ name }) => name)

describe('the catalogue', () => {
  it('walls every table that is not on the short list', async () => {
    expect(walled.length).toBeGreaterThan(15)
    const forced = await names(`select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relrowsecurity and relforcerowsecurity order by 1`)
    expect(forced).toEqual(walled)
  })
  it('gives each of them organization_id and the three policies', async () => {
    const setting = `NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint`
    for (const table of walled) {
      const [column] = await app.database.query<{ attnotnull: boolean; attgenerated: string }>(
        `select attnotnull, attgenerated from pg_attribute where attrelid = $1::regclass and attname = 'organization_id'`,
        [table],
      )
      expect(column, table).toBeDefined()
      const isSure = column?.attnotnull === true || column?.attgenerated === 's'
      expect(isSure, `${table}.organization_id is never null`).toBe(!MAY_BELONG_TO_NONE.includes(table))
      const policies = await app.database.query<{ roles: string; using: string; check: string }>(
        `select array_to_string(roles, ',') as roles, qual as using, coalesce(with_check, '') as check
           from pg_policies where tablename = $1 and permissive = 'PERMISSIVE' and cmd = 'ALL' order by 1`,
        [table],
      )
      expect(
        policies.map(({ roles }) => roles),
        table,
      ).toEqual(['titular_app', 'titular_owner', 'titular_system'])
      expect(policies[0]?.using, table).toContain(`organization_id = (${setting}`)
      expect(policies[0]?.check, table).toBe(policies[0]?.using)
      const permissive = await names(
        `select policyname as name from pg_policies where tablename = $1 and permissive = 'PERMISSIVE'`,
        [table],
      )
      expect(permissive, `${table}: nothing widens the wall`).toHaveLength(3)
    }
  })
  it('keys them by organization', async () => {
    const odd = await names(
      `select i.indexrelid::regclass::text as name from pg_index i
        where i.indisunique and i.indrelid::regclass::text = any($1)
          and (select attname from pg_attribute where attrelid = i.indrelid and attnum = i.indkey[0]) is distinct from 'organization_id'
        order by 1`,
      [walled],
    )
    expect(odd).toEqual(Object.keys(KEYED_OTHERWISE).toSorted())
  })
  it('carries the organization in every foreign key between them', async () => {
    const odd = await names(
      `select o.conrelid::regclass || '.' || o.conname as name from pg_constraint o
        where o.contype = 'f' and o.conrelid::regclass::text = any($1) and o.confrelid::regclass::text = any($1)
          and o.confrelid <> 'organizations'::regclass
          and not ('organization_id' = any(select attname from pg_attribute where attrelid = o.conrelid and attnum = any(o.conkey)))
        order by 1`,
      [walled],
    )
    expect(odd).toEqual([])
    const toOrganizations = await names(
      `select distinct a.attname as name from pg_constraint o
         join pg_attribute a on a.attrelid = o.conrelid and a.attnum = any(o.conkey)
        where o.contype = 'f' and o.confrelid = 'organizations'::regclass order by 1`,
    )
    expect(toOrganizations).toEqual(['organization_id', 'parent_id'])
  })
  it('looks through the walls by the two doors only', async () => {
    const views = await app.database.query<{ name: string; invoker: boolean; kind: string; owner: string }>(`
      select relname as name, coalesce('security_invoker=true' = any(reloptions), false) as invoker, relkind as kind,
             pg_get_userbyid(relowner) as owner
        from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm') order by 1`)
    expect(views.filter(({ invoker }) => !invoker).map(({ name }) => name)).toEqual(DOORS)
    expect(views.filter(({ kind }) => kind === 'm')).toEqual([])
    const definers = await names(
      `select proname as name from pg_proc where pronamespace = 'public'::regnamespace and prosecdef`,
    )
    expect(definers).toEqual([])
    const triggers = await names(`select tgname as name from pg_trigger where not tgisinternal`)
    expect(triggers).toEqual([])
  })
})

describe('the service’s roles', () => {
  it.each(['titular_app', 'titular_system'])(
    '%s owns nothing, is bound by the walls and makes nothing',
    async (role) => {
      const [found] = await app.database.query(
        `select rolsuper, rolbypassrls, rolcreatedb, rolcreaterole,
              has_schema_privilege(rolname, 'public', 'create') as creates,
              has_database_privilege(rolname, current_database(), 'create') as creates_schemas,
              pg_has_role(rolname, 'titular_owner', 'member') as is_owner
         from pg_roles where rolname = $1`,
        [role],
      )
      expect(new Set(Object.values(found ?? { none: true }))).toEqual(new Set([false]))
      const owned = await names(
        `select relname as name from pg_class where pg_get_userbyid(relowner) = $1
       union all select proname from pg_proc where pg_get_userbyid(proowner) = $1`,
        [role],
      )
      expect(owned).toEqual([])
      const [more] = await app.database.query<{ names: string[] }>(
        `select coalesce(array_agg(relname || ' ' || p), '{}') as names from pg_class, unnest(array['truncate', 'references', 'trigger']) p
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and has_table_privilege($1, oid, p)`,
        [role],
      )
      expect(more?.names).toEqual([])
    },
  )
  it('can add to the trail, and change nothing of it', async () => {
    for (const role of ['titular_app', 'titular_system'])
      for (const table of [...APPEND_ONLY, 'service_audit'])
        for (const right of ['update', 'delete'])
          expect(await hasRight(role, table, right), `${role} ${right} ${table}`).toBe(false)
  })
})

async function hasRight(role: string, table: string, right: string): Promise<boolean> {
  const [row] = await app.database.query<{ has: boolean }>(
    `select has_table_privilege($1, $2, $3) or ($3 <> 'delete' and has_any_column_privilege($1, $2, $3)) as has`,
    [role, table, right],
  )
  return row?.has ?? true
}

/** A connection as the service has it, in one transaction with the given tenant. */
async function asApp<Result>(tenant: number | '' | null, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: app.database.url, options: sessionOptions('titular_app') })
  await client.connect()
  try {
    await client.query('begin')
    if (tenant !== null) await client.query(`select set_config('app.organization_id', $1, true)`, [String(tenant)])
    return await work(client)
  } finally {
    await client.end()
  }
}

const countOf = async (client: Client, table: string): Promise<number> =>
  Number((await client.query(`select count(*) as n from ${table}`)).rows[0]?.n)

describe('the app role', () => {
  it('sees nothing where no organization is set', async () => {
    const empty: string[] = []
    for (const table of walled) {
      const [row] = await app.database.query<{ n: number }>(
        `select count(*)::int as n from ${table} where organization_id = $1`,
        [acme.id],
      )
      if (!row?.n) empty.push(table)
      for (const nothing of ['', null] as const)
        expect(await asApp(nothing, (client) => countOf(client, table)), table).toBe(0)
    }
    expect(empty, 'tables without a record in test/records.ts, of which this shows nothing').toEqual([])
  })
  it('sees its organization’s rows, and no other’s', async () => {
    for (const table of walled) {
      const seen = await asApp(acme.id, async (client) => ({
        own: await countOf(client, table),
        foreign: Number(
          (await client.query(`select count(*) as n from ${table} where organization_id <> ${acme.id}`)).rows[0]?.n,
        ),
      }))
      expect(seen, table).toEqual({ own: expect.any(Number), foreign: 0 })
      expect(seen.own, table).toBeGreaterThan(0)
    }
  })
  it('cannot write, move or remove a row of another organization', async () => {
    for (const table of walled) {
      // A generated tenant column cannot name another: such a row is always one's own.
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
      const insert = `insert into ${table} (${list}) select ${list} from jsonb_populate_record(null::${table}, $1)`
      const code = await asApp(other.id, (client) => failureOf(client, insert, [JSON.stringify(source?.row)]))
      expect(code, `insert into ${table}`).toBe('42501')
      if (APPEND_ONLY.includes(table)) continue
      const first = columns.find((column) => column !== 'organization_id' && column !== 'id') ?? 'organization_id'
      await asApp(other.id, async (client) => {
        const updated = await client.query(`update ${table} set ${first} = ${first} where organization_id = ${acme.id}`)
        expect(updated.rowCount, `update ${table}`).toBe(0)
        const deleted = await client.query(`delete from ${table} where organization_id = ${acme.id}`)
        expect(deleted.rowCount, `delete from ${table}`).toBe(0)
      })
    }
  })
})

async function failureOf(client: Client, statement: string, values: unknown[]): Promise<string> {
  return client.query(statement, values).then(
    () => 'no failure',
    (error: Error & { code?: string }) => error.code ?? error.message,
  )
}
