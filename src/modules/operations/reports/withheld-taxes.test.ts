// The report of withheld taxes against the invoices and credit notes that it is made of.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buyerOf } from '#test/scenes/commerce.ts'
import { FEDERAL, withholdingScene, type WithholdingScene } from '#test/scenes/tax-withholding.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

type Row = Record<string, string>
let at: WithholdingScene['at']
let acme: Organization
let buyer: Speaker
beforeAll(async () => {
  const scene = await withholdingScene()
  ;({ at, acme, buyer } = scene)
  await scene.keepBack({ federal: [...FEDERAL] })
})
afterAll(() => at.app.close())

async function open(total: string): Promise<number> {
  const line_items = [{ product_name: 'Suporte', quantity: 1, unit_price: total }]
  const body = { currency: 'BRL', company: 'entity_br', line_items, status: 'open' }
  return (await acme.staff.post('/invoices', body)).data.id
}
const rows = async (by: Speaker, path: string): Promise<Row[]> => (await by.get(path)).data.rows
const cents = (all: Row[], column: string): number =>
  all.reduce((sum, row) => sum + Math.round(Number(row[column]) * 100), 0)

describe('GET /admin/reports/withheld-taxes', () => {
  it('200: by tax and customer, less what credit notes and voids took back, to the cent', async () => {
    const [, credited, voided] = [await open('1000.00'), await open('777.77'), await open('1333.33')]
    await acme.staff.post(`/invoices/${credited}/credit-notes`, { reason: 'Less', amount: '33.33' })
    await acme.staff.post(`/invoices/${credited}/credit-notes`, { reason: 'All' })
    await acme.staff.post(`/invoices/${voided}/credit-notes`, { reason: 'Less', amount: '100.01' })
    await acme.staff.post(`/invoices/${voided}/void`)
    const report = await rows(acme.staff, `/admin/reports/withheld-taxes?organization_id=${acme.id}`)
    expect(report.map((row) => row['withheld_tax'])).toEqual([...FEDERAL].toSorted())
    expect(new Set(report.map((row) => row['withheld_net'])).size).toBe(4)
    const { data: invoices } = await buyer.get('/invoices')
    const records: Row[] = []
    for (const { id } of invoices) records.push((await buyer.get(`/invoices/${id}`)).data)
    const { data: notes } = await buyer.get('/credit-notes')
    expect(cents(report, 'withheld')).toBe(cents(records, 'total') - cents(records, 'net_total'))
    expect(cents(report, 'withheld_credited')).toBe(cents(notes, 'withheld_total'))
    expect(cents(report, 'withheld_net')).toBe(61_50)
    expect(cents(report, 'withheld')).toBe(
      cents(report, 'withheld_net') + cents(report, 'withheld_credited') + cents(report, 'withheld_voided'),
    )
  })

  it('200 for the organization itself, and nothing of another one; an empty list of other months', async () => {
    const own = await rows(buyer, '/reports/withheld-taxes')
    expect(own).toEqual(await rows(acme.staff, `/admin/reports/withheld-taxes?organization_id=${acme.id}`))
    expect(await rows(buyer, '/reports/withheld-taxes?month_from=2020-01&month_to=2020-12')).toEqual([])
    const stranger = await buyerOf(await at.app.world.organization())
    expect(await rows(stranger, '/reports/withheld-taxes')).toEqual([])
    expect((await (await acme.member({ scopes: ['orders'] })).get('/reports/withheld-taxes')).status).toBe(403)
  })
})
