// Payment and provisioning, with the sandbox provider over real HTTP.
import { describe, expect, it } from 'vitest'
import { dayIn, startOfDay } from '#kernel/values/time/calendar.ts'
import { appOfFile } from '#test/harness/app.ts'
import {
  acceptedQuote,
  buyerOf,
  eventually,
  LICENSE_LINE,
  paidEvent,
  deadLetters,
  pressPay,
  sentQuote,
  type Sight,
  sightOf,
  signedEvent,
  withdrawnCredit,
} from '#test/scenes/commerce.ts'

const app = await appOfFile({ listens: true })
const acme = await app.world.organization()
const buyer = await buyerOf(acme)
const see: Sight = sightOf(app, buyer)

const post = (company: string, body: string, headers: Record<string, string>) =>
  app.world.anonymous.post(`/webhooks/payment/${company}`, body, headers)

describe('GET /quotes/{id}/payment', () => {
  it('200 with a checkout for the longest quote: 200 lines with names of 200 characters', async () => {
    const line_items = Array.from({ length: 200 }, () => ({ ...LICENSE_LINE, product_name: '漢'.repeat(200) }))
    const payment = await acceptedQuote(app, acme, buyer, { line_items })
    expect(payment.checkout_url).toMatch(/^http/)
  })
})

