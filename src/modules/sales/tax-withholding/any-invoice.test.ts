// Random invoices of customers that keep taxes back, by turns or not at all, of both legal entities, paid net, gross and
// in parts, credited, refunded and voided, from fixed seeds. A model that shares no code says what is kept back and due;
// the statement, the balance, the report and the papers add up to the records.
import { chances } from '#test/harness/chances.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { seeds } from '#test/harness/seeds.ts'
import { type TaxScene, taxScene } from '#test/scenes/tax-scene.ts'
import { WITHHOLDING } from '#test/scenes/tax-withholding.ts'
import type { Answer, Organization } from '#test/harness/world.ts'

let at: TaxScene
beforeAll(async () => {
  at = await taxScene({ ENTITY_BR_PAYMENTS: 'offline', ENTITY_GLOBAL_PAYMENTS: 'offline' })
  at.authority.profile = WITHHOLDING
})
afterAll(() => at.app.close())

const SEEDS = seeds([1, 2], [3, 4, 5, 6, 7, 8])
const STEPS = 40

const cents = (amount: string): number => Math.round(Number(amount) * 100)
const money = (amount: number): string => (amount / 100).toFixed(2)
type Row = Answer['data']
const total = (rows: readonly Row[], field: string): number =>
  rows.reduce((sum: number, row: Row) => sum + cents(row[field]), 0)

/** In hundredths of a percent: the rates of the scene’s profile for a line that sells no entitlement. */
const RATES: Record<string, number> = { irrf: 150, pis: 65, cofins: 300, csll: 100, inss: 1100, iss: 290 }
const half = (amount: number, rate: number): number => Math.floor((amount * rate * 2 + 10_000) / 20_000)

/** What the customer keeps back of an invoice of one line, by tax. */
function kept(amount: number, taxes: readonly string[]): Map<string, number> {
  const all = new Map(taxes.map((tax) => [tax, half(amount, RATES[tax] ?? 0)]))
  const social = ['pis', 'cofins', 'csll'].reduce((sum, tax) => sum + (all.get(tax) ?? 0), 0)
  if (social <= 1000) for (const tax of ['pis', 'cofins', 'csll']) all.delete(tax)
  if ((all.get('irrf') ?? 0) <= 1000) all.delete('irrf')
  if ((all.get('inss') ?? 0) < 1000) all.delete('inss')
  return new Map([...all].filter(([, one]) => one > 0))
}

type Scene = { acme: Organization; taxes: string[]; chance: () => number }
function pick<One>({ chance }: Scene, all: readonly One[]): One {
  const one = all[Math.floor(chance() * all.length)]
  if (one === undefined) throw new Error('nothing to pick')
  return one
}

async function setTaxes(scene: Scene): Promise<void> {
  const federal = ['irrf', 'pis', 'cofins', 'csll', 'inss'].filter(() => scene.chance() < 0.7)
  const isIss = scene.chance() < 0.5
  const body = { federal, iss_municipalities: isIss ? [WITHHOLDING.municipality] : [] }
  expect((await scene.acme.staff.put('/tax-withholding', body)).status).toBe(200)
  scene.taxes = [...federal, ...(isIss ? ['iss'] : [])]
}

async function write(scene: Scene): Promise<void> {
  const [company, currency] = pick(scene, [
    ['entity_br', 'BRL'],
    ['entity_br', 'BRL'],
    ['entity_br', 'USD'],
    ['entity_global', 'USD'],
  ])
  const amount = Math.ceil(scene.chance() ** 3 * 500_000) + 1
  const line_items = [{ product_name: 'Suporte “Pró” 🚀', quantity: 1, unit_price: money(amount) }]
  const answer = await scene.acme.staff.post('/invoices', { company, currency, line_items, status: 'open' })
  expect(answer.status, answer.raw.body).toBe(201)
  const isKept = company === 'entity_br' && currency === 'BRL'
  const expected = isKept ? kept(amount, scene.taxes) : new Map<string, number>()
  const { withheld, net_total, amount_due } = answer.data
  expect(new Map(withheld.map((one: Row) => [one.tax, cents(one.amount)]))).toEqual(expected)
  const net = amount - [...expected.values()].reduce((sum, one) => sum + one, 0)
  expect([net_total, amount_due]).toEqual([money(net), money(net)])
}

const invoicesOf = async ({ acme }: Scene): Promise<Row[]> => {
  const { data } = await acme.owner.get('/invoices?per_page=100')
  const all: Row[] = []
  for (const { id } of data) all.push((await acme.owner.get(`/invoices/${id}`)).data)
  return all
}

