// What is due, paid, credited, refunded and declared of an invoice of which taxes are withheld.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '#test/scenes/commerce.ts'
import { textOn } from '#test/harness/pdf-text.ts'
import { FEDERAL, lineOf, withholdingScene, type WithholdingScene } from '#test/scenes/tax-withholding.ts'

let scene: WithholdingScene
let acme: WithholdingScene['acme']
let at: WithholdingScene['at']
let buyer: WithholdingScene['buyer']
beforeAll(async () => {
  scene = await withholdingScene()
  ;({ acme, at, buyer } = scene)
})
afterAll(() => at.app.close())

const invoiceOf = async (id: number) => (await buyer.get(`/invoices/${id}`)).data
const textOf = async (id: number, language: string): Promise<string> =>
  textOn((await buyer.get(`/invoices/${id}/pdf`, { 'accept-language': language })).raw.rawPayload).join(' ')

/** What each of credit notes of these amounts is computed from, tax by tax. */
async function basesOf(id: number, ...amounts: string[]): Promise<string[][]> {
  const bases: string[][] = []
  for (const amount of amounts) {
    const { data } = await scene.act(id, 'credit-notes', { reason: 'Less', amount })
    bases.push(data.withheld.map(({ base }: { base: string }) => base))
  }
  return bases
}

const balance = async (): Promise<string> => {
  const { data } = await buyer.get('/credit-balances')
  return data.find((one: { currency: string }) => one.currency === 'BRL')?.amount ?? '0.00'
}
const statement = async () => (await buyer.get('/account-statement?company=entity_br&currency=BRL')).data

