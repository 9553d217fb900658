// Orders that the service itself bills again: how it begins on request, and how it ends.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  accepted,
  before,
  type BillingScene,
  billingScene,
  entitlementsOf,
  goTo,
  invoicesOf,
  later,
  MONTHLY,
  pathOf,
  pay,
  refund,
  type Sale,
  SETUP,
  sold,
  subscriptionOf,
} from '#test/scenes/own-billing.ts'
import { LICENSE_LINE } from '#test/scenes/commerce.ts'

let at: BillingScene
beforeAll(async () => void (at = await billingScene()))
afterAll(() => at.app.close())

const ask = (sale: Sale, body: object) => at.acme.staff.post(pathOf(sale), body)
const fieldsOf = async (sale: Sale, body: object) => Object.keys((await ask(sale, body)).errors?.fields ?? {})
const postPause = (sale: Sale) => at.acme.staff.post(`${pathOf(sale)}/pause`)
const postResume = (sale: Sale) => at.acme.staff.post(`${pathOf(sale)}/resume`)
const BY_INVOICE = { collection_method: 'send_invoice' }
const statusesOf = async (sale: Sale) => (await invoicesOf(at, sale)).map(({ status }) => status)

describe('POST /orders/{id}/subscription with send_invoice', () => {
  it('201 for an order that is not paid: it begins with the payment', async () => {
    const sale = await accepted(at, [{ ...LICENSE_LINE, term_months: 1 }])
    const answer = await ask(sale, { ...BY_INVOICE, interval: 'month' })
    expect(answer.status, answer.raw.body).toBe(201)
    expect(answer.data).toMatchObject({ status: 'incomplete', invoiced_until: null, next_invoice_at: null })
    await pay(at, sale.invoice_id)
    const [{ period_end }] = await invoicesOf(at, sale)
    expect(await subscriptionOf(at, sale)).toMatchObject({ status: 'active', invoiced_until: period_end })
  })
  it('201 for a paid one: it begins when the term that was sold is over', async () => {
    const sale = await sold(at, [{ ...LICENSE_LINE, term_months: 12 }])
    const [{ expires_at }] = await entitlementsOf(at, sale)
    const answer = await ask(sale, { ...BY_INVOICE, interval: 'month', amount: '20.00' })
    expect(answer.data).toMatchObject({ status: 'active', amount: '20.00', invoiced_until: expires_at })
    await goTo(at, before(expires_at, 14))
    const renewal = (await invoicesOf(at, sale)).at(-1)
    expect(renewal).toMatchObject({ total: '20.00', period_start: expires_at, period_end: later(expires_at, 1) })
    await pay(at, renewal.id)
    expect((await entitlementsOf(at, sale))[0].expires_at).toBe(renewal.period_end)
  })
  it('201 for an organization that pays against invoices only', async () => {
    const path = `/organizations/${at.acme.id}`
    await at.acme.staff.put(path, { requires_invoice_for_payment: true })
    const sale = await accepted(at, [MONTHLY])
    expect((await ask(sale, {})).status).toBe(409)
    expect((await ask(sale, BY_INVOICE)).status).toBe(201)
    await at.acme.staff.put(path, { requires_invoice_for_payment: false })
  })
  it('409 where there is one, for a cancelled order, and for automatic charging of lines that are billed once', async () => {
    const running = await sold(at)
    const mixed = await accepted(at, [SETUP, MONTHLY])
    const cancelled = await accepted(at, [MONTHLY])
    await at.acme.staff.post(`/orders/${cancelled.order_id}/cancel`)
    expect([
      (await ask(running, BY_INVOICE)).status,
      (await ask(cancelled, BY_INVOICE)).status,
      (await ask(mixed, { interval: 'month' })).status,
    ]).toEqual([409, 409, 409])
  })
  it('422 for another interval or amount than the lines have', async () => {
    const [once, monthly] = [await accepted(at, [SETUP]), await accepted(at, [MONTHLY])]
    expect(await fieldsOf(once, BY_INVOICE)).toEqual(['interval'])
    expect(await fieldsOf(monthly, { ...BY_INVOICE, interval: 'year' })).toEqual(['interval'])
    expect(await fieldsOf(monthly, { ...BY_INVOICE, amount: '1.00' })).toEqual(['amount'])
  })
})

