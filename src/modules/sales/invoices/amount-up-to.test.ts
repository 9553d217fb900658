// Amounts of which there is only so much: what is too large and what is too small have codes of their own.
import { expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { buyerOf } from '#test/scenes/commerce.ts'
import { openInvoice, paidInvoice } from '#test/scenes/paid-invoices.ts'
import type { Answer } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const buyer = await buyerOf(acme)
const SALE = { company: 'entity_br', currency: 'BRL' }

const [open, paid] = [
  await openInvoice(app, acme, { total: '50.00' }),
  await paidInvoice(app, acme, { total: '50.00' }),
]
const ordered = await paidInvoice(app, acme, { total: '50.00', withOrder: true })
const { order_id: order } = (await acme.staff.get(`/invoices/${ordered}`)).data
await app.database.query(`update orders set status = 'completed' where id = $1`, [order])
await acme.staff.post('/payments', { ...SALE, amount: '50.00' })
const [{ id: balance }] = (await buyer.get('/credit-balances')).data

const inBalance = (kind: string) => ({ ...SALE, kind, reason: 'Agreed' })
const saidOf = ({ status, errors }: Answer, field: string) => [
  status,
  errors?.fields?.[field],
  errors?.field_codes?.[field],
]

it.each([
  [`/invoices/${open}/credit-notes`, { reason: 'Less' }, '50.01', 'must be at most 50.00 in all'],
  [`/invoices/${paid}/credit-notes`, { reason: 'Less' }, '50.01', 'must be at most 50.00 in all'],
  [`/invoices/${paid}/refund`, {}, '50.01', 'must be at most 50.00'],
  [`/orders/${order}/refund`, {}, '50.01', 'must be at most 50.00'],
  [`/invoices/${open}/apply-credit-balance`, {}, '50.01', 'must be at most 50.00'],
  [`/credit-balances/${balance}/refund`, {}, '50.01', 'must be at most what is left'],
  ['/credit-balances', inBalance('withdrawn'), '50.01', 'must be at most 50.00'],
  ['/credit-balances', inBalance('added'), '9999999999999.99', 'must be at most 9999999999949.99'],
  ['/payments', SALE, '9999999999999.99', 'must be at most 9999999999949.99'],
])('422 from %s of %j says which bound %s breaks', async (path, body, amount, sentence) => {
  const more = await acme.staff.post(path, { ...body, amount })
  expect(saidOf(more, 'amount'), more.raw.body).toEqual([422, sentence, 'too_large'])
  const none = await acme.staff.post(path, { ...body, amount: '0.00' })
  expect(saidOf(none, 'amount')).toEqual([422, 'must be more than 0', 'too_small'])
})

const lines = (unit_price: string) => ({ line_items: [{ description: 'Seat', quantity: 1, unit_price }] })

it('422 of lines names them, and nothing that is left names the most that could be credited', async () => {
  const id = await paidInvoice(app, acme, { total: '50.00' })
  const credit = (body: object) => acme.staff.post(`/invoices/${id}/credit-notes`, { reason: 'Less', ...body })
  const most = 'must be at most 50.00 in all'
  expect(saidOf(await credit(lines('50.01')), 'line_items')).toEqual([422, most, 'too_large'])
  expect(saidOf(await credit(lines('0.00')), 'line_items')).toEqual([422, 'must be more than 0', 'too_small'])
  expect((await credit({})).status).toBe(201)
  expect(saidOf(await credit({}), 'amount')).toEqual([422, 'must be at most 0.00 in all', 'too_large'])
})

it('422 says it in Portuguese', async () => {
  const language = { 'accept-language': 'pt-BR' }
  const said = async (path: string) =>
    (await acme.staff.post(path, { reason: 'Less', amount: '50.01' }, language)).errors?.fields
  expect(await said(`/invoices/${open}/credit-notes`)).toEqual({ amount: 'deve ser no máximo 50.00 no total' })
  expect(await said(`/credit-balances/${balance}/refund`)).toEqual({ amount: 'deve ser no máximo o que resta' })
})
