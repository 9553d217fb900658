// Reads of many organizations at once on few connections, with failures of all kinds among them: each gets its own rows or
// its own error. One that nobody answers would be refused as `cannot be reached`, which counts as wrong.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneDatabase, loginsTo, type TestDatabase } from '#test/harness/database.ts'
import { type Statement, raw, sql } from '#kernel/values/sql.ts'
import { type Database, openDatabase } from './database.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await cloneDatabase()
  await test.query('create table boxes (name text)')
  await test.query(`insert into boxes values ('one')`)
})
afterAll(() => test.drop())

const ROUNDS = 20
const MOST_AT_ONCE = 60

/** The same numbers in each run, so that a failure can be repeated. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Expected = { rows: unknown[] } | { error: string }
type Asked = [statements: Statement[], expected: Expected]

const circular: Record<string, unknown> = {}
circular['self'] = circular
const times = (count: number, row: unknown) => Array.from({ length: count }, () => row)

/** What the organization `n` asks; the rows are those of the first statement. */
const kinds: ((n: number) => Asked)[] = [
  (n) => [[sql`select ${n}::int as own where false`], { rows: [] }],
  (n) => [[sql`select ${n}::int as own from generate_series(1, ${n % 40}::int)`], { rows: times(n % 40, { own: n }) }],
  () => [[sql`do $$ begin perform 1; end $$`], { rows: [] }],
  (n) => [[sql`select ${n}::int as own from pg_sleep(${(n % 5) / 1000})`], { rows: [{ own: n }] }],
  (n) => [[sql`select repeat('x', 200000 + ${n}::int) as own`], { rows: [{ own: 'x'.repeat(200_000 + n) }] }],
  () => [[sql`select * from boxes`], { rows: [expect.objectContaining({ name: 'one' })] }],
  (n) => [[sql`select ${n}::int / 0 as own`], { error: 'division by zero' }],
  (n) => [[sql`select ${`of_${n}`}::text::regclass as own`], { error: `"of_${n}"` }],
  (n) => [[sql`select 1 / (${n % 20}::int - i) from generate_series(0, 20) i`], { error: 'division by zero' }],
  (n) => [[sql`select ${raw(`missing_${n % 50}`)}`], { error: `"missing_${n % 50}"` }],
  () => [[sql`select ${circular}::jsonb as own`], { error: 'circular' }],
  () => [[sql`select '-infinity'::timestamptz as at`], { error: 'the column at cannot be read' }],
  () => [[sql`set local statement_timeout = 20`, sql`select pg_sleep(1)`], { error: 'canceling statement' }],
]
const usual = (n: number): Asked => [[sql`select ${n}::int as own`], { rows: [{ own: n }] }]

const LOST = /terminat|not queryable|ECONNRESET|EPIPE/

/** What is wrong with the answer to organization `n`; nothing when it is its own. */
async function wrongWith({ read }: Database, n: number, [statements, expected]: Asked): Promise<string[]> {
  const org = String(n)
  const before = sql`select set_config('app.organization_id', ${org}, true) as org`
  const after = sql`select current_setting('app.organization_id') as org`
  const answer = await read('titular_app', [before, ...statements, after]).catch((error: Error) => error.message)
  if (typeof answer === 'string')
    return LOST.test(answer) || ('error' in expected && answer.includes(expected.error)) ? [] : [`${org}: ${answer}`]
  const rows = 'rows' in expected ? expected.rows : []
  try {
    expect(answer).toEqual([[{ org }], rows, [{ org }]])
    return []
  } catch (error) {
    return [`${org}: ${String(error)}`]
  }
}

type Between = (random: (below: number) => number) => Promise<unknown>

const logins = () => loginsTo(test.url)

/** What is wrong with the answers to rounds of reads, during each of which `between` runs. */
async function wrongAnswers(connections: number, between: Between): Promise<string[]> {
  const options = { logins, readConnections: connections, changeConnections: 1, onError: () => {} }
  const database = openDatabase(options)
  const random = randomFrom(connections)
  let n = 0
  const one = async (): Promise<string[]> => {
    const own = ++n
    const kind = random(3) === 0 ? usual : (kinds[random(kinds.length)] ?? usual)
    if (random(2) === 0) await sleep(random(8))
    return wrongWith(database, own, kind(own))
  }
  const wrong: string[] = []
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const all = Promise.all(Array.from({ length: 1 + random(MOST_AT_ONCE) }, one))
      await between(random)
      wrong.push(...(await all).flat())
    }
    return wrong
  } finally {
    await database.close()
  }
}

describe('reads at once', () => {
  it.each([1, 4])('get their own answers on %i connections, while a migration changes a table', async (connections) => {
    const wrong = await wrongAnswers(connections, async (random) => {
      if (random(5) === 0) await test.query('alter table boxes add column if not exists colour text')
      else if (random(4) === 0) await test.query('alter table boxes drop column if exists colour')
    })
    expect(wrong).toEqual([])
  })
  it.each([1, 3])('get their own answers or none on %i connections that are lost', async (connections) => {
    const wrong = await wrongAnswers(connections, async (random) => {
      await sleep(random(10))
      if (random(2) === 0)
        await test.query(`select pg_terminate_backend(pid) from pg_stat_activity
                           where datname = current_database() and application_name = 'titular_app' and random() < 0.7`)
    })
    expect(wrong).toEqual([])
  })
})
