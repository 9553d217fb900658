// What the tax invoices of one invoice declare in all: its total less its credit notes, in whatever order they are made again.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { seeds } from '#test/harness/seeds.ts'
import { lineOf, openInvoice, payInvoice } from '#test/scenes/paid-invoices.ts'
import { PROFILE, type ScriptedAnswer } from '#test/stand-ins/tax-authority.ts'
import { type TaxScene, taxScene } from '#test/scenes/tax-scene.ts'

let scene: TaxScene
beforeAll(async () => (scene = await taxScene()))
beforeEach(() => {
  scene.authority.reset()
  scene.authority.profile = {
    ...PROFILE,
    services: { ...PROFILE.services, SVC: { national: '010701', iss_rate: '2.00' } },
  }
})
afterAll(() => scene.app.close())

const WHY = { reason_code: '99', reason: 'The address was wrong' }
const AMOUNTS = ['100.00', '100.00', '100.00']
type Row = {
  id: number
  status: string
  substatus: string | null
  total: string
  line: number
  replaces_id: number | null
}

/** Three lines with a service code each: three tax invoices. */
async function declared(): Promise<number> {
  const lines = ['PLG', 'ENV', 'SVC'].map((code, index) => lineOf(code, AMOUNTS[index] ?? ''))
  const invoice = await openInvoice(scene.app, scene.acme, { lines, total: '300.00' })
  await payInvoice(scene.acme, invoice)
  await scene.work()
  return invoice
}
const rowsOf = (invoice: number) =>
  scene.app.database.query<Row>(
    `select id, status, substatus, total, line_numbers[1] as line, replaces_id from tax_invoices
      where invoice_id = $1 and status <> 'cancelled' order by id`,
    [invoice],
  )
const issuedOf = async (invoice: number) => (await rowsOf(invoice)).filter(({ status }) => status === 'issued')
const inForce = async (invoice: number): Promise<Record<number, string>> =>
  Object.fromEntries((await issuedOf(invoice)).map(({ line, total }) => [line, total]))

const act = (id: number, what: string, body?: object) => scene.acme.staff.post(`/tax-invoices/${id}/${what}`, body)
const substitute = (id: number) => act(id, 'substitute', WHY)
const cancel = (id: number) => act(id, 'cancel', { reason_code: '9', reason: 'It was decided so' })
const issue = (invoice_id: number) => scene.acme.staff.post('/tax-invoices', { invoice_id })
const creditNote = (invoice: number, body: object) =>
  scene.acme.staff.post(`/invoices/${invoice}/credit-notes`, { reason: 'Less', ...body })
const creditLine = (invoice: number, invoice_line: number, unit_price: string) =>
  creditNote(invoice, { line_items: [{ description: 'Less', quantity: 1, unit_price, invoice_line }] })
async function refund(invoice: number, amount: string): Promise<void> {
  const { status, data } = await scene.acme.staff.post(`/invoices/${invoice}/refund`, { amount })
  expect(status).toBe(200)
  expect((await scene.acme.staff.post(`/refunds/${data.refund_id}/settle`, {})).status).toBe(200)
}

const ORDERS = [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]] // prettier-ignore
async function substituteAll(invoice: number, order: readonly number[]): Promise<void> {
  const rows = await issuedOf(invoice)
  for (const line of order) {
    const row = rows.find((one) => one.line === line)
    expect((await substitute(row?.id ?? 0)).status).toBe(201)
  }
}

describe('three tax invoices that are substituted before the first successor is issued', () => {
  it.each(ORDERS)('declare 270.00 of 300.00 after a refund of 30.00, in the order %i, %i, %i', async (...order) => {
    const invoice = await declared()
    await refund(invoice, '30.00')
    await substituteAll(invoice, order)
    await scene.work()
    const totals = await inForce(invoice)
    expect(totals[order[0] ?? 0]).toBe('70.00')
    expect(Object.values(totals).toSorted()).toEqual(['100.00', '100.00', '70.00'])
  })
  it.each(ORDERS)('leave the credit to the line that was credited, in the order %i, %i, %i', async (...order) => {
    const invoice = await declared()
    expect((await creditLine(invoice, 2, '30.00')).status).toBe(201)
    // It refunds what was credited, and credits no more.
    await refund(invoice, '30.00')
    await substituteAll(invoice, order)
    await scene.work()
    expect(await inForce(invoice)).toEqual({ 1: '100.00', 2: '70.00', 3: '100.00' })
  })
  it('declare the rest when one of them is refused, cancelled, and substituted again', async () => {
    const invoice = await declared()
    await refund(invoice, '30.00')
    scene.authority.script.issue = [[{ code: 'E0188', message: 'Não', detail: null }]]
    const [first] = await issuedOf(invoice)
    await substitute(first?.id ?? 0)
    await scene.work()
    const refused = (await rowsOf(invoice)).find(({ status }) => status === 'error')
    expect((await cancel(refused?.id ?? 0)).status).toBe(200)
    await substituteAll(invoice, [3, 1, 2])
    await scene.work()
    expect(await inForce(invoice)).toEqual({ 1: '100.00', 2: '100.00', 3: '70.00' })
  })
})

describe('a credit of a line before the tax invoices', () => {
  it('lowers the one of its line only', async () => {
    const lines = [lineOf('PLG', '100.00'), lineOf('ENV', '50.00')]
    const invoice = await openInvoice(scene.app, scene.acme, { lines })
    await creditLine(invoice, 1, '30.00')
    await payInvoice(scene.acme, invoice)
    await scene.work()
    expect(await inForce(invoice)).toEqual({ 1: '70.00', 2: '50.00' })
  })
})

