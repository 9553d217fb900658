// Accepting and rejecting a quote (spec 3.1), over HTTP: the records, two at once, the numbers and codes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { buyerOf, draftQuote, LICENSE_LINE, sentQuote } from '#test/scenes/commerce.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

let app: TestApp
let acme: Organization
let other: Organization
let buyer: Speaker

beforeAll(async () => {
  app = await startApp()
  acme = await app.world.organization({ name: 'Açaí & “Cia” 🫐' })
  other = await app.world.organization({ country: 'US' })
  buyer = await buyerOf(acme)
})
afterAll(() => app.close())

const at = (id: number, act = '') => `/quotes/${id}${act}`

const counters = () => app.database.query('select prefix, period, last from code_counters order by 1, 2')

/** The purchase order on order, invoice and quote, of a quote with `purchase_order` that is accepted with `body`. */
const orderedWith = async (purchase_order: string | null, body: object | undefined) => {
  const id = await sentQuote(acme, { purchase_order })
  const { data } = await buyer.post(at(id, '/accept'), body)
  const [order, invoices, quote] = [
    await buyer.get(`/orders/${data.order_id}`),
    await buyer.get(`/invoices/order/${data.order_id}`),
    await buyer.get(at(id)),
  ]
  return [order.data, invoices.data[0], quote.data].map((one) => one.purchase_order)
}

describe('POST /quotes/{id}/accept', () => {
  it('200 with order and invoice copied from the quote', async () => {
    const id = await sentQuote(acme)
    const answer = await buyer.post(at(id, '/accept'))
    expect(answer).toMatchObject({ status: 200, data: { quote_id: id, status: 'accepted' }, message: 'Quote accepted' })
    const order = await buyer.get(`/orders/${answer.data.order_id}`)
    expect(order.data).toMatchObject({
      status: 'pending',
      quote_id: id,
      total: '150.00',
      billing_name: 'Açaí & “Cia” 🫐',
      customer_id: buyer.userId,
      items: order.data.line_items,
    })
    const invoices = await buyer.get(`/invoices/order/${order.data.id}`)
    expect(invoices.data).toMatchObject([{ status: 'open', total: '150.00', total_cents: 15_000, origin: 'order' }])
    expect(invoices.data[0].number).toMatch(/^BR-\d{6}$/)
  })
  it('200 with the codes of the future entitlements on order, invoice and quote, of the month of acceptance', async () => {
    const lines = [LICENSE_LINE, { ...LICENSE_LINE, entitlement_class: 'SVC' }, LICENSE_LINE]
    const id = await sentQuote(acme, { line_items: lines })
    const { data } = await buyer.post(at(id, '/accept'))
    const order = (await buyer.get(`/orders/${data.order_id}`)).data
    const month = app.clock.now.toISOString().slice(0, 7).replace('-', '')
    const codes = order.items.map((line: { entitlement_code: string }) => line.entitlement_code)
    expect(codes).toEqual(
      ['PLG', 'SVC', 'PLG'].map((of) => expect.stringMatching(new RegExp(`^${of}-${month}\\d{4,}$`))),
    )
    expect(new Set(codes).size).toBe(3)
    const [invoice] = (await buyer.get(`/invoices/order/${order.id}`)).data
    expect(invoice.line_items).toEqual(order.items)
    expect((await buyer.get(at(id))).data.line_items).toMatchObject(order.items)
    expect(order.entitlements).toEqual([])
    await acme.staff.post(`/invoices/${invoice.id}/pay`, {})
    await app.service.worker.drain()
    const { entitlements } = (await buyer.get(`/orders/${order.id}`)).data
    expect(entitlements.map(({ code }: { code: string }) => code)).toEqual(codes)
  })
  it('409 allocates no code for a quote that cannot be accepted', async () => {
    const rejected = await sentQuote(acme)
    await buyer.post(at(rejected, '/reject'))
    const before = await counters()
    expect((await buyer.post(at(rejected, '/accept'))).status).toBe(409)
    expect((await buyer.post(at((await draftQuote(acme)).id, '/accept'))).status).toBe(404)
    expect((await acme.staff.post(at((await draftQuote(acme)).id, '/accept'))).status).toBe(409)
    expect(await counters()).toEqual(before)
  })
  it('200 with the customer’s purchase order, else that of the quote, on order and invoice', async () => {
    expect(await orderedWith(null, undefined)).toEqual([null, null, null])
    expect(await orderedWith('Ours 7', { purchase_order: null })).toEqual(['Ours 7', 'Ours 7', 'Ours 7'])
    expect(await orderedWith('Ours 7', { purchase_order: '“الطلب” 🧾 7' })).toEqual(Array(3).fill('“الطلب” 🧾 7'))
  })
  it.each([
    ['purchase_order', { purchase_order: 'x'.repeat(256) }],
    ['purchase_order', { purchase_order: '' }],
    ['purchase_order', { purchase_order: 'two\nlines' }],
    ['purchase_order', { purchase_order: 7 }],
    ['status', { status: 'paid' }],
  ])('422 on %s, and nothing is accepted', async (field, body) => {
    const id = await sentQuote(acme)
    const answer = await buyer.post(at(id, '/accept'), body)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.errors?.fields ?? {})).toEqual([field])
    expect((await buyer.get(at(id))).data.status).toBe('viewed')
  })
  it('409 for an accepted, rejected or cancelled quote, and for a draft by staff', async () => {
    const accepted = await sentQuote(acme)
    await buyer.post(at(accepted, '/accept'))
    const rejected = await sentQuote(acme)
    await buyer.post(at(rejected, '/reject'), { reason: 'no' })
    const cancelled = await sentQuote(acme)
    await acme.staff.post(at(cancelled, '/cancel'))
    for (const id of [accepted, rejected, cancelled]) expect((await buyer.post(at(id, '/accept'))).status).toBe(409)
    expect((await acme.staff.post(at((await draftQuote(acme)).id, '/accept'))).status).toBe(409)
  })
  it('404 for another organization’s and for a draft', async () => {
    const id = await sentQuote(acme)
    expect((await other.owner.post(at(id, '/accept'))).status).toBe(404)
    expect((await buyer.post(at((await draftQuote(acme)).id, '/accept'))).status).toBe(404)
  })
  it('creates one order for 64 requests at once', async () => {
    const id = await sentQuote(acme)
    const answers = await Promise.all(Array.from({ length: 64 }, () => buyer.post(at(id, '/accept'))))
    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    expect([count(200), count(409)]).toEqual([1, 63])
    expect(await app.database.query('select id from orders where quote_id = $1', [id])).toHaveLength(1)
  })
  it('accepts or rejects when both come at once', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await sentQuote(acme)
      const [accepted, rejected] = await Promise.all([buyer.post(at(id, '/accept')), buyer.post(at(id, '/reject'))])
      expect(new Set([accepted.status, rejected.status])).toEqual(new Set([200, 409]))
    }
  })
  it('repeats the answer for the same Idempotency-Key, and rejects another body', async () => {
    const id = await sentQuote(acme)
    const key = { 'idempotency-key': '"accept-1"' }
    const once = await buyer.post(at(id, '/accept'), {}, key)
    const again = await buyer.post(at(id, '/accept'), {}, key)
    expect(again).toMatchObject({ status: 200, data: once.data })
    expect(again.headers['idempotent-replayed']).toBe('true')
    const reject = { 'idempotency-key': 'reject-1' }
    const second = await sentQuote(acme)
    await buyer.post(at(second, '/reject'), { reason: 'a' }, reject)
    expect((await buyer.post(at(second, '/reject'), { reason: 'b' }, reject)).status).toBe(422)
    expect((await buyer.post(at(second, '/accept'), {}, { 'idempotency-key': '' })).status).toBe(400)
  })
  it('has one effect for one Idempotency-Key sent 16 times at once', async () => {
    const body = { currency: 'BRL', valid_until: '2099-12-31', line_items: [LICENSE_LINE], notes: 'sixteen' }
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => acme.staff.post('/quotes', body, { 'idempotency-key': 'sixteen' })),
    )
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
    expect(await app.database.query(`select id from quotes where notes = 'sixteen'`)).toHaveLength(1)
  })
})

