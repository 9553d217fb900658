// Taxes that customers keep back: what an invoice has of them, and what is due, paid, credited and refunded then.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buyerOf, eventually } from '#test/scenes/commerce.ts'
import { type TaxScene, taxScene } from '#test/scenes/tax-scene.ts'
import { textOn } from '#test/harness/pdf-text.ts'
import { FEDERAL, WITHHOLDING } from '#test/scenes/tax-withholding.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'

let at: TaxScene
let acme: Organization
let buyer: Speaker
beforeAll(async () => {
  at = await taxScene({ ENTITY_BR_PAYMENTS: 'offline' })
  at.authority.profile = WITHHOLDING
  acme = await at.app.world.organization()
  buyer = await buyerOf(acme)
})
afterAll(() => at.app.close())

const keepBack = (body: object): Promise<Answer> => acme.staff.put('/tax-withholding', body)
const invoiceOf = async (id: number) => (await buyer.get(`/invoices/${id}`)).data
const act = (id: number, name: string, body: object = {}): Promise<Answer> =>
  acme.staff.post(`/invoices/${id}/${name}`, body)

/** An open invoice of the legal entity in Brazil; lines that bill no entitlement are of the class ORD. */
async function written(total: string, body: object = {}): Promise<Answer['data']> {
  const line_items = [{ product_name: 'Suporte “Pró” 🚀', quantity: 1, unit_price: total }]
  const invoice = { currency: 'BRL', company: 'entity_br', line_items, status: 'open', ...body }
  const { data } = await acme.staff.post('/invoices', invoice)
  return data
}

const textOf = async (id: number, language: string): Promise<string> =>
  textOn((await buyer.get(`/invoices/${id}/pdf`, { 'accept-language': language })).raw.rawPayload).join(' ')

const balance = async (): Promise<string> => {
  const { data } = await buyer.get('/credit-balances')
  return data.find((one: { currency: string }) => one.currency === 'BRL')?.amount ?? '0.00'
}
const statement = async () => (await buyer.get('/account-statement?company=entity_br&currency=BRL')).data

