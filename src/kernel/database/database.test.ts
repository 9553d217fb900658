// A transaction whose connection is lost while no statement runs on it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneDatabase, loginsTo, type TestDatabase } from '#test/harness/database.ts'
import { until } from '#test/harness/until.ts'
import { openDatabase } from './database.ts'
import { sql } from '#kernel/values/sql.ts'

let database: TestDatabase
beforeAll(async () => void (database = await cloneDatabase()))
afterAll(() => database.drop())

describe('a connection that is lost inside a transaction', () => {
  it('fails that transaction only: the process lives on, and the next transaction succeeds', async () => {
    const own = openDatabase({
      logins: () => loginsTo(database.url),
      readConnections: 1,
      changeConnections: 1,
      onError: () => {},
    })
    const pid = sql<{ pid: number }>`select pg_backend_pid() as pid`
    const lost = own.change('titular_app', [], async ({ ask }) => {
      const [backend] = await ask(pid)
      await database.query('select pg_terminate_backend($1::int)', [backend?.pid])
      // No statement is running, so only the connection itself reports the loss.
      await until(
        () => database.query('select 1 from pg_stat_activity where pid = $1', [backend?.pid]),
        (rows) => rows.length === 0,
      )
      return ask(pid)
    })
    await expect(lost).rejects.toThrow(/connection/i)
    await expect(own.change('titular_app', [], ({ ask }) => ask(pid))).resolves.toHaveLength(1)
    await own.close()
  })
})
