// GET /tax-invoices/{id}/pdf: the DANFSe, archived when it is issued and again when it is cancelled or replaced.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp } from '#test/harness/app.ts'
import { eventually } from '#test/scenes/commerce.ts'
import { paidInvoice } from '#test/scenes/paid-invoices.ts'
import { textOn } from '#test/harness/pdf-text.ts'
import { type TaxScene, taxScene } from '#test/scenes/tax-scene.ts'

let scene: TaxScene

beforeAll(async () => {
  scene = await taxScene()
})
afterAll(() => scene.app.close())

const file = async () => {
  scene.app.clock.advance(6)
  await scene.work()
}
const archivedOf = (id: number): Promise<{ version: string; language: string; sha256: string }[]> =>
  scene.app.database.query(
    `select version, language, sha256 from filed_documents where resource = 'tax_invoice' and resource_id = $1 order by id`,
    [id],
  )

it('200 with the DANFSe of an issued one, the archived bytes in Portuguese for every caller', async () => {
  const { id, access_key } = await scene.made()
  await file()
  const archived = await archivedOf(id)
  expect(archived).toMatchObject([{ version: 'issued', language: 'pt-BR' }])
  for (const language of ['pt-BR', 'en']) {
    const answer = await scene.clerk.get(`/tax-invoices/${id}/pdf`, { 'accept-language': language })
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="DANFSe-${access_key}.pdf"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    expect(createHash('sha256').update(answer.data).digest('hex')).toBe(archived[0]?.sha256)
    const pages = textOn(answer.data)
    expect(pages).toHaveLength(1)
    expect(pages[0]).toContain('DANFSe v2.0')
    expect(pages[0]?.replaceAll(/\s/g, '')).toContain(access_key)
    expect(pages[0]).not.toContain('CANCELADA')
  }
})

it('200 with a mark after a cancellation, archived again', async () => {
  const { id } = await scene.made()
  await file()
  const reason = { reason_code: '1', reason: 'Emitida para a empresa errada' }
  expect((await scene.acme.staff.post(`/tax-invoices/${id}/cancel`, reason)).status).toBeLessThan(300)
  await scene.work()
  expect((await scene.get(id)).status).toBe('cancelled')
  await file()
  expect((await archivedOf(id)).map(({ version }) => version)).toEqual(['issued', 'cancelled'])
  expect(textOn((await scene.clerk.get(`/tax-invoices/${id}/pdf`)).data)[0]).toContain('CANCELADA')
})

it('409 for one that was never issued, 403 without the scope, 404 for another organization’s', async () => {
  const refused = await scene.made([{ code: 'E0188', message: 'CNPJ do tomador inválido', detail: null }])
  await file()
  expect((await scene.clerk.get(`/tax-invoices/${refused.id}/pdf`)).status).toBe(409)
  expect(await archivedOf(refused.id)).toEqual([])
  const { id } = await scene.made()
  const outsider = await scene.acme.member({ scopes: ['quotes'] })
  expect((await outsider.get(`/tax-invoices/${id}/pdf`)).status).toBe(403)
  const other = await scene.app.world.organization()
  expect((await other.owner.get(`/tax-invoices/${id}/pdf`)).status).toBe(404)
})

it('200 for a document of the sandbox’s authority, with the red line of its environment', async () => {
  const app = await startApp({ listens: true })
  const acme = await app.world.organization({ name: 'Padaria Açaí & Cia Ltda.' })
  await paidInvoice(app, acme)
  const look = async () => (await acme.owner.get('/tax-invoices')).data
  const [{ id }] = await eventually(app, look, ([one]) => one?.status === 'issued')
  const answer = await acme.owner.get(`/tax-invoices/${id}/pdf`)
  expect(answer.status).toBe(200)
  const [page] = textOn(answer.data)
  for (const text of ['DANFSe v2.0', 'NFS-e SEM VALIDADE JURÍDICA', 'Padaria Açaí & Cia Ltda.', 'R$ 150,00'])
    expect(page?.replaceAll('\u00a0', ' ')).toContain(text)
  await app.close()
})

it.each([
  ['another layout', (xml: string) => xml.replace(/versao="[\d.]+"/, 'versao="9.99"'), /known layout: 9\.99/],
  ['no XML', () => '<NFSe', /./],
  ['a document type', (xml: string) => `<!DOCTYPE a [<!ENTITY b "c">]>${xml}`, /document type/],
  ['no time', (xml: string) => xml.replace(/<dhProc>[^<]*/, '<dhProc>soon'), /when it was made/],
  ['depth', (xml: string) => xml.replace('<infNFSe', '<a>'.repeat(50_000) + '<infNFSe'), /./],
])('409, but 200 for the XML, when the authority wrote %s', async (_name, change, why) => {
  const { id } = await scene.made()
  const [row] = await scene.app.database.query<{ xml: string }>(
    'select xml from tax_invoice_documents where tax_invoice_id = $1',
    [id],
  )
  await scene.app.database.query(
    `update tax_invoice_documents set xml = $2, sha256 = encode(sha256(convert_to($2, 'UTF8')), 'hex')
      where tax_invoice_id = $1`,
    [id, change(row?.xml ?? '')],
  )
  const answer = await scene.clerk.get(`/tax-invoices/${id}/pdf`)
  expect([answer.status, answer.message]).toEqual([409, expect.stringMatching(why)])
  expect((await scene.clerk.get(`/tax-invoices/${id}/xml`)).status).toBe(200)
})
