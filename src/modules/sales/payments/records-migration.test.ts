// What was paid and refunded before payments were records: each invoice keeps its sums, and what came in has its payment.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate, migrationsIn } from '../../../postgres/migrate.ts'
import { emptyDatabase, type TestDatabase } from '#test/harness/database.ts'

const directory = join(import.meta.dirname, '../../../migrations')
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

let database: TestDatabase
beforeAll(async () => void (database = await emptyDatabase()))
afterAll(() => database.drop())

const PAID_AT = '2026-01-10T01:00:00.000Z'
/** Paid, refund_reserved, amount_refunded, amount_credited of 100.00. */
const sums = (paid: string, reserved = '0.00', refunded = '0.00', credited = '0.00') =>
  `'${paid}', '${reserved}', '${refunded}', '${credited}'`
const invoice = (id: number, status: string, { of = sums('0.00'), paidAt = 'null', more = 'null, false' } = {}) =>
  `(${id}, 1, 'I-${id}', '${status}', '${status === 'paid' ? 'paid' : 'unpaid'}', 'entity_br', 'BRL', '100.00', '[]', '2026-01-01',
    '2026-01-08', 1, '2026-01-01T00:00Z', ${of}, ${paidAt}, ${more})`
const refund = (id: number, invoiceId: number, status: string, amount: string) =>
  `(${id}, 1, 1, ${invoiceId}, '${status}', true, '${amount}', 'BRL', '2026-01-20T00:00Z')`

it('gives each paid invoice its payment, each refund the payment that it was of, and changes no sum', async () => {
  const count = (await migrationsIn(directory)).indexOf('0052-payments')
  await migrate({ ownerUrl: database.url, directory, log, count })
  await database.query(`
    insert into organizations (id, name) values (1, 'Acme');
    insert into orders (id, organization_id, number, status, currency, total, subtotal, tax_total, company, line_items)
      values (1, 1, 'O-1', 'completed', 'BRL', '0.00', '0.00', '0.00', 'entity_br', '[]');
    insert into payment_references (company, provider, reference, organization_id, resource, resource_id)
      values ('entity_br', 'stripe', 'in_1', 1, 'invoice', 1);
    insert into invoices (id, organization_id, number, status, payment_status, company, currency, total, line_items, issue_date, due_date,
                          order_id, finalized_at, amount_paid, refund_reserved, amount_refunded, amount_credited, paid_at,
                          payment_invoice_id, is_paid_by_provider) values
      ${invoice(1, 'paid', { of: sums('90.00', '50.00', '30.00', '40.00'), paidAt: `'${PAID_AT}'`, more: `'in_1', true` })},
      ${invoice(2, 'paid', { of: sums('100.00'), paidAt: `'${PAID_AT}'`, more: `'in_2', false` })},
      ${invoice(3, 'paid', { of: sums('100.00', '100.00', '100.00', '100.00'), more: `'in_3', true` })},
      ${invoice(4, 'paid', { of: sums('0.00', '0.00', '0.00', '100.00'), paidAt: `'${PAID_AT}'` })},
      ${invoice(5, 'void')}, ${invoice(6, 'open', { of: sums('0.00', '0.00', '0.00', '25.00') })};
    insert into refunds (id, organization_id, order_id, invoice_id, status, is_approved, amount, currency, updated_at) values
      ${refund(1, 1, 'succeeded', '30.00')}, ${refund(2, 1, 'processing', '20.00')}, ${refund(3, 3, 'succeeded', '100.00')},
      ${refund(4, 2, 'failed', '100.00')}`)
  const kept = 'select id, amount_due, amount_paid, amount_refunded, refund_reserved, amount_credited from invoices'
  const before = await database.query(`${kept} order by id`)

  await migrate({ ownerUrl: database.url, directory, log })
  expect(await database.query(`${kept} order by id`)).toEqual(before)
  const payments = await database.query(`
    select invoice_id, amount, surplus, source, provider, reference, payment_date::text from payments order by invoice_id`)
  const byHand = { source: 'by_hand', provider: null, reference: null }
  expect(payments).toEqual([
    paymentOf(1, { amount: '90.00', provider: 'stripe', reference: 'in_1', payment_date: '2026-01-10' }),
    paymentOf(2, { ...byHand, payment_date: '2026-01-10' }),
    paymentOf(3, { provider: 'unknown', reference: 'in_3', payment_date: '2026-01-01' }),
  ])
  const refunds = await database.query(`
    select r.id, p.invoice_id, r.refunded_on::text from refunds r left join payments p on p.id = r.payment_id order by r.id`)
  expect(refunds).toEqual([
    { id: 1, invoice_id: 1, refunded_on: '2026-01-20' },
    { id: 2, invoice_id: 1, refunded_on: null },
    { id: 3, invoice_id: 3, refunded_on: '2026-01-20' },
    { id: 4, invoice_id: 2, refunded_on: null },
  ])
  expect(await database.query('select id from invoices where voided_on is not null')).toEqual([{ id: 5 }])
  expect(await database.query('select id from credit_balances')).toEqual([])
})

const paymentOf = (invoice_id: number, own: object): object => ({
  invoice_id,
  amount: '100.00',
  surplus: '0.00',
  source: 'provider',
  ...own,
})
