// Migrations and roles on real databases of one embedded server.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PG_MIGRATE_LOCK_ID } from 'node-pg-migrate'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { until } from '#test/harness/until.ts'
import { type EmbeddedServer, startEmbedded, THROWAWAY } from './embedded.ts'
import { migrate } from './migrate.ts'
import { APP, sessionOptions } from './roles.ts'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

let dataDir: string
let server: EmbeddedServer
let directory: string
let url: string
let count = 0

async function sql(text: string, to = url, options = ''): Promise<unknown[][]> {
  const client = new Client({ connectionString: to, options })
  await client.connect()
  try {
    const result = await client.query({ text, rowMode: 'array' })
    return result.rows
  } finally {
    await client.end()
  }
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'titular-migrate-'))
  server = await startEmbedded({ dataDir, log, settings: THROWAWAY })
})
afterAll(async () => {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})
beforeEach(async () => {
  count += 1
  await sql(`create database migrate_${count}`, server.url)
  url = server.urlFor(`migrate_${count}`)
  directory = await mkdtemp(join(dataDir, 'migrations-'))
  await writeFile(join(directory, '0001-first.sql'), 'create table first (id bigint primary key);')
  await writeFile(
    join(directory, '0002-second.sql'),
    'create table second (id bigint primary key);\ngrant select on second to titular_app;',
  )
  await writeFile(join(directory, 'README.md'), 'no migration')
})

const run = () => migrate({ ownerUrl: url, directory, log })

// As on a server that Titular has never used.
async function forgetRoles() {
  const databases = await sql(`select datname from pg_database where datname ~ '^(migrate_|other$)'`, server.url)
  for (const [name] of databases) await sql(`drop database ${String(name)} with (force)`, server.url)
  for (const role of ['titular_owner', 'titular_app', 'titular_system']) {
    await sql(`drop role if exists ${role}`, server.url)
  }
}

describe('migrate', () => {
  it('runs the files in order as the owner; a second time it runs nothing and waits for no lock', async () => {
    expect(await run()).toEqual(['0001-first', '0002-second'])
    expect(await sql(`select tablename, tableowner from pg_tables where schemaname = 'public' order by 1`)).toEqual([
      ['first', 'titular_owner'],
      ['schema_migrations', 'titular_owner'],
      ['second', 'titular_owner'],
    ])
    // Many processes that start must not queue behind one that migrates: an up-to-date database needs no lock.
    const holder = new Client({ connectionString: url })
    await holder.connect()
    await holder.query(`select pg_advisory_lock(${PG_MIGRATE_LOCK_ID})`)
    expect(await run()).toEqual([])
    await holder.end()

    await writeFile(join(directory, '0003-third.sql'), 'create table third (id int);')
    expect(await run()).toEqual(['0003-third'])
  })

  it('refuses a migration whose file was changed after it ran, and names the file', async () => {
    await writeFile(join(directory, '0003-sums.sql'), 'alter table schema_migrations add column sha256 text;')
    await run()
    expect(await sql('select count(*) from schema_migrations where sha256 is null')).toEqual([['0']])
    const original = 'create table first (id bigint primary key);'
    await writeFile(join(directory, '0001-first.sql'), `${original} -- as it should have been`)
    await writeFile(join(directory, '0004-fourth.sql'), 'create table fourth (id int);')
    await expect(run()).rejects.toThrow(/^Migrations were changed after they ran: \S+0001-first\.sql\. Put them back/)
    expect(await sql(`select to_regclass('fourth')`)).toEqual([[null]])
    await writeFile(join(directory, '0001-first.sql'), original)
    expect(await run()).toEqual(['0004-fourth'])
  })

  it('records the checksums of migrations that ran without', async () => {
    await run()
    await writeFile(join(directory, '0003-sums.sql'), 'alter table schema_migrations add column sha256 text;')
    await run()
    // As after a crash between running and recording.
    await sql(`update schema_migrations set sha256 = null where name = '0002-second'`)
    expect(await run()).toEqual([])
    await writeFile(join(directory, '0002-second.sql'), 'create table second ();')
    await expect(run()).rejects.toThrow(/0002-second\.sql/)
  })

  it('names file, line and reason of a failing migration, and keeps those before it', async () => {
    await writeFile(join(directory, '0003-third.sql'), 'create table third (id int);\n\nselect nonsense;')
    await expect(run()).rejects.toThrow(
      /0003-third\.sql:3 failed and changed nothing: column "nonsense" does not exist$/,
    )
    expect(await sql('select name from schema_migrations')).toEqual([['0001-first'], ['0002-second']])
    expect(await sql(`select to_regclass('third')`)).toEqual([[null]])
  })

  it('refuses a database that is newer than the code', async () => {
    await run()
    await rm(join(directory, '0002-second.sql'))
    await expect(run()).rejects.toThrow(/^The database is newer than this code \(it has 0002-second\)/)
  })

  it('refuses a database of before the first release in one sentence, and leaves it as it is', async () => {
    await run()
    for (const name of ['0001-first', '0002-second']) await rm(join(directory, `${name}.sql`))
    await writeFile(join(directory, '0001-baseline.sql'), 'create table baseline (id int);')
    await writeFile(join(directory, '0002-second.sql'), 'create table other (id int);')
    await expect(run()).rejects.toThrow(
      /^The database was made before the first release \(it has 0001-first\) and cannot [^.]*: start with a new database, [^.]*\.$/,
    )
    expect(await sql(`select to_regclass('baseline'), to_regclass('other')`)).toEqual([[null, null]])
    expect(await sql('select name from schema_migrations')).toEqual([['0001-first'], ['0002-second']])
  })

  it('refuses a file whose name has another form', async () => {
    await writeFile(join(directory, 'third.sql'), '')
    await expect(run()).rejects.toThrow(/third\.sql is not named like/)
  })

  it('waits for a lock in short attempts, so that other statements do not queue behind it', async () => {
    await run()
    await writeFile(join(directory, '0003-third.sql'), 'alter table first add column name text;')
    const holder = new Client({ connectionString: url })
    await holder.connect()
    await holder.query('begin; lock table first in access share mode')
    const warnings: string[] = []
    const migrating = migrate({ ownerUrl: url, directory, log: { ...log, warn: (line) => void warnings.push(line) } })
    await until(() => warnings.length > 0)
    await holder.query('commit')
    await holder.end()
    expect(await migrating).toEqual(['0003-third'])
    expect(warnings[0]).toContain('waited for a lock in vain')
  })
})

