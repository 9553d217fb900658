// What pays for an order and its time: its own invoice, what staff billed instead of it, and its periods. Work that
// staff billed beside the order does not, and neither does a part that was paid of a period which was withdrawn.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  accepted,
  before,
  type BillingScene,
  billingScene,
  DAY_MS,
  entitlementsOf,
  goTo,
  invoicesOf,
  MONTHLY,
  pathOf,
  pay,
  type Sale,
  sold,
  subscriptionOf,
} from '#test/scenes/own-billing.ts'
import type { Answer } from '#test/harness/world.ts'

let at: BillingScene
beforeAll(async () => void (at = await billingScene()))
afterAll(() => at.app.close())

async function billed({ order_id }: Sale, unit_price = '20.00'): Promise<number> {
  const line_items = [{ product_name: 'Migration', quantity: 10, unit_price }]
  const body = { order_id, currency: 'BRL', status: 'open', line_items }
  const { data, raw } = await at.acme.staff.post('/invoices', body)
  expect(data?.status, raw.body).toBe('open')
  await at.app.service.worker.drain()
  return data.id
}
const orderOf = async ({ order_id }: Sale): Promise<Answer['data']> => (await at.buyer.get(`/orders/${order_id}`)).data
const cancelAtEnd = (sale: Sale) => at.acme.staff.post(`${pathOf(sale)}/cancel`, { at: 'period_end' })
const daysOn = (days: number): Date => new Date(at.app.clock.now.getTime() + days * DAY_MS)

async function trial(trial_days: number): Promise<Sale> {
  const sale = await accepted(at, [MONTHLY])
  const { status } = await at.acme.staff.post(pathOf(sale), { collection_method: 'send_invoice', trial_days })
  expect(status).toBe(201)
  await at.app.service.worker.drain()
  return sale
}

describe('work that staff billed', () => {
  it('in a trial pays neither the order nor any time: cancelled, it ends with the trial', async () => {
    const sale = await trial(20)
    const { trial_ends_at } = await subscriptionOf(at, sale)
    await goTo(at, daysOn(10))
    await pay(at, await billed(sale))
    expect((await orderOf(sale)).date_paid).toBeNull()
    expect((await cancelAtEnd(sale)).data.ends_at).toBe(trial_ends_at)
    const renewals = (await invoicesOf(at, sale)).filter(({ origin }) => origin === 'subscription')
    expect(renewals.map(({ status }) => status)).toEqual(['void'])
    await goTo(at, trial_ends_at)
    expect(await subscriptionOf(at, sale)).toMatchObject({ status: 'canceled', order_status: 'cancelled' })
    expect((await entitlementsOf(at, sale))[0].status).toBe('cancelled')
  })
  it('in a trial and not paid does not keep the first period from paying the order', async () => {
    const sale = await trial(5)
    const hours = await billed(sale)
    await goTo(at, daysOn(2))
    const first = (await invoicesOf(at, sale)).find(({ origin }) => origin === 'subscription')
    await pay(at, first.id)
    const { date_paid } = await orderOf(sale)
    expect(date_paid).toBe(at.app.clock.now.toISOString())
    await goTo(at, daysOn(1))
    await pay(at, hours)
    expect((await orderOf(sale)).date_paid).toBe(date_paid)
  })
  it('after the order was paid by an invoice instead of its own extends nothing', async () => {
    const sale = await accepted(at, [MONTHLY])
    await at.acme.staff.post(`/invoices/${sale.invoice_id}/void`)
    await pay(at, await billed(sale, '10.50'))
    const { date_paid } = await orderOf(sale)
    const instead = (await invoicesOf(at, sale)).at(-1)
    expect([date_paid, instead.period_start]).toEqual([at.app.clock.now.toISOString(), expect.any(String)])
    await goTo(at, before(instead.period_end, 10))
    await pay(at, await billed(sale))
    expect((await orderOf(sale)).date_paid).toBe(date_paid)
    expect((await entitlementsOf(at, sale))[0].expires_at).toBe(instead.period_end)
    expect((await cancelAtEnd(sale)).data.ends_at).toBe(instead.period_end)
    expect((await invoicesOf(at, sale)).map(({ status }) => status)).toEqual(['void', 'paid', 'void', 'paid'])
  })
})

it('a period that was withdrawn and paid back is awaited when it is billed again', async () => {
  const sale = await sold(at)
  const [{ period_end }] = await invoicesOf(at, sale)
  await goTo(at, before(period_end, 5))
  const part = (await invoicesOf(at, sale)).at(-1)
  await at.acme.staff.post(`/invoices/${part.id}/pay`, { amount: '40.00' })
  await cancelAtEnd(sale)
  const [{ id }] = (await at.buyer.get(`/refunds?order_id=${sale.order_id}`)).data
  expect((await at.acme.staff.post(`/refunds/${id}/settle`)).status).toBe(200)
  const { steps } = (await at.acme.staff.get(`/refunds/${id}`)).data
  expect(steps.find(({ step }: Answer['data']) => step === 'entitlement')?.status).not.toBe('done')
  expect((await at.acme.staff.delete(`${pathOf(sale)}/cancel`)).status).toBe(200)
  await goTo(at, new Date(Date.parse(period_end) + DAY_MS))
  expect((await entitlementsOf(at, sale))[0]).toMatchObject({ status: 'active', renews: true, expires_at: period_end })
  const again = (await invoicesOf(at, sale)).at(-1)
  expect(again).toMatchObject({ status: 'open', period_start: period_end, amount_due: '105.00' })
  await pay(at, again.id)
  expect((await entitlementsOf(at, sale))[0]).toMatchObject({ status: 'active', expires_at: again.period_end })
})
