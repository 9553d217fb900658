import { describe, expect, it } from 'vitest'
import { prepare, type Statement, sql } from '#kernel/values/sql.ts'
import { createCitusStore } from './store.ts'

const store = createCitusStore(null)
const texts = (statements: readonly Statement[]) => statements.map((statement) => prepare(statement).text)

describe('on a cluster', () => {
  it('the lock of an organization travels alone, and one of several says that its commit may be between its phases', () => {
    const [lock, ...others] = texts(store.locking(7, [sql`select 1`]))
    expect(lock).toContain('pg_advisory_xact_lock(organization_id)')
    expect(others).toEqual([])
    expect(texts(store.entering(7))).toEqual([lock, 'select pg_advisory_xact_lock_shared(-$1::bigint)'])
  })
  it('a job is claimed once the commit that enqueued it is complete', () => {
    expect(texts([store.ifComplete(sql`j.key is null`)])).toEqual([
      'case when j.key is null then j.organization_id is null or pg_try_advisory_xact_lock(-j.organization_id) end',
    ])
  })
  it('codes are counted after what is wanted was read, and not at all where nothing is wanted', async () => {
    const asked: string[] = []
    const io = (found: unknown[]) => ({
      now: new Date('2026-11-05T00:00:00Z'),
      read: async (statement: Statement) => {
        asked.push(...texts([statement]))
        return (asked.length === 1 ? found : [{ prefix: 'PLG', sequence: 3 }]) as never[]
      },
    })
    const wanted = sql<{ prefix: string; nth: number }>`select prefix, nth from chosen`
    expect(await store.allocateCodes(io([{ prefix: 'PLG' }]), wanted, sql`false`)).toEqual(['PLG-2026110003'])
    expect(asked).toEqual([
      'select w.prefix from (select prefix, nth from chosen) w order by w.nth',
      expect.stringContaining('insert into code_counters'),
    ])
    asked.splice(0)
    expect(await store.allocateCodes(io([]), wanted, sql`false`)).toEqual([])
    expect(asked).toHaveLength(1)
  })
  it('no total is kept', () => {
    const plan = { kind: 'page', keptFor: 7, rows: sql`select 1`, total: sql`select 2` } as never
    store.totals.keep(plan, { total: 1_000_000 })
    expect(texts(store.totals.statementsOf(plan))).toEqual(['select 1', 'select 2'])
  })
})
