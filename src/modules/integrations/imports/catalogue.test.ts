// Imports of what the vendor sells, and of contracts; and who may import what.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  csv,
  errorsOf,
  imported,
  importScene,
  outcomes,
  report,
  sendImport,
  type ImportScene,
} from '#test/scenes/imports.ts'

let at: ImportScene
beforeAll(async () => void (at = await importScene()))
afterAll(() => at.app.close())

describe('products', () => {
  const columns = ['external_id', 'sku', 'name', 'entitlement_class', 'company', 'currency', 'unit_price', 'interval']
  const price = ['entity_br', 'BRL', '49,90', 'month']
  const file = csv(
    columns,
    ['1', 'HOST-1', 'Hosting', 'ENV', ...price],
    ['2', 'host-1', 'Hosting again', 'ENV', ...price],
    ['3', 'PLG-1', 'Plugin "Pro" 😀', 'PLG', '', '', '', ''],
    ['4', 'PLG-2', 'Half a price', 'PLG', 'entity_br', '', '10,00', ''],
    ['5', 'PLG-3', '', 'XYZ', ...price],
    ['6', 'PLG-4', 'Sub-cent', 'PLG', 'entity_br', 'BRL', '1,001', ''],
    ['3', 'PLG-5', 'Twice', 'PLG', '', '', '', ''],
  )
  const asked = { kind: 'products', decimal_separator: ',' }
  it('have their price, of no organization', async () => {
    const before = await at.app.database.query('select 1 from products')
    const dry = await imported(at.app, at.staff, { ...asked, dry_run: 'true' }, file)
    expect(await at.app.database.query('select 1 from products')).toEqual(before)
    const done = await imported(at.app, at.staff, asked, file)
    expect(errorsOf(done)).toEqual([
      null,
      { sku: 'is that of line 2' },
      null,
      { currency: 'is required' },
      { name: expect.any(String), entitlement_class: expect.any(String) },
      { unit_price: expect.any(String) },
      { external_id: 'is that of line 4' },
    ])
    expect(errorsOf(dry)).toEqual(errorsOf(done))
    expect(done.lines[0]).toMatchObject({ organization_id: null, resource_id: expect.any(Number) })
    expect((await at.staff.get(`/admin/products/${done.lines[0].resource_id}`)).data).toMatchObject({
      sku: 'HOST-1',
      entitlement_class: 'ENV',
      active: true,
      prices: [{ company: 'entity_br', currency: 'BRL', unit_price: '49.90', interval: 'month', active: true }],
    })
    const again = await imported(at.app, at.staff, asked, file)
    expect(outcomes(again).filter((one) => one !== 'refused')).toEqual(['unchanged', 'unchanged'])
    expect(await at.app.database.query(`select 1 from service_audit where resource = 'product'`)).toHaveLength(2)
  })
  it('have several prices, one for each company and currency', async () => {
    const product = { sku: 'EDU-1', name: 'Course', entitlement_class: 'EDU' }
    const [br, us] = [
      { company: 'entity_br', currency: 'BRL', unit_price: '100.00', term_months: 12 },
      { company: 'entity_global', currency: 'USD', unit_price: '20.00' },
    ]
    const done = await imported(at.app, at.staff, { kind: 'products' }, [
      { ...product, external_id: 'p1', prices: [br, us] },
      { ...product, external_id: 'p2', sku: 'EDU-2', prices: [br, br] },
      { ...product, external_id: 'p3', sku: 'EDU-3', prices: [us], ...us },
      { ...product, external_id: 'p4', sku: 'EDU-4', prices: [{ ...br, interval: 'month' }] },
      { ...product, external_id: 'p5', sku: 'host-1' },
    ])
    expect(errorsOf(done)).toEqual([
      null,
      { 'prices.1': 'is the second price of this company and currency' },
      { prices: 'must not stand beside unit_price' },
      { 'prices.0.term_months': expect.any(String) },
      { row: 'Another product has this SKU' },
    ])
    const { data } = await at.staff.get(`/admin/products/${done.lines[0].resource_id}`)
    expect(data.prices).toMatchObject([br, us])
  })
})

