// Rows that are kept for a time that a setting gives: dead letters, and the reports of imports.
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { until } from '#test/harness/until.ts'
import { appOfFile } from '#test/harness/app.ts'
import { createRecords } from '#test/scenes/records.ts'

const DAY_MS = 86_400_000

const app = await appOfFile({ environment: { DEAD_LETTER_DAYS: '30', IMPORT_ROWS_DAYS: '30' } })
await createRecords(app, await app.world.organization())

/** Just in time, and a millisecond later. */
const moments = (): Date[] => [0, 1].map((ms) => new Date(app.clock.now.getTime() - 30 * DAY_MS - ms))

async function run(kind: string): Promise<void> {
  await app.database.query(`delete from jobs where kind = $1`, [kind])
  await app.database.query(`insert into jobs (kind, run_at) values ($1, $2)`, [kind, app.clock.now])
  await app.service.worker.drain()
}

describe('DEAD_LETTER_DAYS', () => {
  it('keeps a dead letter to the end of the last day, and any number of older ones not', async () => {
    const [kept, old] = moments()
    await app.database.query(
      `insert into jobs (kind, payload, dead_at, last_error)
       select 'probe/old', jsonb_build_object('n', n), case when n = 0 then $1::timestamptz else $2 end, 'x' from generate_series(0, 2500) n`,
      [kept, old],
    )
    await run('admin/remove-dead-letters')
    expect(await app.database.query(`select payload ->> 'n' as n from jobs where kind = 'probe/old'`)).toEqual([
      { n: '0' },
    ])
  })
})

describe('a dead letter that staff restart while it is removed', () => {
  it('is left', async () => {
    const [, old] = moments()
    const [letter] = await app.database.query<{ id: number }>(
      `insert into jobs (kind, dead_at, last_error) values ('probe/restarted', $1, 'x') returning id`,
      [old],
    )
    const restarting = new Client({ connectionString: app.database.url })
    await restarting.connect()
    try {
      await restarting.query('begin')
      await restarting.query(`update jobs set dead_at = null, run_at = 'infinity' where id = $1`, [letter?.id])
      const removal = run('admin/remove-dead-letters')
      const waits = () =>
        app.database.query(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        )
      await until(waits, ({ length }) => length === 1)
      await restarting.query('commit')
      await removal
    } finally {
      await restarting.end()
    }
    expect(await app.database.query(`select 1 from jobs where id = $1`, [letter?.id])).toHaveLength(1)
  })
})

describe('IMPORT_ROWS_DAYS', () => {
  it('removes the lines of an old import; its counts and what it created stay', async () => {
    const [kept, old] = moments()
    const lines = () => app.database.query<{ n: number }>('select count(*)::int as n from import_rows')
    const [before] = await lines()
    expect(before?.n).toBeGreaterThan(0)
    for (const [at, left] of [
      [kept, before?.n],
      [old, 0],
    ] as const) {
      await app.database.query('update imports set ended_at = $1', [at])
      await run('imports/remove-rows')
      expect(await lines()).toEqual([{ n: left }])
    }
    expect(await app.database.query('select created::int from imports')).toEqual([{ created: 1 }])
    expect(await app.database.query('select kind from imported_records')).toHaveLength(1)
  })
})
