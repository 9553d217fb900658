// Orders that are cancelled, moved by staff or refunded by them, with the sandbox provider over real HTTP.
import { describe, expect, it } from 'vitest'
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

describe('POST /orders/{id}/cancel', () => {
  it('200 while pending: the invoice is void, the quote cancelled, the checkout closed', async () => {
    const payment = await acceptedQuote(app, acme, buyer)
    expect(await buyer.post(`/orders/${payment.order_id}/cancel`)).toMatchObject({ status: 200, data: null })
    expect((await buyer.get(`/invoices/${payment.invoice_id}`)).data.status).toBe('void')
    expect((await buyer.get(`/quotes/${payment.quote_id}`)).data.status).toBe('cancelled')
    await app.service.worker.drain()
    expect(await pressPay(payment.checkout_url)).toBe(409)
  })
  it('200, and a later payment goes to the credit balance', async () => {
    const payment = await acceptedQuote(app, acme, buyer)
    const reference = await see.referenceOf(payment.invoice_id)
    await buyer.post(`/orders/${payment.order_id}/cancel`)
    const before = (await deadLetters(app)).length
    const { body, headers } = signedEvent(app, 'entity_br', paidEvent(reference))
    await app.world.anonymous.post('/webhooks/payment/entity_br', body, headers)
    await app.service.worker.drain()
    expect(await deadLetters(app)).toHaveLength(before)
    expect((await buyer.get(`/invoices/${payment.invoice_id}`)).data).toMatchObject({
      status: 'void',
      amount_paid: '0.00',
    })
    expect(await withdrawnCredit(acme)).toBe('150.00')
  })
  it('200, and what was paid of it in part is refunded', async () => {
    const payment = await acceptedQuote(app, acme, buyer)
    const path = `/invoices/${payment.invoice_id}`
    for (const amount of ['20.00', '30.00']) await acme.staff.post(`${path}/pay`, { amount })
    expect((await buyer.post(`/orders/${payment.order_id}/cancel`)).status).toBe(200)
    expect((await buyer.get(path)).data).toMatchObject({
      status: 'void',
      amount_paid: '50.00',
      amount_refunded: '0.00',
    })
    const refunds = (await buyer.get(`/refunds?order_id=${payment.order_id}`)).data
    expect(refunds.map(({ amount }: { amount: string }) => amount).toSorted()).toEqual(['20.00', '30.00'])
    await app.service.worker.drain()
    for (const { id } of refunds) expect((await acme.staff.post(`/refunds/${id}/settle`)).status).toBe(200)
    const ended = { status: 'void', payment_status: 'refunded', amount_refunded: '50.00', amount_credited: '0.00' }
    expect((await buyer.get(path)).data).toMatchObject(ended)
  })
  it('200 between payment and provisioning: the payment is refunded, nothing is provisioned', async () => {
    const payment = await acceptedQuote(app, acme, buyer)
    expect(await pressPay(payment.checkout_url)).toBe(303)
    // Provisioning waits while the customer cancels.
    const { database } = app
    await paidButNotProvisioned(payment.invoice_id)
    expect((await buyer.post(`/orders/${payment.order_id}/cancel`)).status).toBe(200)
    await database.query(`update jobs set dead_at = null where kind = 'quotes/provision'`)
    const refunds = () =>
      database.query<{ status: string; amount: string }>('select status, amount from refunds where order_id = $1', [
        payment.order_id,
      ])
    const [refund] = await eventually(app, refunds, ([one]) => one?.status === 'succeeded')
    expect(refund).toEqual({ status: 'succeeded', amount: '150.00' })
    expect(await see.entitlementsOf(payment.quote_id)).toHaveLength(0)
    expect((await buyer.get(`/orders/${payment.order_id}`)).data.status).toBe('cancelled')
    expect((await buyer.get(`/quotes/${payment.quote_id}/payment`)).data.status).toBe('refunded')
  })
  it('409 once completed', async () => {
    const payment = await acceptedQuote(app, acme, buyer)
    await pressPay(payment.checkout_url)
    await see.quoteStatus(payment.quote_id, 'fulfilled')
    expect((await buyer.post(`/orders/${payment.order_id}/cancel`)).status).toBe(409)
  })
  it('404 for another organization’s', async () => {
    const payment = await acceptedQuote(app, acme, buyer)
    const other = await app.world.organization()
    expect((await other.owner.post(`/orders/${payment.order_id}/cancel`)).status).toBe(404)
  })
})

