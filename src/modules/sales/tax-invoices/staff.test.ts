// POST /tax-invoices and /retry by staff; lists and filters; lineage and search; access.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { lineOf, openInvoice, paidInvoice, payInvoice } from '#test/scenes/paid-invoices.ts'
import { PROFILE } from '#test/stand-ins/tax-authority.ts'
import { startApp } from '#test/harness/app.ts'
import { type TaxScene, taxScene } from '#test/scenes/tax-scene.ts'
import type { Answer } from '#test/harness/world.ts'

let scene: TaxScene
beforeAll(async () => (scene = await taxScene()))
beforeEach(() => scene.authority.reset())
afterAll(() => scene.app.close())

const issue = (invoice_id: number, more: object = {}) => scene.acme.staff.post('/tax-invoices', { invoice_id, ...more })
/** A paid invoice whose tax invoice is not issued automatically. */
async function undeclared(wanted: object = {}): Promise<number> {
  const invoice = await paidInvoice(scene.app, scene.acme, wanted)
  await scene.app.database.query(`delete from jobs where kind = 'tax-invoices/open'`)
  return invoice
}
const cancel = (id: number) =>
  scene.acme.staff.post(`/tax-invoices/${id}/cancel`, { reason_code: '9', reason: 'It was decided so' })