describe('an invoice of which taxes are withheld', () => {
  beforeAll(() => scene.keepBack({ federal: [...FEDERAL] }))

  it('is paid by the net amount, at once or in parts', async () => {
    const { id } = await scene.write('1000.00')
    expect((await scene.act(id, 'pay', { amount: '900.00' })).data).toMatchObject({
      status: 'open',
      amount_due: '38.50',
    })
    expect((await scene.act(id, 'pay', { amount: '38.50' })).data).toMatchObject({
      status: 'paid',
      total: '1000.00',
      amount_paid: '938.50',
      amount_due: '0.00',
    })
  })

  it('paid gross is paid, and the rest is credit', async () => {
    const before = Number(await balance())
    const { id } = await scene.write('1000.00')
    expect((await scene.act(id, 'pay', { amount: '1000.00' })).data).toMatchObject({
      status: 'paid',
      amount_paid: '938.50',
    })
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
    const { id } = await scene.write('1000.00')
    const note = await scene.act(id, 'credit-notes', { reason: 'Less', amount: '100.00' })
    expect(note.data).toMatchObject({ total: '100.00', withheld_total: '6.15' })
    expect(note.data.withheld).toEqual([
      { tax: 'irrf', percent: '1.50', base: '100.00', amount: '1.50' },
      { tax: 'pis', percent: '0.65', base: '100.00', amount: '0.65' },
      { tax: 'cofins', percent: '3.00', base: '100.00', amount: '3.00' },
      { tax: 'csll', percent: '1.00', base: '100.00', amount: '1.00' },
    ])
    expect(await invoiceOf(id)).toMatchObject({ net_total: '938.50', amount_due: '844.65', amount_credited: '100.00' })
    expect((await scene.act(id, 'credit-notes', { reason: 'Too much', amount: '900.01' })).status).toBe(422)
    await scene.act(id, 'pay', { amount: '844.64' })
    const last = await scene.act(id, 'credit-notes', { reason: 'A cent' })
    expect(last.data).toMatchObject({ total: '0.01', withheld_total: '0.00' })
    const paid = await eventually(
      at.app,
      () => invoiceOf(id),
      ({ status }) => status === 'paid',
    )
    expect(paid).toMatchObject({ amount_due: '0.00', amount_paid: '844.64' })
  })

  it('201 with bases in proportion to the total, which add up to the invoice’s once all is credited', async () => {
    const one = await scene.write('1000.00')
    expect(await basesOf(one.id, '1.00', '0.50')).toEqual([
      ['1.00', '1.00', '1.00', '1.00'],
      ['0.50', '0.50', '0.50', '0.50'],
    ])
    const other = await scene.write('999.99')
    expect(await basesOf(other.id, '0.01', '532.77', '467.21')).toEqual([
      ['0.01', '0.01', '0.01', '0.01'],
      ['532.77', '532.77', '532.77', '532.77'],
      ['467.21', '467.21', '467.21', '467.21'],
    ])
  })

  it('201 with the bases of lines that are a part of the invoice, rounded with all credit notes before', async () => {
    const env = await scene.entitlement('ENV')
    const { id } = await scene.write('0', { line_items: [lineOf(null, '1000.00'), lineOf(env.code, '500.00')] })
    const bases = await basesOf(id, '0.01', '0.01', '0.01', '1499.97')
    expect(bases.map(([irrf]) => irrf)).toEqual(['0.01', undefined, '0.01', '999.98'])
    expect(bases.flat().every((base) => Number(base) > 0)).toBe(true)
  })

  it('all of it credited is void, and nothing is left of the taxes', async () => {
    const { id } = await scene.write('1000.00')
    const note = await scene.act(id, 'credit-notes', { reason: 'All' })
    expect(note.data).toMatchObject({ total: '1000.00', withheld_total: '61.50' })
    const paper = await buyer.get(`/credit-notes/${note.data.id}/pdf`, { 'accept-language': 'pt-BR' })
    const words = textOn(paper.raw.rawPayload).join(' ')
    expect(words).toContain('tributos retidos')
    expect(words).toContain('61,50')
    expect(await invoiceOf(id)).toMatchObject({ status: 'void', amount_due: '0.00' })
  })

  it.each([
    ['pt-BR', /Creditado\s+R\$\s1,00\s+Dos quais tributos retidos\s+R\$\s0,06/],
    ['en', /Credited\s+R\$\s?1\.00\s+Of which taxes withheld\s+R\$\s?0\.06/],
  ])('200 with the taxes of a credit note below its own amount: %s', async (language, found) => {
    const { id } = await scene.write('1000.00')
    const paper = async (amount: string): Promise<string> => {
      const { data } = await scene.act(id, 'credit-notes', { reason: 'Less', amount })
      const { raw } = await buyer.get(`/credit-notes/${data.id}/pdf`, { 'accept-language': language })
      return textOn(raw.rawPayload).join(' ')
    }
    expect(await paper('1.00')).toMatch(found)
    expect(await paper('0.01')).not.toMatch(/tributos retidos|taxes withheld/)
  })

  it('the PDF says what is kept back, and the net total', async () => {
    const { id } = await scene.write('1000.00')
    const portuguese = await textOf(id, 'pt-BR')
    for (const words of ['Retenção de COFINS', 'Valor líquido', '938,50']) expect(portuguese).toContain(words)
    const english = await textOf(id, 'en')
    for (const words of ['IRRF withheld', 'Net total', 'Amount due']) expect(english).toContain(words)
  })

  it('a refund gives back at most what was paid; its credit note is of the whole price', async () => {
    const { id } = await scene.write('1000.00')
    await scene.act(id, 'pay')
    expect((await scene.act(id, 'refund', { amount: '938.51' })).status).toBe(422)
    for (const body of [{ amount: '100.00', reason: 'A part' }, { reason: 'The rest' }]) {
      const { refund_id } = (await scene.act(id, 'refund', body)).data
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
    const { number, id } = await scene.write('1000.00')
    const before = await statement()
    const lines = before.lines.filter(({ reference }: { reference: string }) => reference === number)
    expect(lines.map(({ kind, amount }: { kind: string; amount: string }) => [kind, amount])).toEqual([
      ['invoice', '1000.00'],
      ['tax_withheld', '-61.50'],
    ])
    await scene.act(id, 'void')
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
    await scene.keepBack({ federal: [...FEDERAL], iss_municipalities: ['3550308'] })
    const env = await scene.entitlement('ENV')
    const { id } = await scene.write('0', { line_items: [lineOf(null, '1000.00'), lineOf(env.code, '500.00')] })
    at.authority.declared.length = 0
    await scene.act(id, 'pay')
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
    const { id } = await scene.write('1000.00')
    await scene.act(id, 'credit-notes', { reason: 'Less', amount: '100.00' })
    await scene.act(id, 'pay')
    const [made] = await declaredOf(id)
    expect([made.total, made.net_total]).toEqual(['900.00', '818.55'])
    expect(kept([made])).toEqual([{ irrf: '13.50', pis: '5.85', cofins: '27.00', csll: '9.00', iss: '26.10' }])
  })
})