describe('a tax invoice that is substituted while another one is being cancelled', () => {
  it('does not give way to it', async () => {
    const invoice = await declared()
    await refund(invoice, '100.00')
    scene.authority.script.cancel = ['away']
    const [first, second] = await issuedOf(invoice)
    await cancel(first?.id ?? 0)
    await scene.work()
    expect((await substitute(second?.id ?? 0)).data).toMatchObject({ total: '100.00' })
    await scene.workLong(1)
    expect(await inForce(invoice)).toEqual({ 2: '100.00', 3: '100.00' })
    expect((await issue(invoice)).status).toBe(409)
  })
})

describe('what was declared too low', () => {
  it('is declared in full by the next substitution', async () => {
    const invoice = await declared()
    await refund(invoice, '30.00')
    await scene.app.database.query(
      `update tax_invoices set total = 70.00 where invoice_id = $1 and line_numbers[1] < 3`,
      [invoice],
    )
    const [first] = await issuedOf(invoice)
    expect((await substitute(first?.id ?? 0)).data).toMatchObject({ total: '100.00' })
    await scene.work()
  })
})

const REFUSED = [{ code: 'E0188', message: 'Não', detail: null }]
const ANSWERS: ScriptedAnswer[] = ['issue', 'issue', 'issue', 'lost', 'issued_unseen', 'late', 'away', REFUSED]

/** A die with a seed: the same sequence every time. */
function dieOf(seed: number) {
  let state = seed
  return (faces: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor(state / 65_536) % faces
  }
}

/** In cents: what a bookkeeper notes, who knows the sums and nothing of how tax invoices are made. */
type Book = { loose: number; ofLine: Record<number, number> }
const cents = (amount: string) => Math.round(Number(amount) * 100)
const credited = ({ loose, ofLine }: Book) => loose + Object.values(ofLine).reduce((all, one) => all + one, 0)
const decimal = (amount: number) => (amount / 100).toFixed(2)
const sumOf = async (invoice: number) => (await issuedOf(invoice)).reduce((all, { total }) => all + cents(total), 0)

async function step(invoice: number, book: Book, die: (faces: number) => number): Promise<void> {
  const rows = await rowsOf(invoice)
  const row = rows[die(Math.max(rows.length, 1))]
  const { authority } = scene
  authority.script.issue.push(ANSWERS[die(ANSWERS.length)] ?? 'issue')
  switch (die(7)) {
    case 0:
    case 1:
      if (row) await substitute(row.id)
      return
    case 2:
      if (row) await act(row.id, 'retry')
      return
    case 3:
      if (row && die(2) === 0) await cancel(row.id)
      return
    case 4:
      await issue(invoice)
      return
    case 5: {
      const amount = 1 + die(4000)
      const line = die(4)
      const answer = await (line === 0
        ? creditNote(invoice, { amount: decimal(amount) })
        : creditLine(invoice, line, decimal(amount)))
      if (answer.status !== 201) return
      if (line === 0) book.loose += amount
      else book.ofLine[line] = (book.ofLine[line] ?? 0) + amount
      return
    }
    default:
      if (die(2) === 0) await scene.work()
      else await scene.workLong(1)
  }
}

/** No more is pending: what the authority refused is cancelled, what was lost has been looked up. */
async function settle(invoice: number): Promise<void> {
  scene.authority.script = { issue: [], find: [], cancel: [], prepare: [] }
  await scene.workLong(4)
  for (const { id, status, substatus } of await rowsOf(invoice))
    if (status === 'error')
      await act(id, substatus === 'refused' ? 'cancel' : 'retry', { reason_code: '9', ...DECIDED })
  await scene.workLong(2)
  expect((await rowsOf(invoice)).filter(({ status }) => status !== 'issued')).toEqual([])
}
const DECIDED = { reason: 'It was decided so' }

/** Makes all of them again in a random order; what is credited wholly is cancelled, what has none gets one. */
async function correctAll(invoice: number, die: (faces: number) => number): Promise<void> {
  const rows = await issuedOf(invoice)
  const isIssuedFirst = die(2) === 0
  if (isIssuedFirst) await issue(invoice)
  while (rows.length > 0) {
    const [row] = rows.splice(die(rows.length), 1)
    const answer = await substitute(row?.id ?? 0)
    if (answer.status === 409) await cancel(row?.id ?? 0)
    if (die(4) === 0) await scene.work()
  }
  await scene.work()
  await issue(invoice)
  await scene.work()
}

describe('any order of substitutions, credits, cancellations, errors and retries', () => {
  it.each(seeds([1, 2], [3, 4, 5, 6, 7, 8]))('declares all that is left, seed %i', async (seed) => {
    const die = dieOf(seed * 7919)
    const invoice = await declared()
    const book: Book = { loose: 0, ofLine: {} }
    for (let count = 0; count < 25; count++) await step(invoice, book, die)
    await settle(invoice)
    const lines = Object.keys(await inForce(invoice))
    const least = lines.length === 3 ? 30_000 - credited(book) : 0
    expect(await sumOf(invoice), 'never too little').toBeGreaterThanOrEqual(least)
    await correctAll(invoice, die)
    const totals = await inForce(invoice)
    expect(await sumOf(invoice), JSON.stringify({ book, totals })).toBe(30_000 - credited(book))
    for (const line of [1, 2, 3])
      expect(cents(totals[line] ?? '0.00'), `line ${line}`).toBeLessThanOrEqual(10_000 - (book.ofLine[line] ?? 0))
  })
})
