// DELETE /orders/{id}/subscription/cancel: a cancellation at the end of the period is taken back, of what the service
// itself bills.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  before,
  type BillingScene,
  billingScene,
  entitlementsOf,
  goTo,
  invoicesOf,
  later,
  MONTHLY,
  pathOf,
  type Sale,
  sleepUntil,
  sold,
  subscriptionOf,
  work,
} from '#test/scenes/own-billing.ts'

let at: BillingScene
beforeAll(async () => void (at = await billingScene()))
afterAll(() => at.app.close())

const postPause = (sale: Sale) => at.acme.staff.post(`${pathOf(sale)}/pause`)
const statusesOf = async (sale: Sale) => (await invoicesOf(at, sale)).map(({ status }) => status)

describe('DELETE /orders/{id}/subscription/cancel', () => {
  it('200: it goes on, and the invoice that became void is made again', async () => {
    const sale = await sold(at)
    const [{ period_end, period_start }] = await invoicesOf(at, sale)
    await goTo(at, before(period_end, 5))
    const take = () => at.acme.staff.delete(`${pathOf(sale)}/cancel`)
    expect((await take()).status).toBe(409)
    await at.acme.staff.post(`${pathOf(sale)}/cancel`, { at: 'period_end' })
    expect((await entitlementsOf(at, sale))[0].renews).toBe(false)
    const { data } = await take()
    expect(data).toMatchObject({ status: 'active', ends_at: null, invoiced_until: period_end })
    expect((await entitlementsOf(at, sale))[0].renews).toBe(true)
    await goTo(at, before(period_end, 4))
    expect(await statusesOf(sale)).toEqual(['paid', 'void', 'open'])
    expect((await invoicesOf(at, sale)).at(-1).period_end).toBe(later(period_start, 2))
    await goTo(at, period_end)
    expect(await subscriptionOf(at, sale)).toMatchObject({ status: 'active', order_status: 'completed' })
  })
  it('200 in a pause, which goes on; 409 once it has ended, 403 for customers', async () => {
    const sale = await sold(at)
    const [{ period_end }] = await invoicesOf(at, sale)
    const path = `${pathOf(sale)}/cancel`
    await postPause(sale)
    await at.acme.staff.post(path, { at: 'period_end' })
    expect((await at.buyer.delete(path)).status).toBe(403)
    expect((await at.acme.staff.delete(path)).data).toMatchObject({ status: 'paused', next_invoice_at: null })
    await at.acme.staff.post(path, { at: 'period_end' })
    await goTo(at, period_end)
    expect(await at.acme.staff.delete(path)).toMatchObject({ status: 409, errors: { reason: 'nothing_scheduled' } })
  })
  it('409 while an accepted quote extends what it renewed, and the quote is delivered; 200 once that is cancelled', async () => {
    const sale = await sold(at)
    const path = `${pathOf(sale)}/cancel`
    await at.acme.staff.post(path, { at: 'period_end' })
    const [{ code }] = await entitlementsOf(at, sale)
    const { interval: _, ...one } = MONTHLY
    const line = { ...one, entitlement_code: code, term_months: 12 }
    const quote = await at.acme.staff.post('/quotes', {
      currency: 'BRL',
      valid_until: '2099-12-31',
      line_items: [line],
    })
    expect(quote.status, quote.raw.body).toBe(201)
    await at.acme.staff.post(`/quotes/${quote.data.id}/send`)
    const accepted = await at.buyer.post(`/quotes/${quote.data.id}/accept`)
    expect(accepted.status, accepted.raw.body).toBe(200)
    expect(await at.acme.staff.delete(path)).toMatchObject({ status: 409, errors: { reason: 'status_not_allowed' } })
    await at.acme.staff.post(`/orders/${accepted.data.order_id}/cancel`)
    expect((await at.acme.staff.delete(path)).status).toBe(200)
  })
})

/** Cancelled for the end of its first period, which is returned. */
const ending = async (): Promise<{ sale: Sale; start: string; end: string; path: string }> => {
  const sale = await sold(at)
  const [{ period_start: start, period_end: end }] = await invoicesOf(at, sale)
  await goTo(at, before(end, 1))
  const path = `${pathOf(sale)}/cancel`
  expect((await at.acme.staff.post(path, { at: 'period_end' })).status).toBe(200)
  return { sale, start, end, path }
}

describe('a cancellation that is taken back in the moment in which it takes effect', () => {
  it('200 a millisecond before: the next period is billed without a gap', async () => {
    const { sale, start, end, path } = await ending()
    await sleepUntil(at, new Date(Date.parse(end) - 1))
    expect((await at.acme.staff.delete(path)).data).toMatchObject({ status: 'active', ends_at: null })
    await goTo(at, end)
    expect(await subscriptionOf(at, sale)).toMatchObject({ status: 'active', order_status: 'completed' })
    const open = (await invoicesOf(at, sale)).filter(({ status }) => status === 'open')
    // Counted from the day of the sale, which a short month does not change.
    expect(open).toMatchObject([{ period_start: end, period_end: later(start, 2) }])
  })
  it('409 at the moment itself, also before the job that ends it has run', async () => {
    const { sale, end, path } = await ending()
    await sleepUntil(at, end)
    expect(await at.acme.staff.delete(path)).toMatchObject({ status: 409, errors: { reason: 'nothing_scheduled' } })
    await work(at)
    expect(await subscriptionOf(at, sale)).toMatchObject({ status: 'canceled', order_status: 'cancelled' })
    expect((await invoicesOf(at, sale)).map(({ status }) => status)).not.toContain('open')
  })
  it('beside the job that ends it: one of the two wins, and what is billed follows that', async () => {
    const { sale, end, path } = await ending()
    await sleepUntil(at, new Date(Date.parse(end) - 1))
    const taking = at.acme.staff.delete(path)
    at.app.clock.now = new Date(end)
    const [answer] = await Promise.all([taking, work(at)])
    await work(at)
    const goesOn = answer.status === 200
    expect([200, 409]).toContain(answer.status)
    expect((await subscriptionOf(at, sale)).status).toBe(goesOn ? 'active' : 'canceled')
    const open = (await invoicesOf(at, sale)).filter(({ status }) => status === 'open')
    expect(open.map(({ period_start }) => period_start)).toEqual(goesOn ? [end] : [])
  })
  it('200 for one of two at once', async () => {
    const { sale, path } = await ending()
    const answers = await Promise.all([1, 2].map(() => at.acme.staff.delete(path)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(await subscriptionOf(at, sale)).toMatchObject({ status: 'active', ends_at: null })
  })
})
