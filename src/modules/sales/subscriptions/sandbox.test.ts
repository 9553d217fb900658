// A subscription at the sandbox's provider: begun on its pay page, renewed over its API, reported by its events.
import { expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { acceptedQuote, buyerOf, eventually, pressPay } from '#test/scenes/commerce.ts'

const app = await appOfFile({ listens: true })

async function drive(reference: string, act: '' | '/renew', fields: Record<string, string> = {}): Promise<number> {
  const { secretKey } = app.secrets.sandboxPayments.entity_br
  const path = `/sandbox/payments/entity_br/v1/subscriptions/${reference}${act}`
  const headers = { authorization: `Bearer ${secretKey}` }
  return (await fetch(app.url + path, { method: 'POST', headers, body: new URLSearchParams(fields) })).status
}

it('is begun by its first payment, renewed, fails and ends', async () => {
  const acme = await app.world.organization()
  const buyer = await buyerOf(acme)
  const payment = await acceptedQuote(app, acme, buyer)
  const path = `/orders/${payment.order_id}/subscription`
  await acme.staff.post(path, { interval: 'month' })
  const look = async () => (await buyer.get(path)).data
  const { reference, checkout_url } = await eventually(app, look, ({ status }) => status === 'incomplete')
  expect(await pressPay(checkout_url)).toBe(303)
  await eventually(app, look, ({ status, order_status }) => status === 'active' && order_status === 'completed')
  const invoices = async () => (await buyer.get(`/invoices/order/${payment.order_id}`)).data
  await eventually(app, invoices, (all) => all[0].status === 'paid')
  expect(await pressPay(payment.checkout_url)).toBe(409)
  expect(await drive(reference, '/renew')).toBe(200)
  const [renewal] = await eventually(app, invoices, (all) => all.length === 2)
  expect(renewal).toMatchObject({ status: 'paid', origin: 'subscription', total: '150.00' })
  expect(await drive(reference, '', { status: 'past_due' })).toBe(200)
  await eventually(app, look, ({ order_status }) => order_status === 'failed')
  expect((await acme.staff.post(`${path}/cancel`)).status).toBe(200)
  expect(await eventually(app, look, ({ status }) => status === 'canceled')).toMatchObject({
    order_status: 'cancelled',
  })
  // Paid time that was used is not refunded.
  expect(await app.database.query('select id from refunds')).toEqual([])
})

it('ends with its interval when it was cancelled for then', async () => {
  const acme = await app.world.organization()
  const buyer = await buyerOf(acme)
  const { order_id } = await acceptedQuote(app, acme, buyer)
  const path = `/orders/${order_id}/subscription`
  await acme.staff.post(path, { interval: 'month' })
  const look = async () => (await buyer.get(path)).data
  const { reference, checkout_url } = await eventually(app, look, ({ status }) => status === 'incomplete')
  expect(await pressPay(checkout_url)).toBe(303)
  await eventually(app, look, ({ status, order_status }) => status === 'active' && order_status === 'completed')
  expect((await acme.staff.post(`${path}/cancel`, { at: 'period_end' })).status).toBe(200)
  const [{ period_end }] = (await buyer.get(`/invoices/order/${order_id}`)).data
  expect(await eventually(app, look, ({ ends_at }) => ends_at !== null)).toMatchObject({ ends_at: period_end })
  expect(await drive(reference, '/renew')).toBe(200)
  await eventually(app, look, ({ status, order_status }) => status === 'canceled' && order_status === 'cancelled')
  expect((await buyer.get(`/invoices/order/${order_id}`)).data).toHaveLength(1)
})