/** One act on one invoice; it is refused where the state does not allow it. */
async function act(scene: Scene): Promise<void> {
  const all = await invoicesOf(scene)
  if (all.length === 0) return
  const { id, total: gross, amount_due, amount_paid } = pick(scene, all)
  const part = money(Math.ceil(scene.chance() * Math.max(cents(amount_due), 1)))
  const ofPaid = money(Math.ceil(scene.chance() * Math.max(cents(amount_paid), 1)))
  const { staff } = scene.acme
  const acts: (() => Promise<Answer>)[] = [
    () => staff.post(`/invoices/${id}/pay`, {}),
    () => staff.post(`/invoices/${id}/pay`, { amount: gross }),
    () => staff.post(`/invoices/${id}/pay`, { amount: part }),
    () => staff.post(`/invoices/${id}/credit-notes`, { reason: 'Less', amount: part }),
    () => staff.post(`/invoices/${id}/credit-notes`, { reason: 'All' }),
    () => staff.post(`/invoices/${id}/apply-credit-balance`),
    () => staff.post(`/invoices/${id}/void`),
    () => staff.post(`/invoices/${id}/refund`, { reason: 'Some', amount: ofPaid }),
    () => staff.post(`/invoices/${id}/refund`, { reason: 'The rest' }),
    () => moveOne(scene, pick(scene, all).id),
    () => moveOne(scene, id),
  ]
  const { status, data, raw } = await pick(scene, acts)()
  expect([200, 201, 409, 422], raw.body).toContain(status)
  if (data?.refund_id === undefined) return
  await staff.post(`/refunds/${data.refund_id}/approve`)
  await at.work()
  await staff.post(`/refunds/${data.refund_id}/settle`)
}

/** Any payment to the invoice; without one there is nothing to move. */
async function moveOne(scene: Scene, invoice_id: number): Promise<Answer> {
  const { staff } = scene.acme
  const { data: payments }: { data: Row[] } = await staff.get('/payments?per_page=100')
  const { id } = payments.length > 0 ? pick(scene, payments) : { id: 0 }
  return id === 0 ? staff.post('/credit-balances', {}) : staff.post(`/payments/${id}/move`, { invoice_id })
}

/** Each invoice by itself, from its own sums and its credit notes. */
function check(invoice: Row, notes: readonly Row[]): void {
  const own = notes.filter(({ invoice_id }) => invoice_id === invoice.id)
  const [credited, taken] = [total(own, 'total'), total(own, 'withheld_total')]
  const withheld = total(invoice.withheld, 'amount')
  expect(cents(invoice.net_total)).toBe(cents(invoice.total) - withheld)
  expect(cents(invoice.amount_credited)).toBe(credited)
  expect(taken).toBeLessThanOrEqual(withheld)
  const left = cents(invoice.net_total) - (credited - taken)
  const due = left - cents(invoice.amount_paid) + cents(invoice.amount_refunded)
  expect(cents(invoice.amount_due)).toBe(['open', 'uncollectible'].includes(invoice.status) ? due : 0)
  expect(invoice.status === 'open' && due === 0).toBe(false)
  // The last credit note takes back what is left of the taxes.
  expect(credited === cents(invoice.total) ? taken : withheld).toBe(withheld)
  for (const note of own) expect(total(note.withheld, 'amount')).toBe(cents(note.withheld_total))
}

async function checkSums({ acme }: Scene, invoices: readonly Row[], notes: readonly Row[]): Promise<void> {
  const { data: balances } = await acme.owner.get('/credit-balances')
  for (const [company, currency] of [
    ['entity_br', 'BRL'],
    ['entity_br', 'USD'],
    ['entity_global', 'USD'],
  ]) {
    const ofAccount = (row: Row) => row.company === company && row.currency === currency
    const [own, back] = [invoices.filter(ofAccount), notes.filter(ofAccount)]
    const whole = own.filter(({ status }) => status !== 'void')
    const ids = whole.map(({ id }) => id)
    const less = back.filter(({ invoice_id }) => ids.includes(invoice_id))
    const owed =
      total(whole, 'net_total') -
      (total(less, 'total') - total(less, 'withheld_total')) -
      total(own, 'amount_paid') +
      total(own, 'amount_refunded') -
      total(balances.filter(ofAccount), 'amount')
    const { data } = await acme.owner.get(`/account-statement?company=${company}&currency=${currency}`)
    expect(cents(data.closing)).toBe(owed)
  }
  const { data: report } = await acme.owner.get('/reports/withheld-taxes')
  const living = invoices.filter(({ status }) => status !== 'void')
  const ofLiving = notes.filter(({ invoice_id }) => living.some(({ id }) => id === invoice_id))
  expect(total(report.rows, 'withheld_net')).toBe(
    total(
      living.flatMap(({ withheld }) => withheld),
      'amount',
    ) - total(ofLiving, 'withheld_total'),
  )
}

it.each(SEEDS)('seed %i: what is kept back, due, credited and reported agrees to the cent', async (seed) => {
  const acme = await at.app.world.organization()
  const scene: Scene = { acme, taxes: [], chance: chances(seed) }
  for (let step = 0; step < STEPS; step++) {
    if (step % 10 === 0) await setTaxes(scene)
    await (scene.chance() < 0.35 ? write(scene) : act(scene))
    const { data: notes } = await acme.owner.get('/credit-notes?per_page=100')
    for (const invoice of await invoicesOf(scene)) check(invoice, notes)
  }
  await at.work()
  const { data: notes } = await acme.owner.get('/credit-notes?per_page=100')
  const invoices = await invoicesOf(scene)
  expect(new Set(invoices.map(({ withheld }) => withheld.length > 0))).toEqual(new Set([true, false]))
  await checkSums(scene, invoices, notes)
})
