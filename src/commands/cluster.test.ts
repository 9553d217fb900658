// The commands about a cluster, on a server that is none; those on a cluster are in postgres/citus/cluster.test.ts.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { readDatabaseConfig } from '#config/config.ts'
import { cloneDatabase, type TestDatabase } from '#test/harness/database.ts'
import { doctorCommand, moveCommand } from './cluster.ts'
import { createConsole } from './console.ts'

let database: TestDatabase
beforeAll(async () => void (database = await cloneDatabase()))
afterAll(() => database.drop())

const options = () => ({
  config: readDatabaseConfig({ DATABASE_URL: database.url }),
  console: createConsole('silent'),
})
async function doctor(isJson: boolean): Promise<string[]> {
  const lines: string[] = []
  const isWell = await doctorCommand({ ...options(), isJson, print: (line) => void lines.push(line) })
  expect(isWell).toBe(true)
  return lines
}

describe.skipIf(inject('postgres').isDistributed)('on one server', () => {
  it('doctor names each table with its size, and finds no problem', async () => {
    const lines = await doctor(false)
    expect(lines[0]).toBe('On one server.')
    expect(lines).toContainEqual(expect.stringMatching(/^invoices +server +\d+ kB$/))
    expect(lines.at(-1)).toBe('No problems found.')
  })
  it('doctor --json says the same in one object', async () => {
    const [line = '', ...others] = await doctor(true)
    expect(others).toEqual([])
    const tables = await database.query(`select 1 from pg_tables where schemaname = 'public'`)
    expect(JSON.parse(line)).toMatchObject({ citus: false, distributed: false, nodes: [], lostKeys: [], problems: [] })
    expect(JSON.parse(line).tables).toHaveLength(tables.length)
  })
  it.each([
    ['x', 'node:5432', 'x is no id of an organization.'],
    ['1', 'node', 'node is no node: give it as host:port.'],
    ['1', 'node:5432', 'The database is no Citus cluster.'],
  ])('organizations move %s --to %s is refused', async (id, to, message) => {
    await expect(moveCommand({ ...options(), id, to, isAlone: false })).rejects.toThrow(message)
  })
})