describe('POST /webhooks/payment/{company}', () => {
  it('401 without a signature, with a wrong or old one, for a changed body, and for one of the other entity', async () => {
    const good = signedEvent(app, 'entity_br', paidEvent('in_x'))
    const old = signedEvent(app, 'entity_br', paidEvent('in_x'), new Date(app.clock.now.getTime() - 301_000))
    const json = { 'content-type': 'application/json' }
    expect((await post('entity_br', good.body, json)).status).toBe(401)
    expect((await post('entity_br', good.body, { ...json, 'stripe-signature': 't=1,v1=00' })).status).toBe(401)
    expect((await post('entity_br', `${good.body} `, good.headers)).status).toBe(401)
    expect((await post('entity_br', old.body, old.headers)).status).toBe(401)
    expect((await post('entity_global', good.body, good.headers)).status).toBe(401)
    expect(await app.database.query('select id from provider_events')).toHaveLength(0)
  })
  it('401 for an unknown entity, which has no signature', async () => {
    const { body, headers } = signedEvent(app, 'entity_br', paidEvent('in_x'))
    expect((await post('entity_mars', body, headers)).status).toBe(401)
  })
  it('200 for an unknown type, which is stored and ignored', async () => {
    const event = { ...paidEvent('in_x'), type: 'customer.created' }
    const { body, headers } = signedEvent(app, 'entity_br', event)
    expect((await post('entity_br', body, headers)).status).toBe(200)
    await app.service.worker.drain()
    expect(await deadLetters(app)).toEqual([])
  })
  it('200 for the same event fifty times at once, which pays once', async () => {
    const payment = await acceptedQuote(app, acme, buyer)
    const { body, headers } = signedEvent(app, 'entity_br', paidEvent(await see.referenceOf(payment.invoice_id)))
    const answers = await Promise.all(Array.from({ length: 50 }, () => post('entity_br', body, headers)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    await see.quoteStatus(payment.quote_id, 'fulfilled')
    expect(await see.entitlementsOf(payment.quote_id)).toHaveLength(1)
    const paid = await app.database.query(
      `select id from events where type = 'titular/invoice/paid' and resource_id = $1`,
      [payment.invoice_id],
    )
    expect(paid).toHaveLength(1)
  })
  it('200 for a second event about the same payment, which changes nothing', async () => {
    const payment = await acceptedQuote(app, acme, buyer)
    const reference = await see.referenceOf(payment.invoice_id)
    for (let times = 0; times < 3; times++) {
      const { body, headers } = signedEvent(app, 'entity_br', paidEvent(reference))
      await post('entity_br', body, headers)
    }
    await see.quoteStatus(payment.quote_id, 'fulfilled')
    await app.service.worker.drain()
    expect(await see.entitlementsOf(payment.quote_id)).toHaveLength(1)
  })
  it.each([
    ['currency', { currency: 'usd' }],
    ['customer', { customer: 'cus_somebodyelse' }],
  ])('200 and a dead letter for a payment of another %s', async (_what, change) => {
    const payment = await acceptedQuote(app, acme, buyer)
    const { body, headers } = signedEvent(
      app,
      'entity_br',
      paidEvent(await see.referenceOf(payment.invoice_id), change),
    )
    const before = (await deadLetters(app)).length
    expect((await post('entity_br', body, headers)).status).toBe(200)
    await app.service.worker.drain()
    expect(await deadLetters(app)).toHaveLength(before + 1)
    expect((await buyer.get(`/quotes/${payment.quote_id}`)).data.status).toBe('accepted')
  })
  it('200 for a late failure, which does not undo the payment', async () => {
    const payment = await acceptedQuote(app, acme, buyer)
    const reference = await see.referenceOf(payment.invoice_id)
    const paid = signedEvent(app, 'entity_br', paidEvent(reference))
    await post('entity_br', paid.body, paid.headers)
    await see.quoteStatus(payment.quote_id, 'fulfilled')
    const failed = signedEvent(app, 'entity_br', { ...paidEvent(reference), type: 'invoice.payment_failed' })
    await post('entity_br', failed.body, failed.headers)
    await app.service.worker.drain()
    expect((await buyer.get(`/quotes/${payment.quote_id}/payment`)).data.status).toBe('paid')
  })
})

describe('the sandbox’s pay page', () => {
  it('can fail and then pay an invoice', async () => {
    const payment = await acceptedQuote(app, acme, buyer)
    await pressPay(payment.checkout_url, 'failed')
    const look = async () => (await buyer.get(`/quotes/${payment.quote_id}/payment`)).data
    await eventually(app, look, ({ status }) => status === 'failed')
    await pressPay(payment.checkout_url, 'paid')
    expect((await see.quoteStatus(payment.quote_id, 'fulfilled')).entitlement_ids).toHaveLength(1)
  })
  it('is not needed for a quote of 0.00, which is paid by itself', async () => {
    const id = await sentQuote(acme, { line_items: [{ ...LICENSE_LINE, unit_price: '0' }] })
    await buyer.post(`/quotes/${id}/accept`)
    await see.quoteStatus(id, 'fulfilled')
    expect((await buyer.get(`/quotes/${id}/payment`)).data).toMatchObject({ status: 'paid', payment_method: 'free' })
  })
})

const payOneAt = (id: number, paid_at: Date) =>
  acme.staff.post(`/invoices/${id}/pay`, { amount: '1.00', paid_at: paid_at.toISOString() })

describe('POST /invoices/{id}/pay', () => {
  it('422 for a day before the invoice, by the calendar of the legal entity; 200 on its day', async () => {
    const at = { company: 'entity_br', currency: 'BRL', status: 'open' }
    const written = async (more: object) =>
      (await acme.staff.post('/invoices', { ...at, total: '50.00', ...more })).data
    const ZONE = 'America/Sao_Paulo'
    const today = startOfDay(dayIn(app.clock.now, ZONE), ZONE)
    const imported = { number: 'OLD-7', issue_date: '2024-02-10', due_date: '2024-02-28' }
    const ahead = { issue_date: '2099-01-01' }
    for (const [more, first] of [
      [{}, today],
      [ahead, today],
      [imported, startOfDay('2024-02-10', ZONE)],
    ] as const) {
      const { id } = await written(more)
      const early = await payOneAt(id, new Date(first.getTime() - 1))
      expect([early.status, Object.keys(early.errors?.fields ?? {})]).toEqual([422, ['paid_at']])
      expect((await payOneAt(id, first)).status).toBe(200)
    }
  })
  it('200 settles like any other payment, and closes the checkout', async () => {
    const payment = await acceptedQuote(app, acme, buyer)
    const path = `/invoices/${payment.invoice_id}/pay`
    expect((await buyer.post(path, {})).status).toBe(403)
    expect((await acme.staff.post(path, { paid_at: '2999-01-01T00:00:00Z' })).status).toBe(422)
    // The present by a clock that is slightly ahead of ours.
    const paid_at = new Date(app.clock.now.getTime() + 45_000).toISOString()
    const paid = await acme.staff.post(path, { payment_method: 'bank_transfer', paid_at })
    expect(paid.data).toMatchObject({ status: 'paid', payment_method: 'bank_transfer', payment_status: 'paid' })
    expect((await acme.staff.post(path, {})).status).toBe(409)
    await see.quoteStatus(payment.quote_id, 'fulfilled')
    expect(await pressPay(payment.checkout_url)).toBe(409)
  })
  it('200, and a payment at the provider after it goes to the credit balance', async () => {
    const payment = await acceptedQuote(app, acme, buyer)
    const reference = await see.referenceOf(payment.invoice_id)
    await acme.staff.post(`/invoices/${payment.invoice_id}/pay`, { paid_at: app.clock.now.toISOString() })
    const before = (await deadLetters(app)).length
    const { body, headers } = signedEvent(app, 'entity_br', paidEvent(reference))
    await app.world.anonymous.post('/webhooks/payment/entity_br', body, headers)
    await app.service.worker.drain()
    expect(await deadLetters(app)).toHaveLength(before)
    expect(await withdrawnCredit(acme)).toBe('150.00')
  })
})

describe('provisioning', () => {
  it('creates the records of each class, and changes nothing when it runs again', async () => {
    const classes = ['PLG', 'ENV', 'SVC', 'ORD', 'AFL', 'EDU']
    const lines = classes.map((entitlement_class) => ({ ...LICENSE_LINE, entitlement_class, term_months: 1 }))
    const payment = await acceptedQuote(app, acme, buyer, { line_items: lines })
    await pressPay(payment.checkout_url)
    const quote = await see.quoteStatus(payment.quote_id, 'fulfilled')
    expect(quote.entitlement_ids).toHaveLength(6)
    const rows = await app.database.query<{
      code: string
      auto_created: boolean
      metadata: string | null
      quote_line: number
    }>('select code, auto_created, metadata, quote_line from entitlements where quote_id = $1 order by quote_line', [
      payment.quote_id,
    ])
    expect(rows.map(({ code }) => code.slice(0, 3))).toEqual(classes)
    expect(rows.map(({ metadata }) => metadata)).toEqual([null, ...Array(5).fill('{"quantity":5}')])
    const lineage = await acme.owner.get(`/entitlements/code/${rows[1]?.code}/lineage`)
    expect(lineage.data.environments).toMatchObject([
      { status: 'provisioning', platform: 'custom', environment_type: 'production' },
    ])
    const [job] = await app.database.query<{ id: number }>(
      `insert into jobs (organization_id, kind, payload, run_at) values ($1, 'quotes/provision', jsonb_build_object('event_id', 1, 'resource_id', $2::bigint), $3) returning id`,
      [acme.id, payment.quote_id, app.clock.now],
    )
    app.clock.advance(2)
    await app.service.worker.drain()
    expect(await app.database.query('select id from jobs where id = $1', [job?.id])).toEqual([])
    expect(await see.entitlementsOf(payment.quote_id)).toHaveLength(6)
  })
})
