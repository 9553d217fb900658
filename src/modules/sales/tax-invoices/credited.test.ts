// Amounts that credit notes took off an invoice are not declared.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lineOf, openInvoice, payInvoice } from '#test/scenes/paid-invoices.ts'
import { type TaxScene, taxScene } from '#test/scenes/tax-scene.ts'

let scene: TaxScene
beforeAll(async () => (scene = await taxScene()))
beforeEach(() => scene.authority.reset())
afterAll(() => scene.app.close())

const LINES = [lineOf('PLG', '100.00'), lineOf('ENV', '50.00')]

const credit = async (invoice: number, amount: string) =>
  expect((await scene.acme.staff.post(`/invoices/${invoice}/credit-notes`, { reason: 'Less', amount })).status).toBe(
    201,
  )
const issue = (invoice_id: number) => scene.acme.staff.post('/tax-invoices', { invoice_id })
const cancel = (id: number) =>
  scene.acme.staff.post(`/tax-invoices/${id}/cancel`, { reason_code: '9', reason: 'It was decided so' })
const declaredOf = async (invoice: number) =>
  scene.app.database.query<{ id: number; total: string; status: string }>(
    'select id, total, status from tax_invoices where invoice_id = $1 order by id',
    [invoice],
  )
const totalsOf = async (invoice: number) => (await declaredOf(invoice)).map(({ total }) => total)

describe('an invoice with a credit note before its payment', () => {
  it('is declared for the paid amount, in proportion to its lines', async () => {
    const invoice = await openInvoice(scene.app, scene.acme, { lines: LINES })
    await credit(invoice, '50.00')
    await payInvoice(scene.acme, invoice)
    await scene.work()
    expect(await totalsOf(invoice)).toEqual(['66.67', '33.33'])
    expect(scene.authority.declared.map(({ amount }) => amount).toSorted()).toEqual(['33.33', '66.67'])
    expect((await issue(invoice)).status).toBe(409)
  })
})

describe('an invoice with a credit note after its payment', () => {
  it('keeps its tax invoices; staff can issue only the rest again', async () => {
    const invoice = await openInvoice(scene.app, scene.acme, { lines: LINES })
    await payInvoice(scene.acme, invoice)
    await scene.work()
    await credit(invoice, '60.00')
    await scene.work()
    const [first] = await declaredOf(invoice)
    expect(await totalsOf(invoice)).toEqual(['100.00', '50.00'])
    await cancel(first?.id ?? 0)
    await scene.work()
    expect((await issue(invoice)).data).toMatchObject({ total: '40.00', service_code: '010501' })
    await scene.work()
  })
  it('is 409 when nothing of it is left', async () => {
    const invoice = await openInvoice(scene.app, scene.acme)
    await payInvoice(scene.acme, invoice)
    await scene.app.database.query(`delete from jobs where kind = 'tax-invoices/open'`)
    await credit(invoice, '150.00')
    const answer = await issue(invoice)
    expect([answer.status, answer.message]).toEqual([409, expect.stringContaining('credit notes')])
  })
  it('has the rest declared by a retry, and nothing when there is none', async () => {
    scene.authority.script.issue.push([{ code: 'E0188', message: 'Não', detail: null }])
    const invoice = await openInvoice(scene.app, scene.acme)
    await payInvoice(scene.acme, invoice)
    await scene.work()
    const [refused] = await declaredOf(invoice)
    const retry = () => scene.acme.staff.post(`/tax-invoices/${refused?.id}/retry`)
    await credit(invoice, '149.99')
    scene.authority.script.issue.push([{ code: 'E0188', message: 'Não', detail: null }])
    expect((await retry()).status).toBe(200)
    await scene.work()
    expect(await totalsOf(invoice)).toEqual(['0.01'])
    expect(scene.authority.declared.at(-1)?.amount).toBe('0.01')
    await credit(invoice, '0.01')
    const answer = await retry()
    expect([answer.status, answer.message]).toEqual([409, expect.stringContaining('cancel it')])
    expect((await cancel(refused?.id ?? 0)).data.status).toBe('cancelled')
  })
})
