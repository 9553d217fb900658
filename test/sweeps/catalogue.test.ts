// The tenant policies and the rights of the service's roles, read from PostgreSQL's catalogue, so that no later table,
// view or function lacks them. test/sweeps/tenancy.test.ts tests them by SQL.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { migrate } from '../../src/postgres/migrate.ts'
import { join } from 'node:path'
import { cloneDatabase, type TestDatabase } from '#test/harness/database.ts'
import { expectedRights, GLOBAL, isAppendOnly, isCleared, removedTables, type Rights, tablesOf } from './tables.ts'

/**
 * Tables with a nullable organization_id: jobs, mails, stored answers, webhook endpoints and imported products may
 * belong to no organization.
 */
const MAY_BELONG_TO_NONE = [
  'idempotency_keys',
  'imported_records',
  'jobs',
  'mails',
  'webhook_deliveries',
  'webhook_endpoints',
  'webhook_queues',
]
/** What distributing adds to the schema and changes in it, src/postgres/citus/*.test.ts looks at. */
const { isDistributed } = inject('postgres')
/** Tenant tables with a key that does not begin with organization_id, and the reason. */
const KEYED_OTHERWISE: Record<string, string> = {
  organizations_pkey: 'it is the organization',
  jobs_pkey: 'jobs may belong to none',
  jobs_periodic: 'jobs that belong to none',
  mails_pkey: 'mails about an account belong to none',
  mails_message_id_key: 'made from the job; mails about an account belong to none',
  idempotency_keys_pkey: 'a digest over the caller and the organization',
  api_keys_consumer_key: 'random; found before the organization is known',
  commerce_orders_company_platform_reference_key: 'found before the organization is known',
  document_shares_token_digest: 'random; found before the organization is known',
  quote_links_token_digest: 'random; found before the organization is known',
  claims_pkey: 'one organization at a time has a CNPJ or a provider’s id',
  payment_references_pkey: 'found before the organization is known',
  imported_records_pkey: 'ids in the systems that customers come from; found before the organization is known',
  issue_references_pkey: 'found before the organization is known; one ticket of all organizations has an issue',
  sso_connections_id: 'found before the organization is known',
  webhook_deliveries_pkey: 'those of the vendor belong to none',
  webhook_endpoints_pkey: 'those of the vendor belong to none',
  webhook_queues_pkey: 'those of the vendor belong to none',
}
/** The only views to which the tenant policies do not apply, and their columns (docs/decisions/0025). */
const ACCESS_VIEWS: Record<string, { columns: string; options: string[] }> = {
  access_check: {
    columns:
      'expired_at granted_scopes has_test_clock hidden_scopes member_email organization_id require_mfa role sso_domains started_at test_clock ticket_visibility user_id weight',
    options: [],
  },
  access_check_entries: {
    columns: 'ends_at entry_id organization_id reason user_id',
    options: ['security_barrier=true'],
  },
  access_check_keys: {
    columns:
      'allowed_ips consumer_key expired_at expires_at key_id language organization_id permission previous_digest previous_secret_ends_at scopes secret_digest secret_version started_at user_email user_id user_name',
    options: ['security_barrier=true'],
  },
  access_check_vendor_keys: {
    columns:
      'allowed_ips consumer_key created_by expires_at key_id language name organization_ids permissions previous_digest previous_secret_ends_at secret_digest secret_version',
    options: ['security_barrier=true'],
  },
}
/** SQL functions that the planner inlines, which a search_path of their own would prevent. */
const IN_PLACE = ['currency_digits', 'fold', 'search_phrase', 'search_terms_of', 'visible_scopes']
/**
 * Change entries of the audit logs, only to erase a person whose erasure is running (docs/decisions/0097);
 * remove rows of an organization whose erasure is running (docs/interface/operations.md); and count, as one number, the mails to an
 * address over all organizations.
 */
const DEFINERS = ['erase_from_audit_log', 'erase_from_service_audit', 'mails_to_address', 'remove_from_organization']
const ROLES = ['titular_app', 'titular_system']
/** Without organization_id, and with policies of their own. */
const published = Object.keys(GLOBAL).filter((table) => GLOBAL[table]?.isPublished)

