// Batches on a real PostgreSQL: which statements stay prepared after failures and migrations.
import { Client, DatabaseError } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cloneDatabase, loginsTo, type TestDatabase } from '#test/harness/database.ts'
import * as batch from './batch.ts'
import { typeParsers } from '#kernel/database/row-reader.ts'
import { type Database, openDatabase } from '#kernel/database/database.ts'
import { type Statement, sql } from '#kernel/values/sql.ts'
import { committed } from '#kernel/access/transactions.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await cloneDatabase()
  await database.query('create table boxes (id int primary key, name text)')
  await database.query(`insert into boxes values (1, 'one')`)
})
afterAll(() => database.drop())

const runBatch = (client: Client, statements: Statement[]) => batch.runBatch(client, statements, { version: 0 })

async function connected<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: database.url, types: typeParsers })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function opened<Result>(
  { readConnections }: { readConnections: number },
  work: (opened: Database) => Promise<Result>,
): Promise<Result> {
  const own = openDatabase({
    logins: () => loginsTo(database.url),
    readConnections,
    changeConnections: 2,
    onError: () => {},
  })
  try {
    return await work(own)
  } finally {
    await own.close()
  }
}

describe('a statement that cannot be parsed', () => {
  it('leaves other statements of its group usable on the same connection', () =>
    connected(async (client) => {
      const before = sql`select 1 as before`
      const after = sql`select 2 as after`
      await expect(runBatch(client, [before, sql`select missing from boxes`, after])).rejects.toThrow(/missing/)
      expect(await runBatch(client, [before, after])).toEqual([[{ before: 1 }], [{ after: 2 }]])
    }))
  it('is parsed later, when the lock that blocked it is gone', () =>
    connected(async (client) => {
      await client.query(`set lock_timeout = '50ms'`)
      const statements = [sql`select 3 as first`, sql`select name from boxes`]
      await connected(async (migration) => {
        await migration.query('begin')
        await migration.query('lock table boxes')
        await expect(runBatch(client, statements)).rejects.toMatchObject({ code: '55P03' })
        await migration.query('rollback')
      })
      expect(await runBatch(client, statements)).toEqual([[{ first: 3 }], [{ name: 'one' }]])
    }))
})

describe('a migration that changes the columns of prepared statements', () => {
  const all = sql`select * from boxes where id = 1`
  it('does not fail reads', () =>
    opened({ readConnections: 2 }, async ({ read }) => {
      const ask = () => Promise.all([1, 2, 3, 4].map(() => read('titular_app', [all])))
      await ask()
      await database.query('alter table boxes add column colour text')
      for (const [[row] = []] of await ask()) expect(row).toEqual({ id: 1, name: 'one', colour: null })
    }))
  it('does not fail changes, which run again', () =>
    opened({ readConnections: 2 }, async ({ change }) => {
      const ask = () =>
        committed(
          () => {},
          () => change('titular_app', [], async ({ ask: one }) => one(all)),
        )
      await Promise.all([ask(), ask()])
      await database.query('alter table boxes drop column colour')
      for (const rows of await Promise.all([ask(), ask()])) expect(rows).toEqual([{ id: 1, name: 'one' }])
    }))
})

describe('a shard that a cluster splits while a statement waits for it', () => {
  /** Fails once, as Citus does then. */
  const once = sql<{ ok: boolean }>`select planned_for_a_split_shard() as ok`
  beforeEach(() =>
    database.query(`
      create sequence if not exists plans;
      create or replace function planned_for_a_split_shard() returns boolean language plpgsql as $$ begin
        if nextval('plans') % 2 = 1 then
          raise exception 'could not find valid entry for shard 102048' using errcode = 'XX000';
        end if;
        return true;
      end $$`),
  )
  it('does not fail reads', () =>
    opened({ readConnections: 1 }, async ({ read }) => {
      expect(await read('titular_app', [once])).toEqual([[{ ok: true }]])
    }))
  it('does not fail changes, which run again', () =>
    opened({ readConnections: 1 }, async ({ change }) => {
      const changed = committed(
        () => {},
        () => change('titular_app', [], async ({ ask }) => ask(once)),
      )
      expect(await changed).toEqual([{ ok: true }])
    }))
})