describe('POST /quotes/{id}/reject', () => {
  it('200 with the reason stored', async () => {
    const id = await sentQuote(acme)
    expect(await buyer.post(at(id, '/reject'), { reason: 'caro demais ¯\\_(ツ)_/¯' })).toMatchObject({
      status: 200,
      data: null,
    })
    expect((await buyer.get(at(id))).data).toMatchObject({
      status: 'rejected',
      rejection_reason: 'caro demais ¯\\_(ツ)_/¯',
    })
  })
  it('200 without a body', async () => {
    expect((await buyer.post(at(await sentQuote(acme), '/reject'))).status).toBe(200)
  })
})

describe('a quote past its date', () => {
  it('cannot be accepted even before the job expires it, by the day of the legal entity', async () => {
    const late = await startApp()
    try {
      late.clock.now = new Date('2026-11-20T12:00:00Z')
      const org = await late.world.organization()
      const customer = await buyerOf(org)
      const brazil = await sentQuote(org, { valid_until: '2026-11-20' })
      const world = await sentQuote(org, { valid_until: '2026-11-20', company: 'entity_global' })
      // Past midnight in UTC, still the 20th in São Paulo.
      late.clock.now = new Date('2026-11-21T01:00:00Z')
      expect((await customer.post(at(world, '/accept'))).status).toBe(409)
      expect((await customer.get(at(world))).data.status).toBe('viewed')
      await late.service.worker.start()
      await late.service.worker.drain()
      expect((await customer.get(at(world))).data.status).toBe('expired')
      expect((await customer.get(at(brazil))).data.status).toBe('viewed')
      expect((await customer.post(at(brazil, '/accept'))).status).toBe(200)
    } finally {
      await late.close()
    }
  })
})

describe('invoice numbers', () => {
  it('have no gaps per legal entity, with concurrent and rejected requests', async () => {
    const own = await startApp()
    try {
      const orgs = await Promise.all(Array.from({ length: 6 }, () => own.world.organization()))
      const people = await Promise.all(orgs.map(buyerOf))
      await Promise.all(
        orgs.flatMap((org, index) =>
          Array.from({ length: 4 }, async () => {
            const id = await sentQuote(org)
            await Promise.all([people[index]?.post(at(id, '/accept')), people[index]?.post(at(id, '/accept'))])
          }),
        ),
      )
      const rows = await own.database.query<{ number: string }>('select number from invoices order by number')
      expect(rows.map(({ number }) => number)).toEqual(
        rows.map((_, index) => `BR-${String(index + 1).padStart(6, '0')}`),
      )
      expect(rows).toHaveLength(24)
    } finally {
      await own.close()
    }
  })
})
