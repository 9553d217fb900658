// Data from before accounts had sums: the migration writes the statement of what was earned, and opens missing accounts.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate, migrationsIn } from '../../../postgres/migrate.ts'
import { emptyDatabase, type TestDatabase } from '#test/harness/database.ts'

const directory = join(import.meta.dirname, '../../../migrations')
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

let database: TestDatabase
beforeAll(async () => void (database = await emptyDatabase()))
afterAll(() => database.drop())

it('keeps what was earned in the account’s currency, and gives each AFL entitlement an account', async () => {
  const count = (await migrationsIn(directory)).indexOf('0031-affiliate-accounts')
  await migrate({ ownerUrl: database.url, directory, log, count })
  await database.query(`
    insert into organizations (id, name) values (1, 'Partner');
    insert into entitlements (organization_id, id, code, class, product_name, company, status) values
      (1, 1, 'AFL-2026110001', 'AFL', 'Partner', 'entity_br', 'active'),
      (1, 2, 'AFL-2026110002', 'AFL', 'By hand', 'entity_global', 'suspended'),
      (1, 3, 'AFL-2026110003', 'AFL', 'Gone', 'entity_br', 'cancelled'),
      (1, 4, 'PLG-2026110001', 'PLG', 'Backup', 'entity_br', 'active');
    insert into affiliates (organization_id, id, code, entitlement_id, commission_rate, currency)
      values (1, 100, 'AFL-2026110001', 1, 10, 'BRL');
    insert into commissions (organization_id, affiliate_id, payment_id, status, rate, currency, amount, paid_on, earns_at) values
      (1, 100, 1, 'earned', 10, 'BRL', 12.50, '2026-01-01', '2026-02-02T12:00:00Z'),
      (1, 100, 2, 'earned', 10, 'BRL', 7.50, '2026-01-01', '2026-02-01T12:00:00Z'),
      (1, 100, 3, 'earned', 10, 'USD', 99.00, '2026-01-01', '2026-02-01T12:00:00Z'),
      (1, 100, 4, 'pending', 10, 'BRL', 50.00, '2026-01-01', '2026-02-01T12:00:00Z'),
      (1, 100, 5, 'reversed', 10, 'BRL', 0.00, '2026-01-01', '2026-02-01T12:00:00Z')`)

  await migrate({ ownerUrl: database.url, directory, log, count: count + 1 })
  const columns = 'code, status, company, currency, earned, paid_out, balance, available, suspended_with_entitlement'
  const none = { earned: '0.00', paid_out: '0.00', balance: '0.00', available: '0.00' }
  const all = { earned: '20.00', paid_out: '0.00', balance: '20.00', available: '20.00' }
  const follows = { suspended_with_entitlement: false }
  expect(await database.query(`select ${columns} from affiliates order by code`)).toEqual([
    { code: 'AFL-2026110001', status: 'active', company: 'entity_br', currency: 'BRL', ...all, ...follows },
    {
      code: 'AFL-2026110002',
      status: 'suspended',
      company: 'entity_global',
      currency: 'USD',
      ...none,
      suspended_with_entitlement: true,
    },
    { code: 'AFL-2026110003', status: 'closed', company: 'entity_br', currency: 'BRL', ...none, ...follows },
  ])
  expect(await database.query('select kind, amount, balance, date from affiliate_entries order by id')).toEqual([
    { kind: 'earned', amount: '7.50', balance: '7.50', date: '2026-02-01' },
    { kind: 'earned', amount: '12.50', balance: '20.00', date: '2026-02-02' },
  ])
})
