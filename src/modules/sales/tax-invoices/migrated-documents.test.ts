// Tax invoices from before migration 0049, which kept their signed documents and codes otherwise.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { emptyDatabase, type TestDatabase } from '#test/harness/database.ts'
import { migrate, migrationsIn } from '../../../postgres/migrate.ts'

const directory = join(import.meta.dirname, '../../../migrations')
const log = { info: () => {}, warn: () => {}, error: () => {} }

let database: TestDatabase
beforeAll(async () => (database = await emptyDatabase()))
afterAll(() => database.drop())

const XML = '<?xml version="1.0"?>\r\n<NFSe>“ção” 🚀</NFSe>'
const EVENT = '<evento/>'
const PROFILE = { services: { default: { national: '010501', nbs: '111032200' }, ENV: { national: '010301' } } }
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const linesOf = (name: string) => JSON.stringify([{ entitlement_class: name }])

it('keep the bytes with their hash, and their NBS', async () => {
  const before = (await migrationsIn(directory)).findIndex((name) => name.startsWith('0049'))
  await migrate({ ownerUrl: database.url, directory, log, count: before })
  const [organization] = await database.query<{ id: number }>(
    `insert into organizations (name) values ('Acme') returning id`,
  )
  const [invoice] = await database.query<{ id: number }>(
    `insert into invoices (organization_id, number, company, currency, total, line_items, issue_date, due_date)
     values ($1, 'T-1', 'entity_br', 'BRL', 9.00, '[]', '2026-01-01', '2026-01-31') returning id`,
    [organization?.id],
  )
  const add = `
    insert into tax_invoices (organization_id, invoice_id, total, line_items, recipient, series, rps_number, competence,
      description, service_code, profile, status, nfse_number, access_key, issued_at, cancelled_at, xml, cancellation_xml)
    values ($1, $2, 1.00, $3, '{}', '1', $4, '2026-01-01', 'Backup', $5, $6, $7, '1', $8, $9, $10, $11, $12)`
  const at = [organization?.id, invoice?.id]
  const [day, later] = ['2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z']
  await database.query(add, [...at, linesOf('ENV'), 1, '010301', PROFILE, 'issued', 'K1', day, null, XML, null])
  await database.query(add, [...at, linesOf('PLG'), 2, '010501', PROFILE, 'cancelled', 'K2', day, later, XML, EVENT])
  await database.query(add, [...at, '[]', 3, '010501', PROFILE, 'error', null, null, null, null, null])
  await database.query(add, [...at, '[]', 4, null, null, 'error', null, null, null, null, null])
  await migrate({ ownerUrl: database.url, directory, log })
  const kept = await database.query(
    `select t.rps_number, d.kind, d.xml, d.sha256, d.created_at
       from tax_invoice_documents d join tax_invoices t on t.id = d.tax_invoice_id order by d.id`,
  )
  const signed = { xml: XML, sha256: hashOf(XML), created_at: day }
  expect(kept).toEqual([
    { rps_number: 1, kind: 'invoice', ...signed },
    { rps_number: 2, kind: 'invoice', ...signed },
    { rps_number: 2, kind: 'cancellation', xml: EVENT, sha256: hashOf(EVENT), created_at: later },
  ])
  const codes = await database.query<{ nbs_code: string | null }>(
    'select nbs_code from tax_invoices order by rps_number',
  )
  expect(codes.map(({ nbs_code }) => nbs_code)).toEqual([null, '111032200', '111032200', null])
})
