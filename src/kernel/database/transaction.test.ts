// Which statements of a transaction travel together, and what a failure among them undoes.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cloneDatabase, loginsTo, type TestDatabase } from '#test/harness/database.ts'
import { type Statement, prepare, sql } from '#kernel/values/sql.ts'
import { type Database, openDatabase } from './database.ts'
import { groupsOver, runTransaction, type Transaction } from './transaction.ts'

let test: TestDatabase
let database: Database
beforeAll(async () => {
  test = await cloneDatabase()
  const logins = () => loginsTo(test.url)
  database = openDatabase({ logins, readConnections: 1, changeConnections: 1, onError: () => {} })
  await test.query('create table probe (n int primary key)')
})
afterAll(async () => {
  await database.close()
  await test.drop()
})
beforeEach(async () => void (await test.query('delete from probe')))

const put = (n: number) => sql<{ n: number }>`insert into probe (n) values (${n}) returning n`
const kept = async () => (await test.query<{ n: number }>('select n from probe order by n')).map(({ n }) => n)
const change = <Result>(work: (transaction: Transaction) => Promise<Result>) => database.change('titular_app', [], work)

/** The groups in which a transaction sends its statements, by their first words. */
async function groupsOf(work: (transaction: Transaction) => Promise<unknown>): Promise<string[][]> {
  const groups: string[][] = []
  const run = async (statements: readonly Statement[]) => {
    groups.push(statements.map((one) => prepare(one).text.slice(0, 6).trim()))
    return statements.map(() => [])
  }
  await runTransaction({ ...groupsOver(run), rollback: async () => {} }, [], work).catch(() => {})
  return groups
}
const [a, b, c] = [sql`A`, sql`B`, sql`C`]

describe('the statements of a transaction', () => {
  it('travel alone when one waits for the other, together when they are asked for at once', async () => {
    const groups = await groupsOf(async ({ ask }) => {
      await ask(a)
      await Promise.all([ask(b), ask(c)])
    })
    expect(groups).toEqual([['begin', 'set lo'], ['A'], ['B', 'C'], ['commit']])
  })
  it('travel with the next one, at the latest with COMMIT, when nobody needs their rows', async () => {
    const groups = await groupsOf(async ({ ask, write }) => {
      write(a)
      await ask(b)
      write(c)
    })
    expect(groups).toEqual([
      ['begin', 'set lo'],
      ['A', 'B'],
      ['C', 'commit'],
    ])
  })
  it('give their rows in the order in which they were asked for', async () => {
    const rows = await change(({ ask }) => Promise.all([ask(put(2)), ask(put(1)), ask(sql`select 3 as n`)]))
    expect(rows).toEqual([[{ n: 2 }], [{ n: 1 }], [{ n: 3 }]])
    expect(await kept()).toEqual([1, 2])
  })
})

describe('a failure', () => {
  const twice = /duplicate key/
  it('undoes all, also when it is one of a group', async () => {
    const both = change(async ({ ask }) => {
      await ask(put(1))
      await Promise.all([ask(put(2)), ask(put(1)), ask(put(3))])
    })
    await expect(both).rejects.toThrow(twice)
    expect(await kept()).toEqual([])
  })
  it('of a statement whose rows nobody needs is that of the next one, or of the commit', async () => {
    const next = change(async ({ ask, write }) => {
      write(put(1))
      write(put(1))
      await ask(put(2))
    })
    await expect(next).rejects.toThrow(twice)
    const last = change(async ({ ask, write }) => {
      await ask(put(1))
      write(put(1))
    })
    await expect(last).rejects.toThrow(twice)
    expect(await kept()).toEqual([])
  })
  it('that the code swallows is thrown at the commit', async () => {
    const swallowed = change(async ({ ask }) => {
      await ask(put(1))
      await ask(put(1)).catch(() => {})
    })
    await expect(swallowed).rejects.toThrow(twice)
    expect(await kept()).toEqual([])
  })
  it('of one branch ends the others: what they ask afterwards is not sent', async () => {
    const later: unknown[] = []
    const branch = async ({ ask }: Transaction) => {
      await ask(put(1))
      await ask(put(2)).catch((error: Error) => later.push(error.message))
    }
    const refused = change((one) => Promise.all([branch(one), Promise.reject(new Error('refused'))]))
    await expect(refused).rejects.toThrow('refused')
    await change(({ ask }) => ask(put(3)))
    expect(await kept()).toEqual([3])
    expect(later).toEqual(['the transaction has ended'])
  })
  it('of the code drops what was not sent yet, and the connection serves the next transaction', async () => {
    const refused = change(async ({ ask, write }) => {
      await ask(put(1))
      write(put(2))
      throw new Error('refused')
    })
    await expect(refused).rejects.toThrow('refused')
    await change(({ ask }) => ask(put(3)))
    expect(await kept()).toEqual([3])
  })
})
