// PDFs of invoices and credit notes over HTTP: the bytes, and the content that the adapter gets.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'
import type { DocumentTemplate } from '../../../ports/documents.ts'

let app: TestApp
let acme: Organization
let viewer: Speaker
let templates: DocumentTemplate[]

beforeAll(async () => {
  app = await startApp({ environment: { ENTITY_BR_NAME: 'Vendedora Ltda.', ENTITY_BR_TAX_ID: '11.222.333/0001-81' } })
  acme = await app.world.organization({ name: 'Açaí & Cia 🚀 مرحبا' })
  viewer = await acme.member({ scopes: ['finances'] })
  const { documents } = app.service.ports
  const render = documents.render.bind(documents)
  templates = []
  vi.spyOn(documents, 'render').mockImplementation((template) => {
    if ('title' in template) templates.push(template)
    return render(template)
  })
})
afterAll(() => app.close())

async function draft(): Promise<{ id: number; number: string }> {
  const line = { product_name: '<b>Migração</b> “Pro” 🚀', quantity: 3, unit_price: '50.00', tax_percent: '5' }
  const lines = [
    { ...line, discount: '15.00' },
    { ...line, entitlement_code: code },
  ]
  const body = {
    currency: 'BRL',
    company: 'entity_br',
    line_items: lines,
    purchase_order: 'PO-7',
    notes: 'Obrigado 🙏',
  }
  return (await acme.staff.post('/invoices', body)).data
}
let code: string
beforeAll(async () => {
  const entitlement = { class: 'SVC', product_name: 'Project', organization_id: acme.id, company: 'entity_br' }
  code = (await acme.staff.post('/entitlements', entitlement)).data.code
})

/** All texts of the newest template. */
const printed = (): string => JSON.stringify(templates.at(-1)).replaceAll('\u00a0', ' ')
async function print(who: Speaker, path: string, language = 'en'): Promise<string> {
  const answer = await who.get(path, { 'accept-language': language })
  expect([answer.status, answer.data.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
  return printed()
}

describe('GET /invoices/{id}/pdf', () => {
  it('200 marks a draft as such, for staff', async () => {
    const { id, number } = await draft()
    expect(await print(acme.staff, `/invoices/${id}/pdf`)).toContain('DRAFT')
    expect(printed()).toContain(number)
    expect(await print(acme.staff, `/invoices/${id}/pdf`, 'pt-BR')).toContain('RASCUNHO')
    expect((await viewer.get(`/invoices/${id}/pdf`)).status).toBe(404)
  })
  it('200 with both parties, lines with codes, discount, tax and totals, and later with the payment', async () => {
    const { id } = await draft()
    const { data } = await acme.staff.post(`/invoices/${id}/finalize`)
    const words = await print(viewer, `/invoices/${id}/pdf`)
    for (const word of [
      data.number,
      'Vendedora Ltda.',
      'CNPJ 11.222.333/0001-81',
      acme.name,
      code,
      'PO-7',
      'Obrigado 🙏',
    ])
      expect(words).toContain(JSON.stringify(word).slice(1, -1))
    for (const amount of ['R$300.00', '-R$15.00', 'R$14.25', 'R$299.25', 'Amount due']) expect(words).toContain(amount)
    expect(words).not.toMatch(/"PAID"|DRAFT/)
    await acme.staff.post(`/invoices/${id}/pay`, {})
    expect(await print(viewer, `/invoices/${id}/pdf`, 'pt-BR')).toContain('"PAGA"')
    expect(printed()).toContain('R$ 299,25')
  })
  it('200 with the recipient as of finalizing and the same bytes each time, also after the customer changes', async () => {
    const { id } = await draft()
    await acme.staff.post(`/invoices/${id}/finalize`)
    const path = `/invoices/${id}/pdf`
    const before = await viewer.get(path)
    await app.database.query(`update organizations set name = 'Somebody else' where id = $1`, [acme.id])
    const after = await viewer.get(path)
    await app.database.query(`update organizations set name = $2 where id = $1`, [acme.id, acme.name])
    expect(printed()).not.toContain('Somebody else')
    expect(Buffer.compare(before.data, after.data)).toBe(0)
    expect(after.headers).toMatchObject({ 'content-type': 'application/pdf', 'cache-control': 'no-store' })
    expect(after.headers['content-disposition']).toMatch(/^attachment; filename="Fatura-BR-\d{6}\.pdf"$/)
  })
  it('403 without the scope, 404 for another organization’s', async () => {
    const { id } = await draft()
    await acme.staff.post(`/invoices/${id}/finalize`)
    const other = await app.world.organization()
    expect((await (await acme.member({ scopes: ['quotes'] })).get(`/invoices/${id}/pdf`)).status).toBe(403)
    expect((await other.owner.get(`/invoices/${id}/pdf`)).status).toBe(404)
  })
})

describe('GET /credit-notes/{id}/pdf', () => {
  it('200 with the corrected invoice, the reason and the amount', async () => {
    const { id } = await draft()
    const { data: invoice } = await acme.staff.post(`/invoices/${id}/finalize`)
    const body = { reason: 'Cobrado em dobro', amount: '99.25' }
    const { data: note } = await acme.staff.post(`/invoices/${id}/credit-notes`, body)
    const words = await print(viewer, `/credit-notes/${note.id}/pdf`)
    for (const word of [note.number, invoice.number, 'Cobrado em dobro', 'R$99.25', 'R$299.25', 'Vendedora Ltda.'])
      expect(words).toContain(word)
    expect(await print(viewer, `/credit-notes/${note.id}/pdf`, 'pt-BR')).toContain('Nota de crédito')
    await print(viewer, `/invoices/${id}/pdf`)
    expect(printed()).toContain('R$200.00')
  })
})
