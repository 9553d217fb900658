// What was there before there was dunning: invoices that are overdue are left alone, what a subscription renews waits for it.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate, migrationsIn } from '../../../postgres/migrate.ts'
import { emptyDatabase, type TestDatabase } from '#test/harness/database.ts'

const directory = join(import.meta.dirname, '../../../migrations')
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

let database: TestDatabase
beforeAll(async () => void (database = await emptyDatabase()))
afterAll(() => database.drop())

const order = (id: number, status: string, ends: string) =>
  `(${id}, 1, 'O-${id}', 'completed', 'BRL', '0.00', '0.00', '0.00', 'entity_br', '[]', '${status}', 'month', now(), ${ends})`
const invoice = (id: number, status: string) =>
  `(${id}, 1, 'I-${id}', '${status}', '${status === 'paid' ? 'paid' : 'unpaid'}', 'entity_br', 'BRL', '1.00', '[]', '2026-01-01',
    '2026-01-08', ${id}, '2026-01-01T00:00Z', '2026-02-01T00:00Z')`
const entitlement = (id: number, end: string) =>
  `(${id}, 1, 'PLG-202601000${id}', 'PLG', 'A', 'entity_br', ${id}, 'active', '${end}')`

it('begins today where there are invoices, and marks what the next payment would extend', async () => {
  const count = (await migrationsIn(directory)).indexOf('0051-dunning')
  await migrate({ ownerUrl: database.url, directory, log, count })
  await database.query(`
    insert into organizations (id, name) values (1, 'Acme');
    insert into orders (id, organization_id, number, status, currency, total, subtotal, tax_total, company, line_items,
                        subscription_status, subscription_interval, subscription_requested_at, subscription_ends_at) values
      ${order(1, 'active', 'null')}, ${order(2, 'canceled', 'null')}, ${order(3, 'active', `'2026-02-01T00:00Z'`)}, ${order(4, 'active', 'null')};
    insert into invoices (id, organization_id, number, status, payment_status, company, currency, total, line_items, issue_date,
                          due_date, order_id, period_start, period_end) values
      ${[1, 2, 3, 4].map((id) => invoice(id, 'paid')).join()};
    insert into invoices (id, organization_id, number, status, company, currency, total, line_items, issue_date, due_date) values
      (5, 1, 'I-5', 'open', 'entity_br', 'BRL', '1.00', '[]', '2026-01-01', '2026-01-08');
    insert into entitlements (id, organization_id, code, class, product_name, company, order_id, status, expires_at) values
      ${entitlement(1, '2026-02-01T00:00:05Z')}, ${entitlement(2, '2026-02-01T00:00Z')}, ${entitlement(3, '2026-02-01T00:00Z')},
      ${entitlement(4, '2026-12-01T00:00Z')};
    insert into licenses (id, organization_id, license_key, product_name, entitlement_id, entitlement_code, activations_limit, expires_at)
      values (1, 1, 'A', 'A', 1, 'PLG-2026010001', 1, '2026-02-01T00:00:05Z'), (2, 1, 'B', 'A', 1, 'PLG-2026010001', 1, '2026-01-15T00:00Z')`)
  await migrate({ ownerUrl: database.url, directory, log, count: count + 1 })
  expect(await database.query('select id, renews from entitlements order by id')).toEqual([
    { id: 1, renews: true },
    { id: 2, renews: false },
    { id: 3, renews: false },
    { id: 4, renews: false },
  ])
  expect(await database.query('select renews from licenses order by id')).toEqual([{ renews: true }, { renews: false }])
  expect(await database.query('select invoice_id from dunning_cases')).toEqual([{ invoice_id: 5 }])
  const starts = await database.query('select starts_on = current_date as today from dunning_schedules')
  expect(starts).toEqual([{ today: true }, { today: true }])
})