describe('reads on a connection whose read waits for a lock', () => {
  it('fail while it waits, and succeed afterwards', () =>
    opened({ readConnections: 1 }, async ({ read }) => {
      await connected(async (migration) => {
        await migration.query('begin')
        await migration.query('lock table boxes')
        const locked = read('titular_app', [sql`select id from boxes`])
        let isAnswered = false
        void locked.finally(() => (isAnswered = true)).catch(() => {})
        await expect(read('titular_app', [sql`select 5 as behind`])).rejects.toThrow(/cannot be reached/)
        expect(isAnswered).toBe(false)
        await migration.query('rollback')
        expect(await locked).toEqual([[{ id: 1 }]])
      })
      expect(await read('titular_app', [sql`select 5 as behind`])).toEqual([[{ behind: 5 }]])
    }))
})

describe('several batches at once on one connection', () => {
  const answer = (n: number) => runBatch(client(), [sql`select ${n}::int as answer`])
  let current: Client | undefined
  const client = (): Client => {
    if (!current) throw new Error('not connected')
    return current
  }
  const together = (work: () => Promise<void>) =>
    connected(async (one) => {
      current = one
      await work()
    })

  it('each get their own rows, in their order', () =>
    together(async () => {
      const numbers = Array.from({ length: 50 }, (_, index) => index)
      expect(await Promise.all(numbers.map(answer))).toEqual(numbers.map((n) => [[{ answer: n }]]))
    }))
  it('do not fail with one that fails, be it new or prepared, first or last', () =>
    together(async () => {
      const failing = () =>
        runBatch(client(), [sql`select 1 / ${0}::int as never`]).catch((error: Error) => error.message)
      const unknown = () => runBatch(client(), [sql`select nothing`]).catch((error: Error) => error.message)
      const round = () =>
        Promise.all([failing(), answer(1), unknown(), answer(2), failing(), failing(), answer(3), unknown()])
      const missing = 'column "nothing" does not exist'
      const zero = 'division by zero'
      const expected = [zero, [[{ answer: 1 }]], missing, [[{ answer: 2 }]], zero, zero, [[{ answer: 3 }]], missing]
      expect(await round()).toEqual(expected)
      expect(await round()).toEqual(expected)
      expect((await client().query('select 4 as after')).rows).toEqual([{ after: 4 }])
    }))
  it('do not fail with a statement of another that cannot be prepared, when both prepare the same one', () =>
    together(async () => {
      const shared = sql`select 6 as shared`
      const results = await Promise.allSettled([
        runBatch(client(), [shared, sql`select nothing`]),
        runBatch(client(), [shared]),
      ])
      expect(results).toMatchObject([{ status: 'rejected' }, { value: [[{ shared: 6 }]] }])
    }))
  it('all fail when PostgreSQL ends the connection right after an error', () =>
    together(async () => {
      client().on('error', () => {})
      client().connection.once('errorMessage', () => {
        client().connection.emit('errorMessage', new DatabaseError('terminating connection', 0, 'error'))
        client().connection.stream.destroy()
      })
      const failing = runBatch(client(), [sql`select 1 / ${0}::int as never`])
      const results = await Promise.allSettled([failing, answer(1), answer(2)])
      expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    }))
  it('all fail when the connection is lost', () =>
    together(async () => {
      client().on('error', () => {})
      const sleeping = runBatch(client(), [sql`select pg_terminate_backend(pg_backend_pid())`])
      const results = await Promise.allSettled([sleeping, answer(1), answer(2)])
      expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
      await expect(answer(3)).rejects.toThrow(/connection|queryable/i)
    }))
})

it('a value that cannot be read fails its batch, not the process', () =>
  connected(async (client) => {
    await expect(runBatch(client, [sql`select '-infinity'::timestamptz as at`])).rejects.toThrow(/column at/)
    expect(await runBatch(client, [sql`select 4 as after`])).toEqual([[{ after: 4 }]])
  }))