let database: TestDatabase
let tenantTables: string[]
let all: string[]

beforeAll(async () => {
  database = await cloneDatabase()
  // A clone lacks the rights on the database itself; a start grants them.
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  await migrate({ ownerUrl: database.url, directory: join(import.meta.dirname, '../../migrations'), log })
  ;({ all, tenantTables } = await tablesOf(database))
})
afterAll(() => database.drop())

const names = async (query: string, values: unknown[] = []): Promise<string[]> =>
  (await database.query<{ name: string }>(query, values)).map(({ name }) => name)

describe('tables', () => {
  it('have organization_id, or are on the list of those that do not', async () => {
    expect(tenantTables.length).toBeGreaterThan(25)
    expect(Object.keys(GLOBAL).filter((table) => !all.includes(table))).toEqual([])
    const forced = await names(`select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relrowsecurity and relforcerowsecurity order by 1`)
    expect(forced).toEqual([...tenantTables, ...published].toSorted())
    const naming =
      await names(`select attrelid::regclass::text as name from pg_attribute a join pg_class c on c.oid = attrelid
      where c.relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attname = 'organization_id' order by 1`)
    expect(naming, 'those that name an organization').toEqual(tenantTables)
  })
  it.skipIf(isDistributed)('are in one schema', async () => {
    const elsewhere = await names(`select n.nspname || '.' || c.relname as name from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      where n.nspname not in ('public', 'pg_catalog', 'information_schema', 'pg_toast')`)
    expect(elsewhere).toEqual([])
  })
  it.skipIf(isDistributed)(
    'have three permissive policies on organization_id, with the same USING and WITH CHECK',
    async () => {
      const setting = `NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint`
      for (const table of tenantTables) {
        const [column] = await database.query<{ attnotnull: boolean; attgenerated: string }>(
          `select attnotnull, attgenerated from pg_attribute where attrelid = $1::regclass and attname = 'organization_id'`,
          [table],
        )
        expect(column, table).toBeDefined()
        const isSure = column?.attnotnull === true || column?.attgenerated === 's'
        expect(isSure, `${table}.organization_id is never null`).toBe(!MAY_BELONG_TO_NONE.includes(table))
        const policies = await database.query<{ roles: string; using: string; check: string; cmd: string }>(
          `select array_to_string(roles, ',') as roles, qual as using, with_check as check, cmd
           from pg_policies where tablename = $1 and permissive = 'PERMISSIVE' order by 1`,
          [table],
        )
        expect(policies, table).toEqual([
          { roles: 'titular_app', using: `(organization_id = (${setting})`, check: policies[0]?.using, cmd: 'ALL' },
          { roles: 'titular_owner', using: 'true', check: 'true', cmd: 'ALL' },
          { roles: 'titular_system', using: 'true', check: 'true', cmd: 'ALL' },
        ])
      }
    },
  )
  it('of what the vendor publishes are written by staff only, whose drafts nobody else sees', async () => {
    expect(published).toEqual(['release_files', 'releases'])
    const isStaff = `(current_setting('app.staff'::text, true) = 'on'::text)`
    for (const table of published) {
      const policies = await database.query(
        `select policyname as name, permissive, array_to_string(roles, ',') as roles, cmd, qual as using, with_check as check
           from pg_policies where tablename = $1 order by 1`,
        [table],
      )
      const both = { permissive: 'PERMISSIVE', cmd: 'ALL' }
      const everything = { ...both, using: 'true', check: 'true' }
      expect(policies, table).toEqual([
        { ...everything, name: 'owner_all', roles: 'titular_owner' },
        { ...both, name: 'published', roles: 'titular_app', cmd: 'SELECT', using: expect.anything(), check: null },
        { ...both, name: 'staff_write', roles: 'titular_app', using: isStaff, check: isStaff },
        { ...everything, name: 'system_all', roles: 'titular_system' },
      ])
      const [shown] = policies.filter(({ name }) => name === 'published')
      expect(shown?.['using']).toContain(`status <> 'draft'::text`)
    }
  })
  it.skipIf(isDistributed)('have keys that begin with organization_id', async () => {
    const odd = await names(
      `select i.indexrelid::regclass::text as name from pg_index i
        where i.indisunique and i.indrelid::regclass::text = any($1)
          -- By the id first: staff look for it across organizations.
          and i.indexrelid::regclass::text not like '%\\_external\\_id'
          and (select attname from pg_attribute where attrelid = i.indrelid and attnum = i.indkey[0]) is distinct from 'organization_id'
        order by 1`,
      [tenantTables],
    )
    expect(odd).toEqual(Object.keys(KEYED_OTHERWISE).toSorted())
  })
  it('have organization_id in every foreign key between them', async () => {
    const odd = await names(
      `select o.conrelid::regclass || '.' || o.conname as name from pg_constraint o
        where o.contype = 'f' and o.conrelid::regclass::text = any($1) and o.confrelid::regclass::text = any($1)
          and o.confrelid <> 'organizations'::regclass
          and not ('organization_id' = any(select attname from pg_attribute where attrelid = o.conrelid and attnum = any(o.conkey)))
        order by 1`,
      [tenantTables],
    )
    expect(odd).toEqual([])
    const toOrganizations = await names(
      `select distinct a.attname as name from pg_constraint o
         join pg_attribute a on a.attrelid = o.conrelid and a.attnum = any(o.conkey)
        where o.contype = 'f' and o.confrelid = 'organizations'::regclass order by 1`,
    )
    expect(toOrganizations).toEqual(['organization_id', 'parent_id'])
  })
})

