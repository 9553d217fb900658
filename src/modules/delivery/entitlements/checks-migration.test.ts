// Data from before entitlements had a quantity and the time of their status: the migration takes them from the line that
// was sold, and from the audit log.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate, migrationsIn } from '../../../postgres/migrate.ts'
import { emptyDatabase, type TestDatabase } from '#test/harness/database.ts'

const directory = join(import.meta.dirname, '../../../migrations')
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

let database: TestDatabase
beforeAll(async () => void (database = await emptyDatabase()))
afterAll(() => database.drop())

const since = (day: string) => ({ features: [], status_reason_code: null, status_since: `${day}T00:00:00.000Z` })

it('gives older entitlements the quantity of their line and the time of their last change of status', async () => {
  const names = await migrationsIn(directory)
  const count = names.indexOf('0048-entitlement-checks')
  await migrate({ ownerUrl: database.url, directory, log, count })
  const lines = JSON.stringify([{ quantity: 5 }, { quantity: 1 }, {}])
  await database.query(`
    insert into organizations (id, name) values (1, 'Acme'), (2, 'Other');
    insert into orders (id, organization_id, number, status, currency, total, subtotal, tax_total, company, line_items) values
      (1, 1, 'O-1', 'completed', 'BRL', '0.00', '0.00', '0.00', 'entity_br', '${lines}'),
      (1, 2, 'O-2', 'completed', 'BRL', '0.00', '0.00', '0.00', 'entity_br', '[{"quantity": 9}]');
    insert into entitlements (id, organization_id, code, class, product_name, company, order_id, quote_line, status, created_at) values
      (1, 1, 'PLG-2026010001', 'PLG', 'A', 'entity_br', 1, 0, 'active', '2026-01-01T00:00Z'),
      (2, 1, 'PLG-2026010002', 'PLG', 'B', 'entity_br', 1, 1, 'expired', '2026-01-01T00:00Z'),
      (3, 1, 'PLG-2026010003', 'PLG', 'C', 'entity_br', 1, 2, 'suspended', '2026-01-01T00:00Z'),
      (4, 1, 'PLG-2026010004', 'PLG', 'D', 'entity_br', null, null, 'active', '2026-01-01T00:00Z'),
      (1, 2, 'PLG-2026010005', 'PLG', 'E', 'entity_br', 1, 0, 'active', '2026-01-01T00:00Z');
    insert into audit_log (organization_id, at, actor_kind, actor, action, resource, resource_id, after, request_id) values
      (1, '2026-02-01T00:00Z', 'user', 'x', 'suspended', 'entitlement', 3, '{"status": "suspended"}', 'r'),
      (1, '2026-03-01T00:00Z', 'user', 'x', 'suspended', 'entitlement', 3, '{"status": "suspended"}', 'r'),
      (1, '2026-04-01T00:00Z', 'user', 'x', 'updated', 'entitlement', 3, '{"metadata": "{}"}', 'r'),
      (1, '2026-05-01T00:00Z', 'user', 'x', 'voided', 'invoice', 3, '{"status": "void"}', 'r'),
      (2, '2026-05-01T00:00Z', 'user', 'x', 'suspended', 'entitlement', 3, '{"status": "suspended"}', 'r')`)
  await migrate({ ownerUrl: database.url, directory, log, count: count + 1 })
  const found = await database.query(
    'select quantity, features, status_reason_code, status_since from entitlements order by code',
  )
  expect(JSON.parse(JSON.stringify(found))).toEqual([
    { ...since('2026-01-01'), quantity: 5 },
    { ...since('2026-01-01'), quantity: 1 },
    { ...since('2026-03-01'), quantity: 1 },
    { ...since('2026-01-01'), quantity: 1 },
    { ...since('2026-01-01'), quantity: 9 },
  ])
})
