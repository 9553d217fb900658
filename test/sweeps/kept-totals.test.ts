// A total may be kept until the organization changes (kernel/data/lists/kept-totals.ts) only when nothing else changes it: the
// tables of such lists are written by changes.ts alone, and what a caller sees of them depends on staff or not at most.
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { prepare } from '#kernel/values/sql.ts'
import { queriesOf } from './list-filters.ts'
import { lists, listScene, type ListScene, planOf, tableOf } from './lists.ts'

const ROOT = join(import.meta.dirname, '../..')
const WRITE = /\b(?:insert into|update|delete from|merge into|truncate)\s+(\w+|\$\{)/g

/** They write the tables that they are given: any table, with a raised sequence; and histories. */
const OF_GIVEN_TABLES = [
  'src/kernel/data/audit/history.ts',
  'src/kernel/data/postgres-store.ts',
  // Clears names of erased people, by which no list is counted.
  'src/modules/operations/privacy/personal-data.ts',
]

let scene: ListScene
let kept: { path: string; text: string; tables: string[]; keptFor: number }[]
beforeAll(async () => {
  scene = await listScene()
  kept = []
  for (const route of lists.filter((one) => tableOf(scene, one) !== null))
    for (const query of [{}, { search: 'a' }, ...(await queriesOf(scene, route)).map((one) => one.query)]) {
      const { total, keptFor } = planOf(scene, route, query)
      const { text } = prepare(total)
      const tables = [...text.matchAll(/\b(?:from|join) (\w+)/g)].map(([, name = '']) => name)
      if (keptFor !== undefined) kept.push({ path: route.path, text, tables, keptFor })
    }
})
afterAll(() => scene.app.close())

/** By file: the tables that it writes, `${` for one that it is given. */
async function written(): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for await (const path of glob('src/{kernel,http,modules,commands,adapters,pages}/**/*.ts', { cwd: ROOT })) {
    if (path.endsWith('.test.ts')) continue
    const tables = [...(await readFile(join(ROOT, path), 'utf8')).matchAll(WRITE)].map(([, name = '']) => name)
    if (tables.length > 0) found.set(path, tables)
  }
  return found
}

describe('a total that is kept', () => {
  it('is found', () => expect(new Set(kept.map(({ path }) => path)).size).toBeGreaterThan(10))

  it('is of the organization that asks', () => {
    expect(kept.filter(({ keptFor }) => keptFor !== scene.acme.id)).toEqual([])
  })

  it('counts tables that only changes.ts writes', async () => {
    const writes = await written()
    const ofGiven = [...writes].filter(([, tables]) => tables.includes('${')).map(([path]) => path)
    expect(ofGiven.toSorted()).toEqual(OF_GIVEN_TABLES)
    const elsewhere = new Set([...writes.values()].flat())
    const wrong = kept.flatMap(({ path, tables }) =>
      tables.filter((table) => elsewhere.has(table) || table.endsWith('_history')).map((table) => `${path}: ${table}`),
    )
    expect(wrong).toEqual([])
  })

  // What distributing makes of the policies, src/postgres/citus/policies.test.ts looks at.
  it.skipIf(inject('postgres').isDistributed)(
    'depends on the organization, on staff and on the sight of tickets, not on anything else about the caller, and not on the time',
    async () => {
      const tables = [...new Set(kept.flatMap((list) => list.tables))]
      const policies = await scene.app.database.query<{ table: string; rule: string }>(
        `select tablename as table, qual as rule from pg_policies where tablename = any($1) and 'titular_app' = any(roles)`,
        [tables],
      )
      expect(new Set(policies.map(({ table }) => table))).toEqual(new Set(tables))
      const settings = policies.flatMap(({ rule }) => {
        const named = [...rule.matchAll(/'(app\.\w+)'/g)].map(([, name]) => name)
        return named.includes('app.ticket_visibility') ? named.filter((name) => name !== 'app.user_id') : named
      })
      const known = ['app.organization_id', 'app.staff', 'app.ticket_visibility']
      expect(settings.filter((name) => !known.includes(name ?? ''))).toEqual([])
      const rules = [...policies.map(({ rule }) => rule), ...kept.map(({ text }) => text)]
      expect(rules.filter((rule) => /\bnow\(|current_(?:time|date)/.test(rule))).toEqual([])
      expect(kept.filter(({ text }) => text.includes('current_setting'))).toEqual([])
    },
  )
})