describe('views and functions', () => {
  it.skipIf(isDistributed)(
    'without tenant policies are the views of the access check, with these columns and read-only',
    async () => {
      const views = await database.query<{
        name: string
        kind: string
        owner: string
        options: string[]
        columns: string
      }>(`
      select relname as name, relkind as kind, pg_get_userbyid(relowner) as owner, coalesce(reloptions, '{}') as options,
             (select string_agg(attname, ' ' order by attname collate "C") from pg_attribute where attrelid = c.oid and attnum > 0) as columns
        from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('v', 'm') order by 1`)
      expect(views.filter(({ kind }) => kind === 'm')).toEqual([])
      const through = views.filter(({ options }) => !options.includes('security_invoker=true'))
      expect(through).toEqual(
        Object.entries(ACCESS_VIEWS).map(([name, view]) => ({ name, kind: 'v', owner: 'titular_owner', ...view })),
      )
      for (const { name } of through)
        expect(await rightsOn(name), name).toEqual({ titular_app: 'select', titular_system: 'select' })
      const writable = await names(`select table_name as name from information_schema.views
      where table_schema = 'public' and (is_updatable = 'YES' or is_insertable_into = 'YES')`)
      expect(writable).toEqual([])
    },
  )
  it.skipIf(isDistributed)('run with their caller’s rights, and with a fixed search_path', async () => {
    const definers = await names(
      `select proname as name from pg_proc where pronamespace = 'public'::regnamespace and prosecdef`,
    )
    expect(definers.toSorted()).toEqual(DEFINERS)
    const open = await names(`select proname as name from pg_proc p join pg_language l on l.oid = p.prolang
      where pronamespace = 'public'::regnamespace
        and not exists (select 1 from unnest(proconfig) o where o like 'search\\_path=%pg_temp') order by 1`)
    expect(open).toEqual(IN_PLACE)
    const inPlace = await names(`select proname as name from pg_proc p join pg_language l on l.oid = p.prolang
      where pronamespace = 'public'::regnamespace and lanname = 'sql' and provolatile = 'i' and proconfig is null order by 1`)
    expect(inPlace).toEqual(IN_PLACE)
    const triggers = await names(`select tgname as name from pg_trigger where not tgisinternal`)
    expect(triggers).toEqual([])
  })
})

