// What the search finds by external ids, the references of providers, and license keys in any case.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { createRecords, type Records } from '#test/scenes/records.ts'
import type { Speaker } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const records: Records = await createRecords(app, acme)

const found = async (speaker: Speaker, q: string, path = '/search'): Promise<string[]> => {
  const answer = await speaker.get(`${path}?q=${encodeURIComponent(q)}`)
  expect(answer.status, answer.raw.body).toBe(200)
  return answer.data.map(({ kind, id, matched }: { kind: string; id: number; matched: string }) =>
    [kind, id, matched].join(' '),
  )
}
const ofStaff = (speaker: Speaker, q: string) => found(speaker, q, '/admin/search')

const KINDS = [
  ['payment', 'payments'],
  ['credit_note', 'credit-notes'],
  ['refund', 'refunds'],
  ['affiliate', 'affiliates'],
  ['order', 'orders'],
  ['tax_invoice', 'tax-invoices'],
  ['service', 'services'],
] as const

describe.each(KINDS)('%s', (kind, path) => {
  it('is found by its external id in the organization and across all, and no more by a former one', async () => {
    const id = records[path]
    const change = async (external_id: string | null) =>
      expect((await acme.staff.patch(`/${path}/${id}`, { external_id })).status).toBe(200)
    await change(`ERP-${kind} "ação" 🚀`)
    for (const q of [`ERP-${kind} "ação" 🚀`, `erp ${kind.toUpperCase()}`]) {
      expect(await found(acme.owner, q), q).toEqual([`${kind} ${id} external_id`])
      expect(await ofStaff(acme.staff, q), q).toEqual([`${kind} ${id} external_id`])
    }
    const other = await app.world.organization()
    expect(await found(other.owner, `ERP-${kind}`)).toEqual([])
    await change(null)
    expect(await found(acme.owner, `ERP-${kind}`)).toEqual([])
  })
})

describe('who finds what', () => {
  it('a refund needs both scopes of its list', async () => {
    expect((await acme.staff.patch(`/refunds/${records['refunds']}`, { external_id: 'BOTH-1' })).status).toBe(200)
    for (const [scopes, expected] of [
      [['finances'], []],
      [['orders'], []],
      [['orders', 'finances'], [`refund ${records['refunds']} external_id`]],
    ] as const)
      expect(await found(await acme.member({ scopes: [...scopes] }), 'both-1'), scopes.join()).toEqual(expected)
    expect(await ofStaff(await acme.staffAs('sales'), 'both-1')).toEqual([])
    expect(await ofStaff(await acme.staffAs('support'), 'both-1')).toEqual([])
    expect(await ofStaff(await acme.staffAs('finance'), 'both-1')).toHaveLength(1)
  })
  it('a ticket is found by staff who may list tickets, and by members with the scope of its entitlement', async () => {
    const asked = { title: 'Zebra', entitlement_id: records['entitlements'] }
    const { data } = await acme.staff.post('/tickets', asked)
    const ticket = `ticket ${data.id} title`
    const finance = await acme.staffAs('finance')
    expect((await finance.get('/tickets')).status).toBe(403)
    for (const [speaker, expected] of [
      [finance, []],
      [await acme.staffAs('support'), [ticket]],
      [acme.staff, [ticket]],
      [await acme.member({ scopes: ['entitlements'] }), [ticket]],
      [await acme.member({ scopes: ['finances'] }), []],
    ] as const)
      expect(await found(speaker, 'zebra')).toEqual(expected)
  })
  it('an organization and a product are found by staff, a product also by the external id of a price', async () => {
    const { id } = acme
    expect((await acme.staff.put(`/organizations/${id}`, { external_id: 'CLIENTE-77' })).status).toBe(200)
    expect(await ofStaff(acme.staff, 'cliente-77')).toEqual([`organization ${id} external_id`])
    const product = { sku: 'BK-50', name: 'Ação "50%"', entitlement_class: 'PLG', external_id: 'MAT-9' }
    const { data } = await acme.staff.post('/admin/products', product)
    const price = { company: 'entity_br', currency: 'BRL', unit_price: '10.00', external_id: 'TAB-9' }
    expect((await acme.staff.post(`/admin/products/${data.id}/prices`, price)).status).toBe(201)
    for (const [q, matched] of [
      ['mat-9', 'external_id'],
      ['TAB-9', 'price_external_id'],
      ['bk-5', 'sku'],
      ['acao "50', 'name'],
    ])
      expect(await ofStaff(acme.staff, q ?? ''), q).toContain(`product ${data.id} ${matched}`)
    expect(await ofStaff(acme.staff, 'bk_5')).toEqual([])
    expect(await ofStaff(await acme.staffAs('support'), 'mat-9')).toEqual([])
    expect(await found(acme.staff, 'mat-9')).toEqual([])
  })
  it('a license by its whole key in any case', async () => {
    const [brought] = await app.database.query<{ id: number }>(
      `insert into licenses (organization_id, license_key, product_name, entitlement_id, entitlement_code, activations_limit)
       select organization_id, 'Wc-19aF-77c0-22dE', product_name, id, code, 5 from entitlements where id = $1 returning id`,
      [records['entitlements']],
    )
    const wanted = `license ${brought?.id} license_key`
    for (const q of ['Wc-19aF-77c0-22dE', 'wc-19af-77c0-22de', ' WC-19AF-77C0-22DE ']) {
      expect(await found(acme.owner, q), q).toEqual([wanted])
      expect(await ofStaff(acme.staff, q), q).toEqual([wanted])
    }
    expect(await found(acme.owner, 'wc-19af')).toEqual([])
    expect(await ofStaff(acme.staff, 'WC-19AF')).toEqual([wanted])
  })
})
