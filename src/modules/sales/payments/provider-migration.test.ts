// Data from before ids had a provider: the migration tells the provider by the form of the id, and waiting jobs
// continue.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { jobs } from '../../../modules.ts'
import { migrate, migrationsIn } from '../../../postgres/migrate.ts'
import { emptyDatabase, type TestDatabase } from '#test/harness/database.ts'

const directory = join(import.meta.dirname, '../../../migrations')
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const OF_SANDBOX = '0123456789abcdef01234567'

let database: TestDatabase
beforeAll(async () => void (database = await emptyDatabase()))
afterAll(() => database.drop())

it('keeps references, customers, events and jobs of the previous version', async () => {
  const count = (await migrationsIn(directory)).indexOf('0023-payment-providers')
  await migrate({ ownerUrl: database.url, directory, log, count })
  await database.query(`
    insert into organizations (id, name, payment_customer_id_br, payment_customer_id_global)
      values (1, 'Acme', 'cus_${OF_SANDBOX}', 'cus_NffrFeUfNV2Hib'), (2, 'Other', null, null);
    insert into payment_references (company, reference, organization_id, resource, resource_id) values
      ('entity_br', 'in_${OF_SANDBOX}', 1, 'invoice', 7), ('entity_global', 're_3OabcDEFghiJKLmno1PqRstu', 1, 'refund', 8);
    insert into provider_events (source, company, dedupe_key, type, body, event) values
      ('payment', 'entity_br', 'evt_${OF_SANDBOX}', 'invoice.paid', '', '{}'),
      ('payment', 'entity_global', 'evt_1NG8Du2eZvKYlo2CUI79vXWy', 'invoice.paid', '', '{}'),
      ('provisioning', '', 'msg_1', 'environment.provisioning', '', '{}')`)
  const at = { company: 'entity_br', reference: `in_${OF_SANDBOX}` }
  const waiting: [string, object][] = [
    ['quotes/open-checkout', { invoice_id: 7 }],
    ['quotes/close-checkout', { invoice_id: 7, reference: null }],
    ['quotes/replace-checkout', { invoice_id: 7, reference: at.reference }],
    ['webhooks/payment', { provider_event_id: 1 }],
    ['webhooks/provisioning', { provider_event_id: 3 }],
    ['webhooks/settle', { resource: 'invoice', resource_id: 7, ...at, news: 'payment_failed' }],
    ['webhooks/settle', { resource: 'refund', resource_id: 8, ...at, news: null }],
    ['webhooks/settle', { resource: 'subscription', resource_id: 9, ...at }],
    ['subscriptions/bill', { order_id: 9, ...at }],
    ['subscriptions/abandon', at],
    ['subscriptions/cancel', { event_id: 1, resource_id: 9 }],
  ]
  for (const [kind, payload] of waiting)
    await database.query('insert into jobs (organization_id, kind, payload) values (1, $1, $2)', [kind, payload])
  await database.query(`insert into jobs (kind, every_seconds, run_at) values ('webhooks/reconcile', 300, now())`)

  await migrate({ ownerUrl: database.url, directory, log, count: count + 1 })
  expect(await database.query('select reference, provider from payment_references order by resource_id')).toEqual([
    { reference: at.reference, provider: 'former-sandbox' },
    { reference: 're_3OabcDEFghiJKLmno1PqRstu', provider: 'stripe' },
  ])
  const customers =
    'select payment_customer_provider_br as br, payment_customer_provider_global as global from organizations'
  expect(await database.query(`${customers} order by id`)).toEqual([
    { br: 'former-sandbox', global: 'stripe' },
    { br: null, global: null },
  ])
  const sources = await database.query<{ source: string }>('select source from provider_events order by id')
  expect(sources.map(({ source }) => source)).toEqual(['former-sandbox', 'stripe', 'provisioning'])
  const kept = await database.query<{ kind: string; payload: unknown }>('select kind, payload from jobs order by id')
  const provider = 'former-sandbox'
  expect(
    kept.map(({ kind, payload }) => [kind, jobs.find((job) => job.kind.name === kind)?.kind.read(payload)]),
  ).toEqual([
    ['payments/open-checkout', { invoice_id: 7 }],
    ['payments/close-checkout', { invoice_id: 7, reference: null }],
    ['payments/replace-checkout', { invoice_id: 7, reference: at.reference }],
    ['payments/handle-event', { provider_event_id: 1 }],
    ['environments/settle-report', { provider_event_id: 3 }],
    ['payments/look', { invoice_id: 7, ...at, provider, has_failed: true }],
    ['payments/look-at-refund', { refund_id: 8, ...at, provider }],
    ['subscriptions/look', { order_id: 9, ...at, provider }],
    ['subscriptions/bill', { order_id: 9, ...at, provider }],
    ['subscriptions/abandon', { ...at, provider }],
    ['subscriptions/cancel', { order_id: 9 }],
    ['payments/reconcile', {}],
  ])
})
