// Data from before entitlements named their product: the migration takes it from the line of the quote.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate, migrationsIn } from '../../../postgres/migrate.ts'
import { emptyDatabase, type TestDatabase } from '#test/harness/database.ts'

const directory = join(import.meta.dirname, '../../../migrations')
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

let database: TestDatabase
beforeAll(async () => void (database = await emptyDatabase()))
afterAll(() => database.drop())

it('gives older entitlements their product, and the stable channel without an end', async () => {
  const names = await migrationsIn(directory)
  const count = names.indexOf('0027-updates')
  await migrate({ ownerUrl: database.url, directory, log, count })
  const lines = JSON.stringify([{ product_id: null }, { product_id: 7 }, { product_id: 8 }])
  await database.query(`
    insert into organizations (id, name) values (1, 'Acme'), (2, 'Other');
    insert into products (id, sku, name, entitlement_class) values (7, 'A', 'Backup', 'PLG'), (8, 'B', 'Backup', 'PLG');
    insert into quotes (id, organization_id, currency, total, subtotal, tax_total, company, line_items, valid_until) values
      (1, 1, 'BRL', '0.00', '0.00', '0.00', 'entity_br', '${lines}', '2027-01-01'),
      (1, 2, 'BRL', '0.00', '0.00', '0.00', 'entity_br', '[{}]', '2027-01-01');
    insert into entitlements (organization_id, code, class, product_name, company, quote_id, quote_line) values
      (1, 'PLG-2026010001', 'PLG', 'Backup', 'entity_br', 1, 0), (1, 'PLG-2026010002', 'PLG', 'Backup', 'entity_br', 1, 1),
      (1, 'PLG-2026010003', 'PLG', 'Renamed', 'entity_br', 1, 2), (1, 'PLG-2026010004', 'PLG', 'Backup', 'entity_br', null, null),
      (2, 'PLG-2026010005', 'PLG', 'Backup', 'entity_br', 1, 0)`)
  await migrate({ ownerUrl: database.url, directory, log, count: count + 1 })
  const found = await database.query(
    'select product_id, updates_until, release_channels from entitlements order by code',
  )
  const given = { updates_until: null, release_channels: ['stable'] }
  expect(found).toEqual([null, 7, 8, null, null].map((product_id) => ({ product_id, ...given })))
})