describe('POST /tax-invoices', () => {
  it('201 with one for each service code, with the given description', async () => {
    const lines = [lineOf('PLG', '100.00'), lineOf('ENV', '50.00')]
    const answer = await issue(await undeclared({ lines }), { description: '  Licença <de> uso “anual” 🚀\n2ª linha ' })
    expect(answer.status, answer.raw.body).toBe(201)
    expect(answer.data).toMatchObject({ status: 'pending', substatus: 'queued', total: '100.00' })
    expect(answer.data.created_ids).toHaveLength(2)
    expect(answer.data.created_ids[0]).toBe(answer.data.id)
    await scene.work()
    for (const id of answer.data.created_ids as number[])
      expect(await scene.get(id)).toMatchObject({
        status: 'issued',
        description: 'Licença <de> uso “anual” 🚀\n2ª linha',
      })
  })
  it('201 for the cancelled part only', async () => {
    const lines = [lineOf('PLG', '100.00'), lineOf('ENV', '50.00')]
    const invoice = await undeclared({ lines })
    const [first, second] = (await issue(invoice)).data.created_ids as [number, number]
    await scene.work()
    expect((await issue(invoice)).status).toBe(409)
    await cancel(first)
    await scene.work()
    // The profile has another code for everything now: what is declared is not declared again.
    scene.authority.profile = { ...PROFILE, services: { default: { national: '010701' } } }
    const again = await issue(invoice)
    expect(again.data).toMatchObject({ service_code: '010701', total: '100.00' })
    expect(again.data.created_ids).toHaveLength(1)
    expect((await scene.get(second)).status).toBe('issued')
    await scene.work()
    expect((await issue(invoice)).status).toBe(409)
  })
  it('201 for an invoice without lines, by the default code', async () => {
    const answer = await issue(await undeclared({ lines: [] }))
    expect(answer.data).toMatchObject({ service_code: '010501', total: '150.00', line_items: [] })
    expect((await issue(answer.data.invoice_id)).status).toBe(409)
    await scene.work()
  })
  it('201 for one of eight at once, 409 for the others', async () => {
    const invoice = await undeclared()
    const answers = await Promise.all(Array.from({ length: 8 }, () => issue(invoice)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7)
    await scene.work()
  })
  it('creates one when staff and the payment do it at once', async () => {
    const invoice = await paidInvoice(scene.app, scene.acme)
    await Promise.all([issue(invoice), scene.work(), issue(invoice)])
    await scene.work()
    const rows = await scene.app.database.query('select id from tax_invoices where invoice_id = $1', [invoice])
    expect(rows).toHaveLength(1)
  })
  it('201 for an open invoice with the competence of today, and none more with its payment', async () => {
    const invoice = await openInvoice(scene.app, scene.acme)
    const answer = await issue(invoice)
    const today = dayIn(scene.app.clock.now, 'America/Sao_Paulo')
    expect([answer.status, answer.data.competence]).toEqual([201, today])
    await payInvoice(scene.acme, invoice)
    await scene.work()
    expect((await scene.get(answer.data.id)).status).toBe('issued')
    expect((await issue(invoice)).status).toBe(409)
  })
  it('409 for an invoice that is neither open nor paid, of entity_global, in another currency or of 0', async () => {
    const voided = await openInvoice(scene.app, scene.acme)
    expect((await scene.acme.staff.post(`/invoices/${voided}/void`)).status).toBe(200)
    const wrong = [
      voided,
      await undeclared({ company: 'entity_global', currency: 'USD' }),
      await undeclared({ currency: 'USD' }),
      await undeclared({ total: '0.00' }),
    ]
    for (const invoice of wrong) expect((await issue(invoice)).status).toBe(409)
  })
  it('404 for another organization’s invoice, 422 for an id that is none', async () => {
    const other = await scene.app.world.organization()
    const foreign = await paidInvoice(scene.app, other)
    expect((await issue(foreign)).status).toBe(404)
    for (const invoice_id of [0, -1, 1.5, '1', null, undefined, 2 ** 60])
      expect((await scene.acme.staff.post('/tax-invoices', { invoice_id })).status, String(invoice_id)).toBe(422)
    for (const description of ['', ' \n ', 'x'.repeat(2001), 'a\u0000b'])
      expect((await issue(foreign, { description })).errors?.fields).toHaveProperty('description')
    await scene.work()
  })
  it('403 for all but staff', async () => {
    for (const path of [
      '/tax-invoices',
      '/tax-invoices/1/retry',
      '/tax-invoices/1/cancel',
      '/tax-invoices/1/substitute',
    ])
      expect((await scene.acme.owner.post(path, {})).status, path).toBe(403)
  })
  it('repeats the answer for the same Idempotency-Key', async () => {
    const invoice = await undeclared()
    const headers = { 'idempotency-key': 'tax-once' }
    const one = await scene.acme.staff.post('/tax-invoices', { invoice_id: invoice }, headers)
    const two = await scene.acme.staff.post('/tax-invoices', { invoice_id: invoice }, headers)
    expect(two.status).toBe(201)
    expect(two.data).toEqual(one.data)
    await scene.work()
  })
})

describe('POST /tax-invoices/{id}/retry', () => {
  it('409 for one that is no error; 404 for an unknown one', async () => {
    const made = await scene.made()
    expect((await scene.acme.staff.post(`/tax-invoices/${made.id}/retry`)).status).toBe(409)
    expect((await scene.acme.staff.post('/tax-invoices/999999999/retry')).status).toBe(404)
  })
  it('200 for one of eight at once, 409 for the others, and one request to the authority', async () => {
    const made = await scene.made([{ code: 'E0001', message: 'Não', detail: null }])
    scene.authority.calls.length = 0
    const retry = () => scene.acme.staff.post(`/tax-invoices/${made.id}/retry`)
    const answers = await Promise.all(Array.from({ length: 8 }, retry))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7)
    await scene.work()
    expect(scene.authority.calls.filter((call) => call.startsWith('issue'))).toHaveLength(1)
  })
  it('409 when another live one of the invoice has the service code', async () => {
    const invoice = await undeclared({ lines: [lineOf('PLG', '100.00'), lineOf('ENV', '50.00')] })
    const no = [{ code: 'E0001', message: 'Não', detail: null }]
    scene.authority.script.issue = [no, no]
    const [first, second] = (await issue(invoice)).data.created_ids as [number, number]
    await scene.work()
    scene.authority.profile = { ...PROFILE, services: { default: { national: '010501', iss_rate: '2' } } }
    const answer = await scene.acme.staff.post(`/tax-invoices/${second}/retry`)
    expect(answer.status).toBe(409)
    expect(answer.message).toContain(`Tax invoice ${first} `)
    expect((await scene.acme.staff.post(`/tax-invoices/${first}/retry`)).status).toBe(200)
    await scene.work()
    expect((await scene.get(first)).status).toBe('issued')
  })
})

