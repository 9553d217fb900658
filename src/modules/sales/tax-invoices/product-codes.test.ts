// Service code, NBS and rate of a product, in what is declared, shown and declared again.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lineOf, paidInvoice } from '#test/scenes/paid-invoices.ts'
import { PROFILE } from '#test/stand-ins/tax-authority.ts'
import { type TaxScene, taxScene } from '#test/scenes/tax-scene.ts'
import type { Speaker } from '#test/harness/world.ts'

let scene: TaxScene
let administrator: Speaker
beforeAll(async () => {
  scene = await taxScene()
  administrator = await scene.app.world.user({ roles: ['customer', 'administrator'] })
})
beforeEach(() => scene.authority.reset())
afterAll(() => scene.app.close())

let next = 1
async function product(codes: object): Promise<number> {
  const body = { sku: `CODE-${next++}`, name: 'Backup', entitlement_class: 'PLG', ...codes }
  const answer = await administrator.post('/admin/products', body)
  expect(answer.status, answer.raw.body).toBe(201)
  return answer.data.id
}
const soldOf = (total: string, product_id: number | null) => ({ ...lineOf('PLG', total), product_id })

async function declaredOf(invoice: number) {
  const rows = await scene.app.database.query<{ id: number }>(
    'select id from tax_invoices where invoice_id = $1 order by id',
    [invoice],
  )
  return Promise.all(rows.map(({ id }) => scene.get(id)))
}

describe('a product', () => {
  it('with codes of its own is declared by them, apart from the others, to the cent', async () => {
    const own = await product({ service_code: '010701002', nbs_code: '111032200', iss_rate: '5.00' })
    const nomenclature = await product({ nbs_code: '111031000' })
    const lines = [soldOf('33.33', own), soldOf('33.33', nomenclature), soldOf('33.34', null)]
    const invoice = await paidInvoice(scene.app, scene.acme, { total: '100.01', lines })
    await scene.work()
    const found = await declaredOf(invoice)
    expect(
      found.map(({ status, service_code, nbs_code, iss_rate, total }) => [
        status,
        service_code,
        nbs_code,
        iss_rate,
        total,
      ]),
    ).toEqual([
      ['issued', '010701002', '111032200', '5.00', '33.33'],
      ['issued', '010501', '111031000', '2.00', '33.33'],
      ['issued', '010501', null, '2.00', '33.35'],
    ])
    const services = scene.authority.declared.map(({ service }) => service)
    expect(services).toHaveLength(3)
    expect(services).toEqual(
      expect.arrayContaining([
        { national: '010701', municipal: '002', nbs: '111032200', iss_rate: '5.00' },
        { national: '010501', nbs: '111031000', iss_rate: '2.00' },
        { national: '010501', iss_rate: '2.00' },
      ]),
    )
  })
  it('with other codes since is declared by them after a refusal, and keeps what was issued', async () => {
    const id = await product({ service_code: '010701' })
    const sold = () => paidInvoice(scene.app, scene.acme, { lines: [soldOf('150.00', id)] })
    scene.authority.script.issue = ['issue', [{ code: 'E0310', message: 'Código inválido', detail: null }]]
    const kept = await sold()
    await scene.work()
    const refused = await sold()
    await scene.work()
    await administrator.patch(`/admin/products/${id}`, { service_code: '010801', iss_rate: '4.5' })
    const [{ id: retried }] = (await declaredOf(refused)) as [{ id: number }]
    expect((await scene.acme.staff.post(`/tax-invoices/${retried}/retry`)).status).toBe(200)
    await scene.work()
    expect(await scene.get(retried)).toMatchObject({ status: 'issued', service_code: '010801', iss_rate: '4.50' })
    expect(await declaredOf(kept)).toMatchObject([{ status: 'issued', service_code: '010701', iss_rate: null }])
    await administrator.patch(`/admin/products/${id}`, { service_code: null, iss_rate: null })
    const swap = { reason_code: '99', reason: 'The address was wrong' }
    const { data } = await scene.acme.staff.post(`/tax-invoices/${retried}/substitute`, swap)
    await scene.work()
    const { national, iss_rate } = PROFILE.services['default'] ?? {}
    expect(await scene.get(data.id)).toMatchObject({ status: 'issued', service_code: national, iss_rate })
  })
})

describe('POST and PATCH /admin/products', () => {
  it.each([
    ['service_code', ['10501', '0105010', 'ABCDEF', '', 10501]],
    ['nbs_code', ['11103220', '1110322000', '1.1103.22.00', 111032200]],
    ['iss_rate', ['10', '-1', '2.905', '2,90', 'two', 2.9, '']],
  ])('422 for a wrong %s', async (field, values) => {
    const id = await product({})
    for (const value of values) {
      const body = { sku: 'CODE-X', name: 'Backup', entitlement_class: 'PLG', [field]: value }
      for (const answer of [
        await administrator.post('/admin/products', body),
        await administrator.patch(`/admin/products/${id}`, { [field]: value }),
      ]) {
        expect(answer.status, String(value)).toBe(422)
        expect(answer.errors?.fields).toHaveProperty(field)
      }
    }
  })
})
