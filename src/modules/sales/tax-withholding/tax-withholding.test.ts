// Taxes that customers keep back: which ones, and what an invoice has of them when it is finalized.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FEDERAL, lineOf, WITHHOLDING, withholdingScene, type WithholdingScene } from '#test/scenes/tax-withholding.ts'

let scene: WithholdingScene
let acme: WithholdingScene['acme']
let at: WithholdingScene['at']
let buyer: WithholdingScene['buyer']
beforeAll(async () => {
  scene = await withholdingScene()
  ;({ acme, at, buyer } = scene)
})
afterAll(() => at.app.close())

describe('PUT /tax-withholding', () => {
  it('200 for who reads finances; empty lists take it back', async () => {
    const set = { federal: [...FEDERAL], iss_municipalities: ['3550308'] }
    expect((await scene.keepBack(set)).data).toEqual(set)
    expect((await buyer.get('/tax-withholding')).data).toEqual(set)
    // By no other door: the organization itself is for the scope `organization`.
    expect((await acme.owner.get(`/organizations/${acme.id}`)).data).not.toHaveProperty('tax_withholding')
    const clerk = await acme.member({ scopes: ['organization'] })
    expect((await clerk.get('/tax-withholding')).status).toBe(403)
    expect((await scene.keepBack({})).data).toEqual({ federal: [], iss_municipalities: [] })
    expect((await buyer.get('/tax-withholding')).data).toEqual({ federal: [], iss_municipalities: [] })
  })

  it('403 for the customer, 422 for what is no tax and no municipality', async () => {
    expect((await buyer.put('/tax-withholding', { federal: ['irrf'] })).status).toBe(403)
    const { status, errors } = await scene.keepBack({ federal: ['iss', 'irrf'], iss_municipalities: ['São Paulo'] })
    expect([status, Object.keys(errors?.fields ?? {})]).toEqual([422, ['federal.0', 'iss_municipalities.0']])
    expect((await scene.keepBack({ federal: ['irrf', 'irrf'] })).status).toBe(422)
  })

  it('422 in the body of the organization itself, which finances do not write', async () => {
    const body = { tax_withholding: { federal: ['irrf'], iss_municipalities: [] } }
    expect((await acme.staff.put(`/organizations/${acme.id}`, body)).status).toBe(422)
  })
})