describe('contracts', () => {
  it('are drafts, or in force, of the organization and its entitlement', async () => {
    const sold = { class: 'ENV', product_name: 'Hosting', company: 'entity_br', organization_external_id: '1' }
    await imported(at.app, at.staff, { kind: 'entitlements' }, [{ ...sold, external_id: 'hosting' }])
    const contract = { organization_external_id: '1', title: 'Maintenance', start_date: '2020-01-01' }
    const lines = [
      { ...contract, external_id: 'k1', entitlement_external_id: 'hosting', status: 'active', notice_days: 30 },
      { ...contract, external_id: 'k2' },
      { ...contract, external_id: 'k3', end_date: '2019-01-01' },
      { ...contract, external_id: 'k4', end_date: '2021-01-01', status: 'active' },
      { ...contract, external_id: 'k5', status: 'cancelled' },
      { ...contract, external_id: 'k6', organization_external_id: '2', entitlement_external_id: 'hosting' },
      { ...contract, external_id: 'k7', entitlement_id: 999_999 },
      { ...contract, external_id: 'k2', title: 'Twice' },
    ]
    const dry = await imported(at.app, at.staff, { kind: 'contracts', dry_run: 'true' }, lines)
    expect((await at.inside.get('/contracts')).meta?.total).toBe(0)
    const done = await imported(at.app, at.staff, { kind: 'contracts' }, lines)
    expect(errorsOf(done)).toEqual([
      null,
      null,
      { end_date: 'must not lie before start_date' },
      { row: 'end_date has passed' },
      { status: expect.any(String) },
      { entitlement_external_id: 'names nothing that was imported from this source' },
      { row: expect.stringContaining('not') },
      { external_id: 'is that of line 2' },
    ])
    expect(errorsOf(dry)).toEqual(errorsOf(done))
    const contractOf = async (nth: number) => (await at.inside.get(`/contracts/${done.lines[nth].resource_id}`)).data
    expect(await contractOf(0)).toMatchObject({
      status: 'active',
      company: 'entity_br',
      entitlement_code: expect.stringMatching(/^ENV-/),
      activated_at: expect.any(String),
      notice_days: 30,
    })
    expect(await contractOf(1)).toMatchObject({ status: 'draft', entitlement_id: null, activated_at: null })
    expect(outcomes(await imported(at.app, at.staff, { kind: 'contracts' }, lines)).slice(0, 2)).toEqual([
      'unchanged',
      'unchanged',
    ])
  })
})

describe('POST /admin/imports', () => {
  it('403 for who may not change what the lines become, and 403 for cancelling as well', async () => {
    const sales = await at.acme.staffAs('sales')
    const seller = at.app.world.speaker({ authorization: sales.headers['authorization'] ?? '' }, sales)
    const lines = [{ external_id: 'a1', name: 'Of sales' }]
    expect((await sendImport(seller, { kind: 'organizations', source: 'sales' }, lines)).status).toBe(202)
    for (const [kind, scope] of Object.entries({ invoices: 'finances', products: 'catalogue', licenses: 'licenses' })) {
      const { status, message } = await sendImport(seller, { kind, source: 'sales' }, lines)
      expect({ status, message }).toEqual({ status: 403, message: `Scope not authorized: ${scope}:write` })
    }
    const { data } = await sendImport(at.staff, { kind: 'products', source: 'sales' }, lines)
    expect((await seller.post(`/admin/imports/${data.id}/cancel`)).status).toBe(403)
    await at.app.service.worker.drain()
    expect(await report(seller, data.id)).toMatchObject({ status: 'completed', refused: 1 })
    const files = await at.app.database.query('select 1 from imports where storage_key is not null')
    expect(files).toEqual([])
  })
})
