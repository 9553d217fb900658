import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../../test/app.ts'
import { buyerOf, draftQuote, LICENSE_LINE, sentQuote } from '../../../test/commerce.ts'
import type { Organization, Speaker } from '../../../test/world.ts'

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

describe('POST /quotes', () => {
  it('201 with exact amounts', async () => {
    const lines = [
      { ...LICENSE_LINE, quantity: 3, unit_price: '0.1' },
      { ...LICENSE_LINE, unit_price: '19.99' },
    ]
    expect(await draftQuote(acme, { line_items: lines })).toMatchObject({
      status: 'draft',
      subtotal: '100.25',
      total: '100.25',
      line_items: [
        { unit_price: '0.10', total: '0.30' },
        { unit_price: '19.99', total: '99.95' },
      ],
      order_id: null,
      entitlement_ids: [],
    })
  })
  it('201 in currencies with no and with three digits', async () => {
    const yen = await draftQuote(acme, { currency: 'JPY', line_items: [{ ...LICENSE_LINE, unit_price: '150' }] })
    expect(yen.total).toBe('750')
    const dinar = await draftQuote(acme, { currency: 'KWD', line_items: [{ ...LICENSE_LINE, unit_price: '1.5' }] })
    expect(dinar.total).toBe('7.500')
  })
  it('201 with the entity of the header, else of the country', async () => {
    const body = { currency: 'USD', valid_until: '2099-12-31', line_items: [LICENSE_LINE] }
    expect((await other.staff.post('/quotes', body)).data.company).toBe('entity_global')
    const asked = await acme.staff.post('/quotes', body, { 'x-service-company': 'entity_global' })
    expect(asked.data.company).toBe('entity_global')
    expect((await acme.staff.post('/quotes', body, { 'x-service-company': 'entity_mars' })).status).toBe(400)
  })
  it('403 for customers, owners too', async () => {
    expect((await acme.owner.post('/quotes', {})).status).toBe(403)
  })
  it.each([
    ['currency', { currency: 'XYZ' }],
    ['currency', { currency: 'brl' }],
    ['valid_until', { valid_until: '2020-01-01' }],
    ['valid_until', { valid_until: '2099-02-30' }],
    ['line_items', { line_items: [] }],
    ['line_items.0.unit_price', { line_items: [{ ...LICENSE_LINE, unit_price: '1.001' }] }],
    ['line_items.0.unit_price', { line_items: [{ ...LICENSE_LINE, unit_price: '-1' }] }],
    ['line_items.0.unit_price', { line_items: [{ ...LICENSE_LINE, unit_price: 10 }] }],
    ['line_items.0.unit_price', { line_items: [{ ...LICENSE_LINE, unit_price: '1e3' }] }],
    ['line_items.0.quantity', { line_items: [{ ...LICENSE_LINE, quantity: 0 }] }],
    ['line_items.0.quantity', { line_items: [{ ...LICENSE_LINE, quantity: '5' }] }],
    ['line_items', { line_items: [{ ...LICENSE_LINE, quantity: 1_000_000, unit_price: '999999999.99' }] }],
    ['total', { total: '1.00' }],
    ['status', { status: 'accepted' }],
    ['notes', { notes: 'nul \u0000 here' }],
  ])('422 on %s', async (field, change) => {
    const body = { currency: 'BRL', valid_until: '2099-12-31', line_items: [LICENSE_LINE], ...change }
    const answer = await acme.staff.post('/quotes', body)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.errors?.fields ?? {})).toEqual([field])
  })
})

describe('GET /quotes', () => {
  it('200 without drafts for customers, in the total too', async () => {
    const org = await app.world.organization()
    const reader = await buyerOf(org)
    await draftQuote(org)
    const sent = await sentQuote(org)
    expect((await org.staff.get('/quotes')).meta?.total).toBe(2)
    const answer = await reader.get('/quotes')
    expect(answer.data.map((quote: { id: number }) => quote.id)).toEqual([sent])
    expect(answer.meta).toMatchObject({ total: 1, pages: 1 })
    expect((await reader.get('/quotes?status=draft')).meta?.total).toBe(0)
  })
  it('422 on an unknown status and an unknown parameter', async () => {
    const answer = await buyer.get('/quotes?status=open&colour=red&page=0')
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.errors?.fields ?? {}).toSorted()).toEqual(['colour', 'page', 'status'])
  })
})

describe('GET /quotes/{id}', () => {
  it('404 for a draft, 200 for the staff', async () => {
    const { id } = await draftQuote(acme)
    expect((await buyer.get(at(id))).status).toBe(404)
    expect((await acme.staff.get(at(id))).status).toBe(200)
  })
  it('200 and viewed at the first look, once, by customers only', async () => {
    const id = await sentQuote(acme)
    expect((await acme.staff.get(at(id))).data.status).toBe('sent')
    const looks = await Promise.all(Array.from({ length: 8 }, () => buyer.get(at(id))))
    expect(looks.map((look) => look.data.status)).toEqual(looks.map(() => 'viewed'))
    const events = await app.database.query(
      `select id from events where type = 'titular/quote/viewed' and resource_id = $1`,
      [id],
    )
    expect(events).toHaveLength(1)
  })
})

