// Jobs of mails that waited when there was a pair of kinds for each mail: they go on as those of today.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { announcements, jobs } from '../../../modules.ts'
import { migrate, migrationsIn } from '../../../postgres/migrate.ts'
import { emptyDatabase, type TestDatabase } from '#test/harness/database.ts'

const directory = join(import.meta.dirname, '../../../migrations')
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const mailsOf = (area: string, key: string, mails: readonly string[]) =>
  mails.map((mail) => [`${area}/mail-${mail}`, key, mail] as const)

const WAITING = [
  ...mailsOf('quotes', 'quote_id', [
    'quote-sent',
    'quote-expiring',
    'quote-accepted',
    'payment-received',
    'quote-fulfilled',
  ]),
  ...mailsOf('tickets', 'id', ['ticket-opened', 'ticket-commented', 'ticket-moved']),
  ...mailsOf('contracts', 'contract_id', ['contract-ending', 'contract-notice']),
  ...mailsOf('environments', 'window_id', ['maintenance-scheduled', 'maintenance-changed', 'maintenance-cancelled']),
  ...mailsOf('invoices', 'id', ['invoice-open']),
  ...mailsOf('refunds', 'id', ['refund-succeeded']),
  ['services/mail-delivery', 'service_id', 'service-delivered'],
  ['tax-invoices/mail-issued', 'tax_invoice_id', 'tax-invoice-issued'],
  ['entitlements/mail-expiring', 'id', 'entitlement-expiring'],
  ['licenses/mail-expiring', 'id', 'license-expiring'],
] as const

let database: TestDatabase
beforeAll(async () => void (database = await emptyDatabase()))
afterAll(() => database.drop())

it('keeps the mails that wait', async () => {
  const count = (await migrationsIn(directory)).indexOf('0024-mail-jobs')
  await migrate({ ownerUrl: database.url, directory, log, count })
  await database.query(`insert into organizations (id, name) values (1, 'Acme')`)
  await database.query(`
    insert into events (id, organization_id, sequence, type, resource, resource_id, data, at)
    overriding system value values (5, 1, 1, 'titular/quote/paid', 'quote', 7, '{}', now())`)
  const wait = (kind: string, payload: object) =>
    database.query('insert into jobs (organization_id, kind, payload) values (1, $1, $2)', [kind, payload])
  for (const [kind, key] of WAITING) await wait(kind, { [key]: 7, user_id: 3 })
  await wait('tickets/mail-ticket-opened', { id: 8, user_id: null })
  await wait('invites/mail', { collaborator_id: 9 })
  for (const kind of ['quotes/announce-quote-sent', 'invites/accepted-mail', 'hook'])
    await wait(kind, { event_id: 5, resource_id: 7 })
  await wait('quotes/provision', { resource_id: 7 })

  await migrate({ ownerUrl: database.url, directory, log, count: count + 1 })
  const rows = await database.query<{ kind: string; payload: unknown }>('select kind, payload from jobs order by id')
  const mails = new Set<string>(announcements.map(({ mail }) => mail))
  const event = { event_id: 5, resource_id: 7 }
  expect(rows.map(({ kind, payload }) => [kind, read(kind, payload)])).toEqual([
    ...WAITING.map(([, , mail]) => ['notifications/mail', { mail, resource_id: 7, user_id: 3 }]),
    ['notifications/mail', { mail: 'ticket-opened', resource_id: 8, user_id: null }],
    ['notifications/mail', { mail: 'invite', resource_id: 9, user_id: null }],
    ['notifications/announce', event],
    ['notifications/announce', event],
    ['hooks/call', event],
    ['quotes/provision', event],
  ])
  expect(WAITING.map(([, , mail]) => mail).filter((mail) => !mails.has(mail))).toEqual([])
})

/** As the worker reads it; the hooks' own job is not in the areas. */
const read = (kind: string, payload: unknown): unknown => {
  const job = jobs.find((one) => one.kind.name === kind)
  return job ? job.kind.read(payload) : payload
}