/** Waits until the payment is settled; a trigger makes the provisioning job a dead letter as soon as it is inserted. */
async function paidButNotProvisioned(invoiceId: number): Promise<void> {
  const { database } = app
  await database.query(`
    create or replace function stop_provisioning() returns trigger language plpgsql as
      'begin new.dead_at = now(); return new; end';
    create trigger stop_provisioning before insert on jobs for each row when (new.kind = 'quotes/provision')
      execute function stop_provisioning()`)
  const look = () => database.query<{ status: string }>('select status from invoices where id = $1', [invoiceId])
  await eventually(app, look, ([invoice]) => invoice?.status === 'paid')
  await database.query('drop trigger stop_provisioning on jobs')
}

describe('POST /orders/{id}/status', () => {
  it('200 for a move of the table, with the note appended; 409 for any other', async () => {
    const payment = await acceptedQuote(app, acme, buyer)
    const path = `/orders/${payment.order_id}/status`
    expect((await acme.staff.post(path, { status: 'on-hold', note: 'waiting' })).data.status).toBe('on-hold')
    expect((await acme.staff.post(path, { status: 'refunded' })).status).toBe(409)
    expect((await buyer.get(`/orders/${payment.order_id}`)).data.notes).toBe('waiting')
    expect((await acme.staff.post(path, { status: 'cancelled' })).data.status).toBe('cancelled')
    expect((await buyer.get(`/quotes/${payment.quote_id}`)).data.status).toBe('cancelled')
  })
  it('200 to refunded before the provisioning: nothing is provisioned', async () => {
    const payment = await acceptedQuote(app, acme, buyer)
    await acme.staff.post(`/invoices/${payment.invoice_id}/pay`, {})
    const { data } = await acme.staff.post(`/orders/${payment.order_id}/status`, { status: 'refunded' })
    expect(data.status).toBe('refunded')
    await app.service.worker.drain()
    expect((await buyer.get(`/quotes/${payment.quote_id}`)).data.status).toBe('cancelled')
    expect(await see.entitlementsOf(payment.quote_id)).toEqual([])
  })
  it('200 to refunded after the provisioning: the entitlements end', async () => {
    const payment = await acceptedQuote(app, acme, buyer)
    await acme.staff.post(`/invoices/${payment.invoice_id}/pay`, {})
    await see.quoteStatus(payment.quote_id, 'fulfilled')
    await acme.staff.post(`/orders/${payment.order_id}/status`, { status: 'refunded' })
    const { entitlements } = (await buyer.get(`/orders/${payment.order_id}`)).data
    expect(entitlements).toMatchObject([{ status: 'cancelled' }])
  })
  it('200 to cancelled when nothing was to be paid: the entitlements end', async () => {
    const id = await sentQuote(acme, { line_items: [{ ...LICENSE_LINE, discount_percent: '100' }] })
    const { order_id } = (await buyer.post(`/quotes/${id}/accept`)).data
    await see.quoteStatus(id, 'fulfilled')
    for (const status of ['failed', 'cancelled']) await acme.staff.post(`/orders/${order_id}/status`, { status })
    const { status, entitlements } = (await buyer.get(`/orders/${order_id}`)).data
    expect([status, entitlements[0].status]).toEqual(['cancelled', 'cancelled'])
  })
  it('403 for customers, 422 for an unknown status', async () => {
    const payment = await acceptedQuote(app, acme, buyer)
    const path = `/orders/${payment.order_id}/status`
    expect((await buyer.post(path, { status: 'completed' })).status).toBe(403)
    expect((await acme.staff.post(path, { status: 'done' })).status).toBe(422)
    expect((await acme.staff.post('/orders/99999999/status', { status: 'completed' })).status).toBe(404)
  })
})