describe('PUT /tax-withholding', () => {
  it('200 for who reads finances; empty lists take it back', async () => {
    const set = { federal: [...FEDERAL], iss_municipalities: ['3550308'] }
    expect((await keepBack(set)).data).toEqual(set)
    expect((await buyer.get('/tax-withholding')).data).toEqual(set)
    // By no other door: the organization itself is for the scope `organization`.
    expect((await acme.owner.get(`/organizations/${acme.id}`)).data).not.toHaveProperty('tax_withholding')
    const clerk = await acme.member({ scopes: ['organization'] })
    expect((await clerk.get('/tax-withholding')).status).toBe(403)
    expect((await keepBack({})).data).toEqual({ federal: [], iss_municipalities: [] })
    expect((await buyer.get('/tax-withholding')).data).toEqual({ federal: [], iss_municipalities: [] })
  })

  it('403 for the customer, 422 for what is no tax and no municipality', async () => {
    expect((await buyer.put('/tax-withholding', { federal: ['irrf'] })).status).toBe(403)
    const { status, errors } = await keepBack({ federal: ['iss', 'irrf'], iss_municipalities: ['São Paulo'] })
    expect([status, Object.keys(errors?.fields ?? {})]).toEqual([422, ['federal.0', 'iss_municipalities.0']])
    expect((await keepBack({ federal: ['irrf', 'irrf'] })).status).toBe(422)
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
const entitlement = async (kind: string) => {
  const body = { class: kind, product_name: kind, organization_id: acme.id, company: 'entity_br' }
  return (await acme.staff.post('/entitlements', body)).data
}
const line = (code: string | null, unit_price: string) => ({
  product_name: 'Line',
  quantity: 1,
  unit_price,
  entitlement_code: code,
})

describe('POST /invoices/{id}/finalize', () => {
  it('200 with the taxes of the day, each of its base, and the net total as what is due', async () => {
    await keepBack({ federal: [...FEDERAL, 'inss'], iss_municipalities: ['3550308', '3304557'] })
    const draft = await written('1000.00', { status: 'draft' })
    expect(draft).toMatchObject({ withheld: [], net_total: '1000.00', amount_due: '1000.00' })
    const { data } = await act(draft.id, 'finalize')
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
    await keepBack({ federal: [...FEDERAL, 'inss'] })
    const [env, plg] = [await entitlement('ENV'), await entitlement('PLG')]
    const line_items = [
      line(plg.code, '701.00'),
      line(env.code, '500.00'),
      line(plg.code, '600.00'),
      line(null, '91.00'),
    ]
    const { withheld } = await written('0', { line_items })
    expect(withheld).toEqual([
      { tax: 'irrf', percent: '1.50', base: '1392.00', amount: '20.88', invoice_lines: [1, 3, 4] },
      { tax: 'pis', percent: '0.65', base: '1392.00', amount: '9.05', invoice_lines: [1, 3, 4] },
      { tax: 'cofins', percent: '3.00', base: '1392.00', amount: '41.76', invoice_lines: [1, 3, 4] },
      { tax: 'csll', percent: '1.00', base: '1392.00', amount: '13.92', invoice_lines: [1, 3, 4] },
      { tax: 'inss', percent: '11.00', base: '91.00', amount: '10.01', invoice_lines: [4] },
    ])
    const half = await written('1001.00')
    expect(half.withheld.find(({ tax }: { tax: string }) => tax === 'pis')?.amount).toBe('6.51')
  })

  it.each([
    ['667.00', ['irrf', 'pis', 'cofins', 'csll']],
    ['666.33', ['pis', 'cofins', 'csll']],
    ['215.27', ['pis', 'cofins', 'csll']],
    ['215.00', []],
  ])('of %s %j: R$ 10.00 or less is not withheld', async (total, taxes) => {
    await keepBack({ federal: [...FEDERAL] })
    const { withheld, net_total, amount_due } = await written(total)
    expect(withheld.map(({ tax }: { tax: string }) => tax)).toEqual(taxes)
    expect(amount_due).toBe(net_total)
  })

  it('nothing of other currencies, of the other legal entity, of late charges, and of customers abroad', async () => {
    await keepBack({ federal: [...FEDERAL], iss_municipalities: ['3550308'] })
    const none = { withheld: [], withheld_total: '0.00' }
    expect(await written('1000.00', { currency: 'USD' })).toMatchObject({ ...none, net_total: '1000.00' })
    expect(await written('1000.00', { company: 'entity_global' })).toMatchObject(none)
    const late = await written('50000.00', { issue_date: '2024-01-02', due_date: '2024-01-09' })
    await at.app.database.query('update invoices set due_date = $1, issue_date = $1 where id = $2', [
      '2024-01-09',
      late.id,
    ])
    await acme.staff.put('/admin/dunning/entity_br', {
      schedule: { reminder_days: [], grace_days: 15, suspends: false, fine_percent: '2.00' },
    })
    expect((await act(late.id, 'late-charges')).data).toMatchObject({ ...none, origin: 'late_charges' })
    await acme.staff.put(`/organizations/${acme.id}`, { country: 'PT' })
    expect(await written('1000.00')).toMatchObject(none)
    await acme.staff.put(`/organizations/${acme.id}`, { country: 'Brasil' })
    await keepBack({ federal: [], iss_municipalities: ['3304557'] })
    expect(await written('1000.00')).toMatchObject(none)
  })

  it('ISS is withheld of everybody where the profile says so, and of nobody without a rate', async () => {
    await keepBack({})
    at.authority.profile = { ...WITHHOLDING, iss_withheld: '2' }
    expect(await written('1000.00')).toMatchObject({ withheld: [{ tax: 'iss', amount: '29.00' }] })
    at.authority.profile = { ...WITHHOLDING, iss_withheld: '2', services: { default: { national: '990101' } } }
    expect(await written('1000.00')).toMatchObject({ withheld: [] })
    at.authority.profile = null
    await keepBack({ federal: [...FEDERAL] })
    expect(await written('1000.00')).toMatchObject({ withheld: [] })
    at.authority.profile = WITHHOLDING
  })

  it('who becomes exempt between invoice and payment: what is finalized stays', async () => {
    await keepBack({ federal: [...FEDERAL] })
    const { id } = await written('1000.00')
    await keepBack({})
    at.authority.profile = { ...WITHHOLDING, federal: {} }
    expect(await invoiceOf(id)).toMatchObject({ net_total: '938.50', amount_due: '938.50' })
    expect((await act(id, 'pay')).data).toMatchObject({ status: 'paid', amount_paid: '938.50' })
    expect(await written('1000.00')).toMatchObject({ withheld: [], amount_due: '1000.00' })
    at.authority.profile = WITHHOLDING
  })
})

describe('an invoice of which taxes are withheld', () => {
  beforeAll(() => keepBack({ federal: [...FEDERAL] }))

  it('is paid by the net amount, at once or in parts', async () => {
    const { id } = await written('1000.00')
    expect((await act(id, 'pay', { amount: '900.00' })).data).toMatchObject({ status: 'open', amount_due: '38.50' })
    expect((await act(id, 'pay', { amount: '38.50' })).data).toMatchObject({
      status: 'paid',
      total: '1000.00',
      amount_paid: '938.50',
      amount_due: '0.00',
    })
  })

  it('paid gross is paid, and the rest is credit', async () => {
    const before = Number(await balance())
    const { id } = await written('1000.00')
    expect((await act(id, 'pay', { amount: '1000.00' })).data).toMatchObject({ status: 'paid', amount_paid: '938.50' })
    expect(Number(await balance())).toBeCloseTo(before + 61.5, 2)
    await acme.staff.post('/credit-balances', {
      company: 'entity_br',
      currency: 'BRL',
      kind: 'withdrawn',
      amount: '61.50',
      reason: 'Kept back later',
    })
  })

  it('a credit note takes back the same part of the taxes, and what is due is net', async () => {
    const { id } = await written('1000.00')
    const note = await act(id, 'credit-notes', { reason: 'Less', amount: '100.00' })
    expect(note.data).toMatchObject({ total: '100.00', withheld_total: '6.15' })
    expect(note.data.withheld).toEqual([
      { tax: 'irrf', percent: '1.50', base: '100.00', amount: '1.50' },
      { tax: 'pis', percent: '0.65', base: '100.00', amount: '0.65' },
      { tax: 'cofins', percent: '3.00', base: '100.00', amount: '3.00' },
      { tax: 'csll', percent: '1.00', base: '100.00', amount: '1.00' },
    ])
    expect(await invoiceOf(id)).toMatchObject({ net_total: '938.50', amount_due: '844.65', amount_credited: '100.00' })
    expect((await act(id, 'credit-notes', { reason: 'Too much', amount: '900.01' })).status).toBe(422)
    await act(id, 'pay', { amount: '844.64' })
    const last = await act(id, 'credit-notes', { reason: 'A cent' })
    expect(last.data).toMatchObject({ total: '0.01', withheld_total: '0.00' })
    const paid = await eventually(
      at.app,
      () => invoiceOf(id),
      ({ status }) => status === 'paid',
    )
    expect(paid).toMatchObject({ amount_due: '0.00', amount_paid: '844.64' })
  })

  it('all of it credited is void, and nothing is left of the taxes', async () => {
    const { id } = await written('1000.00')
    const note = await act(id, 'credit-notes', { reason: 'All' })
    expect(note.data).toMatchObject({ total: '1000.00', withheld_total: '61.50' })
    const paper = await buyer.get(`/credit-notes/${note.data.id}/pdf`, { 'accept-language': 'pt-BR' })
    const words = textOn(paper.raw.rawPayload).join(' ')
    expect(words).toContain('tributos retidos')
    expect(words).toContain('61,50')
    expect(await invoiceOf(id)).toMatchObject({ status: 'void', amount_due: '0.00' })
  })

  it('the PDF says what is kept back, and the net total', async () => {
    const { id } = await written('1000.00')
    const portuguese = await textOf(id, 'pt-BR')
    for (const words of ['Retenção de COFINS', 'Valor líquido', '938,50']) expect(portuguese).toContain(words)
    const english = await textOf(id, 'en')
    for (const words of ['IRRF withheld', 'Net total', 'Amount due']) expect(english).toContain(words)
  })

  it('a refund gives back at most what was paid; its credit note is of the whole price', async () => {
    const { id } = await written('1000.00')
    await act(id, 'pay')
    expect((await act(id, 'refund', { amount: '938.51' })).status).toBe(422)
    for (const body of [{ amount: '100.00', reason: 'A part' }, { reason: 'The rest' }]) {
      const { refund_id } = (await act(id, 'refund', body)).data
      await acme.staff.post(`/refunds/${refund_id}/approve`)
      await at.work()
      await acme.staff.post(`/refunds/${refund_id}/settle`)
    }
    const notes = (await buyer.get(`/credit-notes?invoice_id=${id}`)).data
    const sums = (field: string) =>
      notes.reduce((sum: number, note: Record<string, string>) => sum + Math.round(Number(note[field]) * 100), 0)
    expect([sums('total'), sums('withheld_total')]).toEqual([100_000, 6_150])
    expect(await invoiceOf(id)).toMatchObject({ payment_status: 'refunded', amount_refunded: '938.50' })
  })

  it('the statement says what is due, with the taxes as lines of their own', async () => {
    const { number, id } = await written('1000.00')
    const before = await statement()
    const lines = before.lines.filter(({ reference }: { reference: string }) => reference === number)
    expect(lines.map(({ kind, amount }: { kind: string; amount: string }) => [kind, amount])).toEqual([
      ['invoice', '1000.00'],
      ['tax_withheld', '-61.50'],
    ])
    await act(id, 'void')
    const voided = (await statement()).lines.filter(({ reference }: { reference: string }) => reference === number)
    expect(voided.reduce((sum: number, { amount }: { amount: string }) => sum + Number(amount), 0)).toBeCloseTo(0, 5)
  })
})

const declaredOf = async (id: number) => {
  await at.work()
  const { data } = await buyer.get('/tax-invoices')
  const made = await Promise.all(data.map((one: { id: number }) => buyer.get(`/tax-invoices/${one.id}`)))
  return made.map((answer) => answer.data).filter(({ invoice_id }) => invoice_id === id)
}
const kept = (all: { withheld: { tax: string; amount: string }[] }[]) =>
  all.map(({ withheld }) => Object.fromEntries(withheld.map(({ tax, amount }) => [tax, amount])))

describe('the tax invoices of an invoice of which taxes are withheld', () => {
  it('declare each the taxes of its lines, and together those of the invoice', async () => {
    await keepBack({ federal: [...FEDERAL], iss_municipalities: ['3550308'] })
    const env = await entitlement('ENV')
    const { id } = await written('0', { line_items: [line(null, '1000.00'), line(env.code, '500.00')] })
    at.authority.declared.length = 0
    await act(id, 'pay')
    const made = await declaredOf(id)
    const social = { irrf: '15.00', pis: '6.50', cofins: '30.00', csll: '10.00' }
    expect(kept(made.toSorted((one, other) => Number(other.total) - Number(one.total)))).toEqual([
      { ...social, iss: '29.00' },
      { iss: '14.50' },
    ])
    expect(at.authority.declared.map(({ withheld }) => withheld.length).toSorted((one, other) => one - other)).toEqual([
      1, 5,
    ])
  })

  it('declare what credit notes have left of them', async () => {
    const { id } = await written('1000.00')
    await act(id, 'credit-notes', { reason: 'Less', amount: '100.00' })
    await act(id, 'pay')
    const [made] = await declaredOf(id)
    expect(made.total).toBe('900.00')
    expect(kept([made])).toEqual([{ irrf: '13.50', pis: '5.85', cofins: '27.00', csll: '9.00', iss: '26.10' }])
  })
})