describe('without a tax authority', () => {
  it('issues nothing automatically, and 409 says so to staff', async () => {
    const app = await startApp({ ports: { taxAuthority: null } })
    const org = await app.world.organization()
    const invoice = await paidInvoice(app, org)
    await app.service.worker.drain()
    expect((await org.staff.get('/tax-invoices')).data).toEqual([])
    const answer = await org.staff.post('/tax-invoices', { invoice_id: invoice })
    expect(answer.status).toBe(409)
    expect(answer.message).toBe('No tax authority is configured')
    await app.close()
  })
})

const count = async (query: string) => (await scene.clerk.get(`/tax-invoices?${query}`)).meta?.total

describe('GET /tax-invoices', () => {
  let made: Answer['data']
  beforeAll(async () => {
    scene.authority.reset()
    await paidInvoice(scene.app, scene.acme, { withOrder: true })
    await scene.work()
    const { data } = await scene.clerk.get('/tax-invoices?per_page=1')
    made = (await scene.clerk.get(`/tax-invoices/${data[0].id}`)).data
  })

  it('200 filtered by status and by day of issue, both ends included', async () => {
    expect(await count('status=cancelled')).toBeGreaterThan(0)
    const issued = await count('status=issued')
    expect(await count('status=issued&date_from=2026-11-20&date_to=2026-11-20')).toBe(issued)
    expect(await count('date_from=2026-11-21')).toBe(0)
    expect(await count('date_to=2026-11-19')).toBe(0)
    for (const query of ['status=open', 'date_from=yesterday', 'number=1'])
      expect((await scene.clerk.get(`/tax-invoices?${query}`)).status, query).toBe(422)
  })
  it('200 for those of an order, 404 for another organization’s', async () => {
    const other = await scene.app.world.organization()
    expect((await scene.clerk.get(`/tax-invoices/order/${made.order_id}`)).data).toHaveLength(1)
    expect((await scene.clerk.get(`/tax-invoices/order/${made.order_id}?status=error`)).data).toEqual([])
    expect((await other.owner.get(`/tax-invoices/order/${made.order_id}`)).status).toBe(404)
  })
  it('403 without the scope finances', async () => {
    const seller = await scene.acme.member({ scopes: ['quotes', 'orders'] })
    for (const path of ['/tax-invoices', `/tax-invoices/${made.id}`, `/tax-invoices/${made.id}/xml`])
      expect((await seller.get(path)).status, path).toBe(403)
  })
  it('200 in the lineage both ways, for the scope finances', async () => {
    const [row] = await scene.app.database.query<{ id: number }>(
      `insert into entitlements (organization_id, code, class, product_name, company, order_id)
       values ($1, 'PLG-1999010001', 'PLG', 'Backup', 'entity_br', $2) returning id`,
      [scene.acme.id, made.order_id],
    )
    const id = row?.id ?? 0
    const listed = { id: made.id, status: 'issued', nfse_number: made.nfse_number, total: '150.00', currency: 'BRL' }
    for (const path of [`/entitlements/${id}/lineage`, '/entitlements/code/PLG-1999010001/lineage'])
      expect((await scene.acme.owner.get(path)).data.tax_invoices).toEqual([{ ...listed, issued_at: made.issued_at }])
    const blind = await scene.acme.member({ scopes: ['entitlements'] })
    expect((await blind.get(`/entitlements/${id}/lineage`)).data.tax_invoices).toBeNull()
    const backwards = `/lineage?tax_invoice=${made.nfse_number}`
    expect((await scene.acme.owner.get(backwards)).data).toEqual([expect.objectContaining({ id })])
    expect((await blind.get(backwards)).status).toBe(404)
  })
  it('200 in the search by number and by access key, for the scope finances', async () => {
    const wanted = { kind: 'tax_invoice', id: made.id, label: `NFS-e ${made.nfse_number}` }
    const found = async (q: string) => (await scene.clerk.get(`/search?q=${q}&kind=tax_invoice`)).data
    expect(await found(made.nfse_number)).toEqual([{ ...wanted, matched: 'nfse_number' }])
    expect(await found(made.access_key)).toEqual([{ ...wanted, matched: 'access_key' }])
    const blind = await scene.acme.member({ scopes: ['orders'] })
    expect((await blind.get(`/search?q=${made.nfse_number}`)).data).toEqual([])
  })
})