/** The granted rights on a table or view and on its columns; `also` are roles without grants. */
async function rightsOn(table: string): Promise<Rights & { also?: string }> {
  const given = await database.query<{ role: string; rights: string }>(
    `with given as (
       select grantee, lower(privilege_type) as right, null as column, is_grantable
         from pg_class, aclexplode(relacl) where oid = $1::regclass and grantee <> relowner
       union all
       select grantee, lower(privilege_type), attname, is_grantable
         from pg_attribute, aclexplode(attacl) where attrelid = $1::regclass),
     worded as (
       select grantee, "right" || coalesce('(' || string_agg("column", ',' order by "column" collate "C") || ')', '')
              || case when bool_or(is_grantable) then ' with grant option' else '' end as word
         from given group by grantee, "right", "column" is null)
     select case when grantee = 0 then 'public' else pg_get_userbyid(grantee) end as role,
            string_agg(word, ' ' order by word) as rights from worded group by grantee order by 1`,
    [table],
  )
  const of = (wanted: string) => given.find(({ role }) => role === wanted)?.rights ?? ''
  const others = given.filter(({ role }) => !ROLES.includes(role)).map(({ role }) => role)
  return {
    titular_app: of('titular_app'),
    titular_system: of('titular_system'),
    ...(others.length > 0 && { also: others.join(', ') }),
  }
}

describe('the service’s roles', () => {
  it('have exactly the rights on tables and columns that the code uses', async () => {
    const removed = await removedTables()
    expect([...removed]).toContain('jobs')
    for (const table of all) expect(await rightsOn(table), table).toEqual(expectedRights(table, removed))
  })
  it('cannot change append-only tables', async () => {
    const appendOnly = all.filter(isAppendOnly)
    expect(appendOnly.length).toBeGreaterThan(7)
    for (const table of appendOnly)
      for (const role of ROLES)
        for (const right of ['update', 'delete', 'truncate'])
          expect(await hasRight(role, table, right), `${role} ${right} ${table}`).toBe(
            right === 'update' && role === 'titular_system' && isCleared(table),
          )
  })
  it.each(ROLES)('%s owns nothing, is bound by the policies and makes nothing, for a moment neither', async (role) => {
    const [found] = await database.query(
      `select rolsuper, rolbypassrls, rolcreatedb, rolcreaterole, rolreplication,
              has_schema_privilege(rolname, 'public', 'create') as creates,
              has_database_privilege(rolname, current_database(), 'create') as creates_schemas,
              has_database_privilege(rolname, current_database(), 'temporary') as creates_for_a_moment,
              pg_has_role(rolname, 'titular_owner', 'member') as is_owner
         from pg_roles where rolname = $1`,
      [role],
    )
    expect(found).toEqual(Object.fromEntries(Object.keys(found ?? { none: true }).map((key) => [key, false])))
    const owned = await names(
      `select relname as name from pg_class where pg_get_userbyid(relowner) = $1
       union all select proname from pg_proc where pg_get_userbyid(proowner) = $1
       union all select nspname from pg_namespace where pg_get_userbyid(nspowner) = $1`,
      [role],
    )
    expect(owned).toEqual([])
  })
  it('can use sequences but not set them', async () => {
    const given = await names(`select distinct pg_get_userbyid(grantee) || ' ' || lower(privilege_type) as name
      from pg_class, aclexplode(relacl) where relkind = 'S' and relnamespace = 'public'::regnamespace and grantee <> relowner order by 1`)
    expect(given).toEqual(ROLES.map((role) => `${role} usage`))
  })
  it('cannot call the procedures that create policies or rights', async () => {
    const procedures = await names(`select proname as name from pg_proc
      where pronamespace = 'public'::regnamespace and prokind = 'p' and has_function_privilege('titular_app', oid, 'execute')`)
    expect(procedures).toEqual([])
  })
})

async function hasRight(role: string, table: string, right: string): Promise<boolean> {
  const [row] = await database.query<{ has: boolean }>(
    `select has_table_privilege($1, $2, $3) or ($3 = 'update' and has_any_column_privilege($1, $2, $3)) as has`,
    [role, table, right],
  )
  return row?.has ?? true
}
