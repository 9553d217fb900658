// All histories have the same last path segment and the same shape.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../src/modules.ts'
import { ChangedBy } from '#kernel/data/audit/history.ts'
import { migrate, migrationsIn } from '../../src/postgres/migrate.ts'
import { emptyDatabase, type TestDatabase } from '#test/harness/database.ts'
import { key } from './sweep.ts'

const shapeOf = (schema: unknown) => (schema as { properties?: Record<string, unknown> } | undefined)?.properties ?? {}
const isHistory = (schema: unknown) => 'to_status' in shapeOf(schema) && 'from_status' in shapeOf(schema)

describe('histories', () => {
  it('are the lists at /history, and no others are', () => {
    const histories = routes.filter(({ page }) => isHistory(page)).map(key)
    expect(histories).toEqual(routes.filter(({ path }) => path.endsWith('/history')).map(key))
    expect(histories.length).toBeGreaterThan(4)
    expect(routes.filter(({ path }) => /timeline|log$/.test(path)).map(({ path }) => path)).toEqual([
      '/audit-log',
      '/admin/audit-log',
    ])
  })
  it('have the same fields: from, to, when, by whom and why', () => {
    for (const { page, ...route } of routes.filter((one) => isHistory(one.page))) {
      expect(Object.keys(shapeOf(page)), key(route as never)).toEqual(
        expect.arrayContaining(['id', 'from_status', 'to_status', 'note', ...Object.keys(ChangedBy)]),
      )
      for (const [name, schema] of Object.entries(ChangedBy)) expect(shapeOf(page)[name]).toEqual(schema)
      const others = Object.keys(shapeOf(page)).filter((name) => ['at', 'by', 'from', 'to', 'actor'].includes(name))
      expect(others).toEqual([])
    }
  })
})

describe('histories that were written before they had one shape', () => {
  const directory = join(import.meta.dirname, '../../migrations')
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  let database: TestDatabase
  beforeAll(async () => void (database = await emptyDatabase()))
  afterAll(() => database.drop())

  it('keep the user: the id from the audit log where only the name was stored, the name where only the id was', async () => {
    const before = (await migrationsIn(directory)).indexOf('0022-histories')
    const ownerUrl = database.url
    await migrate({ ownerUrl, directory, log, count: before })
    const at = '2026-01-02T03:04:05.678Z'
    await database.query(`
      insert into users (id, email, name, login) values (7, 'ana@acme.example', 'Ana', 'ana');
      insert into organizations (id, name, owner_id) values (1, 'Acme', 7);
      insert into entitlements (organization_id, id, code, class, product_name, company)
        values (1, 1, 'ENV-2026010001', 'ENV', 'Campus', 'entity_br');
      insert into environments (organization_id, id, name, platform, environment_type, entitlement_id, entitlement_code)
        values (1, 1, 'Campus', 'moodle', 'production', 1, 'ENV-2026010001');
      insert into environment_history (organization_id, environment_id, from_status, to_status, at, by) values
        (1, 1, null, 'provisioning', '2026-01-01T00:00:00Z', 'system'), (1, 1, 'provisioning', 'active', '${at}', 'Ana');
      insert into audit_log (organization_id, at, actor_kind, actor_id, actor, action, resource, resource_id, after, request_id)
        values (1, '${at}', 'user', 7, 'Ana', 'active', 'environment', 1, '{"status":"active"}', 'r');
      insert into tickets (organization_id, id, number, title, entitlement_id, entitlement_code)
        values (1, 1, 'SR-20260001', 'Slow', 1, 'ENV-2026010001');
      insert into ticket_history (organization_id, ticket_id, to_status, changed_at, changed_by) values
        (1, 1, 'open', '${at}', 7), (1, 1, 'closed', '${at}', null);`)
    await migrate({ ownerUrl, directory, log, count: before + 1 })
    const of = (table: string) =>
      database.query(
        `select to_status, changed_by, changed_by_name from ${table} where organization_id = 1 order by id`,
      )
    expect(await of('environment_history')).toEqual([
      { to_status: 'provisioning', changed_by: null, changed_by_name: 'system' },
      { to_status: 'active', changed_by: 7, changed_by_name: 'Ana' },
    ])
    expect(await of('ticket_history')).toEqual([
      { to_status: 'open', changed_by: 7, changed_by_name: 'Ana' },
      { to_status: 'closed', changed_by: null, changed_by_name: 'system' },
    ])
  })
})