describe('PUT /quotes/{id}', () => {
  it('200 while it is a draft, with what is present', async () => {
    const { id } = await draftQuote(acme, { notes: 'first' })
    const answer = await acme.staff.put(at(id), { line_items: [{ ...LICENSE_LINE, quantity: 1 }] })
    expect(answer.data).toMatchObject({ total: '30.00', notes: 'first' })
    expect((await acme.staff.put(at(id), { notes: null })).data.notes).toBeNull()
  })
  it('409 once it has been sent', async () => {
    expect((await acme.staff.put(at(await sentQuote(acme)), { notes: 'late' })).status).toBe(409)
  })
  it('422 when the currency no longer fits the amounts', async () => {
    const { id } = await draftQuote(acme, { line_items: [{ ...LICENSE_LINE, unit_price: '1.50' }] })
    expect((await acme.staff.put(at(id), { currency: 'JPY' })).status).toBe(422)
  })
  it('404 for another organization’s', async () => {
    const { id } = await draftQuote(acme)
    expect((await other.staff.put(at(id), { notes: 'x' })).status).toBe(404)
  })
})

describe('POST /quotes/{id}/send', () => {
  it('409 the second time', async () => {
    expect((await acme.staff.post(at(await sentQuote(acme), '/send'))).status).toBe(409)
  })
  it('200 and a mail to each who may decide', async () => {
    const org = await app.world.organization()
    const one = await buyerOf(org)
    await org.member({ scopes: ['orders'] })
    const id = await sentQuote(org)
    await app.service.worker.drain()
    const mails = (await app.service.sandbox?.mail?.list()) ?? []
    const about = mails.filter(({ subject }) => subject.includes(`Q-${id}`))
    expect(about.map(({ to }) => to).toSorted()).toEqual([one.email, org.owner.email].toSorted())
  })
})

describe('POST /quotes/{id}/accept', () => {
  it('200 with order and invoice frozen from the quote', async () => {
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
  it('409 when accepted, rejected, cancelled or a draft of another state', async () => {
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
  it('one order for 64 contenders', async () => {
    const id = await sentQuote(acme)
    const answers = await Promise.all(Array.from({ length: 64 }, () => buyer.post(at(id, '/accept'))))
    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    expect([count(200), count(409)]).toEqual([1, 63])
    expect(await app.database.query('select id from orders where quote_id = $1', [id])).toHaveLength(1)
  })
  it('accept or reject, never both', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await sentQuote(acme)
      const [accepted, rejected] = await Promise.all([buyer.post(at(id, '/accept')), buyer.post(at(id, '/reject'))])
      expect(new Set([accepted.status, rejected.status])).toEqual(new Set([200, 409]))
    }
  })
  it('replays the answer under one Idempotency-Key, refuses another body', async () => {
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
  it('one effect for one Idempotency-Key sent 16 times at once', async () => {
    const body = { currency: 'BRL', valid_until: '2099-12-31', line_items: [LICENSE_LINE], notes: 'sixteen' }
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => acme.staff.post('/quotes', body, { 'idempotency-key': 'sixteen' })),
    )
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
    expect(await app.database.query(`select id from quotes where notes = 'sixteen'`)).toHaveLength(1)
  })
})

describe('POST /quotes/{id}/reject', () => {
  it('200 with the reason kept', async () => {
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

describe('POST /quotes/{id}/cancel', () => {
  it('200 with its order and invoice', async () => {
    const id = await sentQuote(acme)
    const { data } = await buyer.post(at(id, '/accept'))
    expect((await acme.staff.post(at(id, '/cancel'))).data.status).toBe('cancelled')
    expect((await buyer.get(`/orders/${data.order_id}`)).data.status).toBe('cancelled')
    expect((await buyer.get(`/invoices/order/${data.order_id}`)).data[0].status).toBe('void')
    expect((await acme.staff.post(at(id, '/cancel'))).status).toBe(409)
  })
})

describe('GET /quotes/{id}/payment', () => {
  it('409 before acceptance', async () => {
    expect((await buyer.get(at(await sentQuote(acme), '/payment'))).status).toBe(409)
  })
  it('200 without an address until the provider has answered', async () => {
    const id = await sentQuote(acme)
    const { data } = await buyer.post(at(id, '/accept'))
    expect((await buyer.get(at(id, '/payment'))).data).toEqual({
      quote_id: id,
      order_id: data.order_id,
      invoice_id: expect.any(Number),
      status: 'unpaid',
      amount: '150.00',
      currency: 'BRL',
      payment_method: null,
      paid_at: null,
      checkout_url: null,
    })
  })
  it('403 without both scopes, naming the missing one', async () => {
    const id = await sentQuote(acme)
    const half = await acme.member({ scopes: ['quotes'] })
    expect((await half.get(at(id, '/payment'))).message).toBe('Scope not authorized: finances')
    const otherHalf = await acme.member({ scopes: ['finances'] })
    expect((await otherHalf.get(at(id, '/payment'))).message).toBe('Scope not authorized: quotes')
  })
})

describe('quotes past their date', () => {
  it('409 on accept before the job has come by, then expired by the job, in the entity’s own day', async () => {
    const late = await startApp()
    try {
      late.clock.now = new Date('2026-11-20T12:00:00Z')
      const org = await late.world.organization()
      const reader = await buyerOf(org)
      const brazil = await sentQuote(org, { valid_until: '2026-11-20' })
      const world = await sentQuote(org, { valid_until: '2026-11-20', company: 'entity_global' })
      // Past midnight in UTC, still the 20th in São Paulo.
      late.clock.now = new Date('2026-11-21T01:00:00Z')
      expect((await reader.post(at(world, '/accept'))).status).toBe(409)
      expect((await reader.get(at(world))).data.status).toBe('viewed')
      await late.service.worker.start()
      await late.service.worker.drain()
      expect((await reader.get(at(world))).data.status).toBe('expired')
      expect((await reader.get(at(brazil))).data.status).toBe('viewed')
      expect((await reader.post(at(brazil, '/accept'))).status).toBe(200)
    } finally {
      await late.close()
    }
  })
})

describe('invoice numbers', () => {
  it('have no gap per legal entity, under concurrency and refusals', async () => {
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