describe('a trial', () => {
  it('201: delivers at once without a payment until its end; the first invoice is of the time after it', async () => {
    const sale = await accepted(at, [MONTHLY])
    const { data } = await ask(sale, { ...BY_INVOICE, trial_days: 30 })
    await at.app.service.worker.drain()
    const end = before(at.app.clock.now.toISOString(), -30).toISOString()
    expect(data).toMatchObject({ status: 'trialing', invoiced_until: end, trial_ends_at: end })
    expect((await entitlementsOf(at, sale))[0]).toMatchObject({ status: 'active', expires_at: end })
    expect(await statusesOf(sale)).toEqual(['void'])
    await goTo(at, before(end, 14))
    const [, first] = await invoicesOf(at, sale)
    expect(first).toMatchObject({ status: 'open', period_start: end, period_end: later(end, 1) })
    await pay(at, first.id)
    expect(await subscriptionOf(at, sale)).toMatchObject({ status: 'trialing', invoiced_until: first.period_end })
    await goTo(at, end)
    expect(await subscriptionOf(at, sale)).toMatchObject({ status: 'active', order_status: 'completed' })
    expect((await entitlementsOf(at, sale))[0]).toMatchObject({ status: 'active', expires_at: first.period_end })
    const paidAt = async () => (await at.buyer.get(`/orders/${sale.order_id}`)).data.date_paid
    const [{ paid_at }] = (await invoicesOf(at, sale)).slice(-1)
    await goTo(at, before(first.period_end, 5))
    await pay(at, (await invoicesOf(at, sale)).at(-1).id)
    expect(await paidAt()).toBe(paid_at)
  })
  it('ends what was delivered when nothing is paid', async () => {
    const sale = await accepted(at, [MONTHLY])
    await ask(sale, { ...BY_INVOICE, trial_days: 20 })
    await at.app.service.worker.drain()
    const { invoiced_until: end } = await subscriptionOf(at, sale)
    await goTo(at, end)
    expect((await entitlementsOf(at, sale))[0].status).toBe('expired')
    expect(await statusesOf(sale)).toEqual(['void', 'open'])
  })
  it('409 for a paid order, and for lines that are billed once', async () => {
    const [paid, mixed] = [await sold(at, [LICENSE_LINE]), await accepted(at, [SETUP, MONTHLY])]
    const trial = { ...BY_INVOICE, interval: 'month', trial_days: 3 }
    expect([(await ask(paid, trial)).status, (await ask(mixed, trial)).status]).toEqual([409, 409])
  })
})

describe('POST /orders/{id}/subscription/cancel', () => {
  it('200 at the end of what is paid: nobody owes what comes after it, and the order ends then', async () => {
    const sale = await sold(at)
    const [{ period_end }] = await invoicesOf(at, sale)
    await goTo(at, before(period_end, 5))
    const { data } = await at.acme.staff.post(`${pathOf(sale)}/cancel`, { at: 'period_end' })
    expect(data).toMatchObject({ status: 'active', ends_at: period_end, next_invoice_at: null })
    expect(await statusesOf(sale)).toEqual(['paid', 'void'])
    expect((await at.acme.staff.post(`${pathOf(sale)}/cancel`, { at: 'period_end' })).status).toBe(409)
    await goTo(at, period_end)
    expect(await subscriptionOf(at, sale)).toMatchObject({ status: 'canceled', order_status: 'cancelled' })
    expect((await entitlementsOf(at, sale))[0]).toMatchObject({ status: 'expired', expires_at: period_end })
    await goTo(at, later(period_end, 3))
    expect(await statusesOf(sale)).toEqual(['paid', 'void'])
  })
  it('200 now: the order ends, and the entitlement with what is paid', async () => {
    const sale = await sold(at)
    const [{ period_end }] = await invoicesOf(at, sale)
    const { data } = await at.acme.staff.post(`${pathOf(sale)}/cancel`)
    expect(data).toMatchObject({ status: 'canceled', order_status: 'cancelled', next_invoice_at: null })
    expect((await entitlementsOf(at, sale))[0]).toMatchObject({ status: 'active', expires_at: period_end })
    await at.app.service.worker.drain()
  })
  it('is not needed when the order is refunded: it gets no more invoices', async () => {
    const sale = await sold(at)
    const [{ period_end }] = await invoicesOf(at, sale)
    await goTo(at, before(period_end, 5))
    await refund(at, sale, '105.00')
    expect(await subscriptionOf(at, sale)).toMatchObject({ status: 'canceled', order_status: 'refunded' })
    await goTo(at, later(period_end, 2))
    expect(await statusesOf(sale)).toEqual(['paid', 'void'])
  })
})