describe('the roles', () => {
  it('are created once when several processes start at once on two databases of a server', async () => {
    await forgetRoles()
    await sql(`create database migrate_${count}`, server.url)
    await sql('create database other', server.url)
    const other = () => migrate({ ownerUrl: server.urlFor('other'), directory, log })
    const ran = await Promise.all([run(), other(), run(), other(), run(), other()])
    expect(ran.flat().toSorted()).toEqual(['0001-first', '0001-first', '0002-second', '0002-second'])
  })

  it('are created by a login that is no superuser but may create roles and owns the database', async () => {
    await forgetRoles()
    const login = `creator_${count}`
    await sql(`create role ${login} login createrole password 'x'`, server.url)
    await sql(`create database migrate_${count} owner ${login}`, server.url)
    const own = new URL(url)
    own.username = login
    own.password = 'x'
    expect(await migrate({ ownerUrl: own.href, directory, log })).toEqual(['0001-first', '0002-second'])
    expect(await migrate({ ownerUrl: own.href, directory, log })).toEqual([])
    expect(await sql('select count(*)::int from second', own.href, sessionOptions(APP))).toEqual([[0]])
    await forgetRoles()
  })

  it('restrict the app and give it its settings at connect', async () => {
    await run()
    const options = sessionOptions(APP)
    expect(await sql(`select current_user, current_setting('statement_timeout')`, url, options)).toEqual([
      ['titular_app', '15s'],
    ])
    expect(await sql('select count(*)::int from second', url, options)).toEqual([[0]])
    await expect(sql('select 1 from first', url, options)).rejects.toThrow(/permission denied/)
    await expect(sql('create table mine ()', url, options)).rejects.toThrow(/permission denied/)
  })

  it('let a migration give a view to the system role', async () => {
    await writeFile(
      join(directory, '0003-view.sql'),
      `create view listed as select id from first;
       grant create on schema public to titular_system;
       alter view listed owner to titular_system;
       revoke create on schema public from titular_system;`,
    )
    await run()
    expect(await sql(`select viewowner from pg_views where viewname = 'listed'`)).toEqual([['titular_system']])
  })

  it('name, for a login that may not create them, the statements for an administrator, which then suffice', async () => {
    const login = `login_${count}`
    await sql(`create role ${login} login password 'x'`, server.url)
    await sql(`alter database migrate_${count} owner to ${login}`, server.url)
    const own = new URL(url)
    own.username = login
    own.password = 'x'
    const message = await migrate({ ownerUrl: own.href, directory, log }).catch((error: unknown) => String(error))
    expect(message).toMatch(
      /^StartupError: The login login_\d+ cannot make the database roles \(.*\)\..*run.*: create role/,
    )
    const statements = String(message).split('exist: ')[1]?.split(';') ?? []
    for (const statement of statements) await sql(statement).catch(() => undefined)
    expect(await migrate({ ownerUrl: own.href, directory, log })).toEqual(['0001-first', '0002-second'])
  })

  it('let the owner log in itself, and name what it lacks in a database that it does not own', async () => {
    await run()
    await sql(`create database owned_${count}`, server.url)
    await sql(`alter role titular_owner login password 'x'`, server.url)
    const own = new URL(url)
    own.pathname = `/owned_${count}`
    const administrator = own.href
    own.username = 'titular_owner'
    own.password = 'x'
    const message = await migrate({ ownerUrl: own.href, directory, log }).catch((error: unknown) => String(error))
    expect(message).toMatch(/^StartupError: The login titular_owner cannot make .*may not grant rights/)
    expect(message).not.toContain('titular_app to "titular_owner"')
    const statements = String(message).split('exist: ')[1]?.split(';') ?? []
    for (const statement of statements) await sql(statement, administrator).catch(() => undefined)
    expect(await migrate({ ownerUrl: own.href, directory, log })).toEqual(['0001-first', '0002-second'])
    const [[settings] = []] = await sql(`select rolconfig::text from pg_roles where rolname = 'titular_app'`)
    expect(settings).toContain('statement_timeout=15s')
    await sql('alter role titular_owner nologin', server.url)
    await sql(`drop database owned_${count}`, server.url)
  })

  it('refuse an app role to which row-level security does not apply', async () => {
    await run()
    await sql('alter role titular_app bypassrls')
    await expect(run()).rejects.toThrow(/^Row-level security does not bind titular_app/)
    await sql('alter role titular_app nobypassrls')
  })
})