const of = (tax: string, percent: string, amount: string) => ({
  tax,
  percent,
  base: '1000.00',
  amount,
  invoice_lines: [1],
})
describe('POST /invoices/{id}/finalize', () => {
  it('200 with the taxes of the day, each of its base, and the net total as what is due', async () => {
    await scene.keepBack({ federal: [...FEDERAL, 'inss'], iss_municipalities: ['3550308', '3304557'] })
    const draft = await scene.write('1000.00', { status: 'draft' })
    expect(draft).toMatchObject({ withheld: [], net_total: '1000.00', amount_due: '1000.00' })
    const { data } = await scene.act(draft.id, 'finalize')
    expect(data.withheld).toEqual([
      of('irrf', '1.50', '15.00'),
      of('pis', '0.65', '6.50'),
      of('cofins', '3.00', '30.00'),
      of('csll', '1.00', '10.00'),
      of('iss', '2.90', '29.00'),
      of('inss', '11.00', '110.00'),
    ])
    expect(data).toMatchObject({
      total: '1000.00',
      withheld_total: '200.50',
      net_total: '799.50',
      amount_due: '799.50',
    })
  })

  it('each service has its own rates; a half cent is rounded away from zero', async () => {
    await scene.keepBack({ federal: [...FEDERAL, 'inss'] })
    const [env, plg] = [await scene.entitlement('ENV'), await scene.entitlement('PLG')]
    const line_items = [
      lineOf(plg.code, '701.00'),
      lineOf(env.code, '500.00'),
      lineOf(plg.code, '600.00'),
      lineOf(null, '91.00'),
    ]
    const { withheld } = await scene.write('0', { line_items })
    expect(withheld).toEqual([
      { tax: 'irrf', percent: '1.50', base: '1392.00', amount: '20.88', invoice_lines: [1, 3, 4] },
      { tax: 'pis', percent: '0.65', base: '1392.00', amount: '9.05', invoice_lines: [1, 3, 4] },
      { tax: 'cofins', percent: '3.00', base: '1392.00', amount: '41.76', invoice_lines: [1, 3, 4] },
      { tax: 'csll', percent: '1.00', base: '1392.00', amount: '13.92', invoice_lines: [1, 3, 4] },
      { tax: 'inss', percent: '11.00', base: '91.00', amount: '10.01', invoice_lines: [4] },
    ])
    const half = await scene.write('1001.00')
    expect(half.withheld.find(({ tax }: { tax: string }) => tax === 'pis')?.amount).toBe('6.51')
  })

  it.each([
    ['667.00', ['irrf', 'pis', 'cofins', 'csll']],
    ['666.33', ['pis', 'cofins', 'csll']],
    ['215.27', ['pis', 'cofins', 'csll']],
    ['215.00', []],
  ])('of %s %j: R$ 10.00 or less is not withheld', async (total, taxes) => {
    await scene.keepBack({ federal: [...FEDERAL] })
    const { withheld, net_total, amount_due } = await scene.write(total)
    expect(withheld.map(({ tax }: { tax: string }) => tax)).toEqual(taxes)
    expect(amount_due).toBe(net_total)
  })

  it('nothing of other currencies, of the other legal entity, of late charges, and of customers abroad', async () => {
    await scene.keepBack({ federal: [...FEDERAL], iss_municipalities: ['3550308'] })
    const none = { withheld: [], withheld_total: '0.00' }
    expect(await scene.write('1000.00', { currency: 'USD' })).toMatchObject({ ...none, net_total: '1000.00' })
    expect(await scene.write('1000.00', { company: 'entity_global' })).toMatchObject(none)
    const late = await scene.write('50000.00', { issue_date: '2024-01-02', due_date: '2024-01-09' })
    await at.app.database.query('update invoices set due_date = $1, issue_date = $1 where id = $2', [
      '2024-01-09',
      late.id,
    ])
    await acme.staff.put('/admin/dunning/entity_br', {
      schedule: { reminder_days: [], grace_days: 15, suspends: false, fine_percent: '2.00' },
    })
    expect((await scene.act(late.id, 'late-charges')).data).toMatchObject({ ...none, origin: 'late_charges' })
    await acme.staff.put(`/organizations/${acme.id}`, { country: 'PT' })
    expect(await scene.write('1000.00')).toMatchObject(none)
    await acme.staff.put(`/organizations/${acme.id}`, { country: 'Brasil' })
    await scene.keepBack({ federal: [], iss_municipalities: ['3304557'] })
    expect(await scene.write('1000.00')).toMatchObject(none)
  })

  it('ISS is withheld of everybody where the profile says so, and of nobody without a rate', async () => {
    await scene.keepBack({})
    at.authority.profile = { ...WITHHOLDING, iss_withheld: '2' }
    expect(await scene.write('1000.00')).toMatchObject({ withheld: [{ tax: 'iss', amount: '29.00' }] })
    at.authority.profile = { ...WITHHOLDING, iss_withheld: '2', services: { default: { national: '990101' } } }
    expect(await scene.write('1000.00')).toMatchObject({ withheld: [] })
    at.authority.profile = null
    await scene.keepBack({ federal: [...FEDERAL] })
    expect(await scene.write('1000.00')).toMatchObject({ withheld: [] })
    at.authority.profile = WITHHOLDING
  })

  it('who becomes exempt between invoice and payment: what is finalized stays', async () => {
    await scene.keepBack({ federal: [...FEDERAL] })
    const { id } = await scene.write('1000.00')
    await scene.keepBack({})
    at.authority.profile = { ...WITHHOLDING, federal: {} }
    expect((await buyer.get(`/invoices/${id}`)).data).toMatchObject({ net_total: '938.50', amount_due: '938.50' })
    expect((await scene.act(id, 'pay')).data).toMatchObject({ status: 'paid', amount_paid: '938.50' })
    expect(await scene.write('1000.00')).toMatchObject({ withheld: [], amount_due: '1000.00' })
    at.authority.profile = WITHHOLDING
  })
})
