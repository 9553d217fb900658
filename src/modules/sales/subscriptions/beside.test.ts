// Payments of a subscription when the order has other invoices too: what each of them pays.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deadLetters } from '#test/scenes/commerce.ts'
import { bought, type Bought, type StripeScene, stripeScene, sendEvent } from '#test/scenes/stripe.ts'
import type { Answer } from '#test/harness/world.ts'

let at: StripeScene
beforeAll(async () => void (at = await stripeScene()))
afterAll(() => at.close())

const invoicesOf = async ({ order_id }: Bought): Promise<string[]> =>
  (await at.buyer.get(`/invoices/order/${order_id}`)).data.map(
    ({ status, origin, total }: Answer['data']) => `${status} ${origin} ${total}`,
  )
const bill = async ({ order_id }: Bought, origin: string) => {
  const body = { currency: 'BRL', order_id, total: '150.00', status: 'open', origin }
  expect((await at.acme.staff.post('/invoices', body)).status).toBe(201)
  await at.app.service.worker.drain()
}

async function begun(): Promise<Bought> {
  const payment = await bought(at)
  const path = `/orders/${payment.order_id}/subscription`
  expect((await at.acme.staff.post(path, { interval: 'month' })).status).toBe(201)
  await at.app.service.worker.drain()
  const { reference } = (await at.buyer.get(path)).data
  return { ...payment, subscription: reference, first: at.stripe.subscriptions.get(reference)?.latest_invoice }
}

it('a renewal pays an invoice of its own, though staff have billed the same amount in another invoice of the order', async () => {
  const payment = await begun()
  await bill(payment, 'setup')
  await sendEvent(at, 'invoice.paid', at.stripe.pay(payment.first))
  expect(await invoicesOf(payment)).toEqual(['open setup 150.00', 'paid order 150.00'])
  await sendEvent(at, 'invoice.paid', at.stripe.renew(payment.subscription))
  expect(await invoicesOf(payment)).toEqual(['paid subscription 150.00', 'open setup 150.00', 'paid order 150.00'])
})

it('the first payment pays the invoice that staff wrote instead of a void one, and no other', async () => {
  const payment = await begun()
  await at.acme.staff.post(`/invoices/${payment.invoice_id}/void`)
  await bill(payment, 'instead')
  await sendEvent(at, 'invoice.paid', at.stripe.pay(payment.first))
  expect(await invoicesOf(payment)).toEqual(['paid instead 150.00', 'void order 150.00'])
  await bill(payment, 'setup')
  await sendEvent(at, 'invoice.paid', at.stripe.renew(payment.subscription))
  const later = ['paid subscription 150.00', 'open setup 150.00', 'paid instead 150.00', 'void order 150.00']
  expect(await invoicesOf(payment)).toEqual(later)
})

it('cancelling an order refunds its own invoice, not its renewals', async () => {
  const payment = await begun()
  await sendEvent(at, 'invoice.paid', at.stripe.pay(payment.first))
  await sendEvent(at, 'invoice.paid', at.stripe.renew(payment.subscription))
  const { acme, buyer, app } = at
  await acme.staff.post(`/orders/${payment.order_id}/status`, { status: 'failed' })
  expect((await acme.staff.post(`/orders/${payment.order_id}/cancel`)).status).toBe(200)
  await app.service.worker.drain()
  const asked = (await buyer.get(`/refunds?order_id=${payment.order_id}`)).data
  expect(asked).toMatchObject([{ invoice_id: payment.invoice_id, amount: '150.00' }])
  const again = { amount: '150.00', reason: 'The last month too' }
  expect((await acme.staff.post(`/orders/${payment.order_id}/refund`, again)).status).toBe(200)
})

it('a payment whose reference belongs to another organization is a dead letter, and bills nothing', async () => {
  const payment = await begun()
  await sendEvent(at, 'invoice.paid', at.stripe.pay(payment.first))
  const other = await at.app.world.organization()
  const { id } = at.stripe.renew(payment.subscription)
  await at.app.database.query(
    `insert into payment_references (company, provider, reference, organization_id, resource, resource_id)
     values ('entity_br', 'stripe-test', $1, $2, 'invoice', 1)`,
    [id, other.id],
  )
  const state = at.stripe.subscriptions.get(payment.subscription) ?? {}
  await sendEvent(at, 'customer.subscription.updated', { ...state, status: 'active' })
  expect(await invoicesOf(payment)).toEqual(['paid order 150.00'])
  const billing = { kind: 'subscriptions/bill', last_error: expect.stringContaining('belongs to another organization') }
  expect(await deadLetters(at.app)).toEqual([billing])
})