describe('POST /orders/{id}/subscription/pause and /resume', () => {
  it('200: no invoices meanwhile, what is paid stays, and it goes on from the day on which it is resumed', async () => {
    const sale = await sold(at)
    const [{ period_end }] = await invoicesOf(at, sale)
    await goTo(at, before(period_end, 5))
    expect((await postPause(sale)).data).toMatchObject({ status: 'paused', next_invoice_at: null })
    expect(await statusesOf(sale)).toEqual(['paid', 'void'])
    const paused = { status: 'active', expires_at: period_end, renews: false }
    expect((await entitlementsOf(at, sale))[0]).toMatchObject(paused)
    await goTo(at, later(period_end, 2))
    expect(await statusesOf(sale)).toEqual(['paid', 'void'])
    expect((await entitlementsOf(at, sale))[0]).toMatchObject({ ...paused, status: 'expired' })
    const resumedAt = at.app.clock.now.toISOString()
    expect((await postResume(sale)).data).toMatchObject({ status: 'active', invoiced_until: resumedAt })
    await goTo(at, at.app.clock.now)
    const renewal = (await invoicesOf(at, sale)).at(-1)
    expect(renewal).toMatchObject({ status: 'open', period_start: resumedAt, period_end: later(resumedAt, 1) })
    await pay(at, renewal.id)
    expect((await entitlementsOf(at, sale))[0]).toMatchObject({ status: 'active', expires_at: renewal.period_end })
  })
  it('200 within what is paid: it keeps its days, and the period whose invoice became void is billed', async () => {
    const sale = await sold(at)
    const [{ period_end, period_start }] = await invoicesOf(at, sale)
    await goTo(at, before(period_end, 5))
    await postPause(sale)
    await goTo(at, before(period_end, 4))
    expect((await postResume(sale)).data.invoiced_until).toBe(period_end)
    expect((await entitlementsOf(at, sale))[0]).toMatchObject({ status: 'active', renews: true })
    await goTo(at, before(period_end, 3))
    expect(await statusesOf(sale)).toEqual(['paid', 'void', 'open'])
    expect((await invoicesOf(at, sale)).at(-1).period_end).toBe(later(period_start, 2))
  })
  it('409 to resume one that was cancelled in the pause: it ends with what is paid, and not before', async () => {
    const sale = await sold(at)
    const [{ period_end }] = await invoicesOf(at, sale)
    await postPause(sale)
    const { data } = await at.acme.staff.post(`${pathOf(sale)}/cancel`, { at: 'period_end' })
    expect(data).toMatchObject({ status: 'paused', ends_at: period_end })
    expect(await postResume(sale)).toMatchObject({ status: 409, errors: { reason: 'subscription_ending' } })
    await goTo(at, before(period_end, 1))
    expect((await subscriptionOf(at, sale)).status).toBe('paused')
    await goTo(at, period_end)
    expect(await subscriptionOf(at, sale)).toMatchObject({ status: 'canceled', order_status: 'cancelled' })
  })
  it('200 in a trial, which goes on', async () => {
    const sale = await accepted(at, [MONTHLY])
    await ask(sale, { ...BY_INVOICE, trial_days: 30 })
    const { invoiced_until } = await subscriptionOf(at, sale)
    await postPause(sale)
    expect((await postResume(sale)).data).toMatchObject({ status: 'trialing', invoiced_until })
  })
  it('409 for one that is not running, or is charged automatically', async () => {
    const sale = await sold(at)
    expect((await postResume(sale)).status).toBe(409)
    await postPause(sale)
    expect((await postPause(sale)).status).toBe(409)
    const other = await accepted(at, [MONTHLY])
    expect((await postPause(other)).status).toBe(409)
    await ask(other, {})
    expect([(await postPause(other)).status, (await postResume(other)).status]).toEqual([409, 409])
  })
  it('403 for customers, 404 for another organization, 422 for another field', async () => {
    const sale = await sold(at)
    const elsewhere = await at.app.world.organization()
    const stranger = at.app.world.inside(at.acme.staff, elsewhere.id)
    for (const act of ['pause', 'resume']) {
      const path = `${pathOf(sale)}/${act}`
      expect((await at.buyer.post(path)).status).toBe(403)
      expect((await stranger.post(path)).status).toBe(404)
      expect((await at.acme.staff.post(path, { days: 3 })).status).toBe(422)
    }
  })
})
