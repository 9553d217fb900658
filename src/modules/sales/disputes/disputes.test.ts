// Disputes at Stripe's stand-in: recorded, lost in any order of events, won, in part, and beside refunds.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deadLetters } from '#test/scenes/commerce.ts'
import { bought, type Bought, refunded, type StripeScene, stripeScene, sendEvent } from '#test/scenes/stripe.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'

let at: StripeScene
let acme: Organization
let buyer: Speaker
beforeAll(async () => {
  at = await stripeScene({ environment: { REFUNDS: 'approve' } })
  acme = at.acme
  buyer = at.buyer
})
afterAll(() => at.close())

const drain = () => at.app.service.worker.drain()
const invoiceOf = async ({ invoice_id }: Bought) => (await buyer.get(`/invoices/${invoice_id}`)).data
const orderOf = async ({ order_id }: Bought) => (await buyer.get(`/orders/${order_id}`)).data
const disputesOf = async ({ invoice_id }: Bought): Promise<Answer['data'][]> =>
  (await buyer.get(`/disputes?invoice_id=${invoice_id}`)).data
const refundsOf = async ({ order_id }: Bought): Promise<Answer['data'][]> =>
  (await buyer.get(`/refunds?order_id=${order_id}`)).data
const errorsSince = async (before: number): Promise<unknown[]> =>
  (await deadLetters(at.app)).slice(before).map(({ last_error }) => last_error)

async function paid(): Promise<Bought> {
  const payment = await bought(at)
  await sendEvent(at, 'invoice.paid', at.stripe.pay(payment.reference))
  return payment
}

async function disputed(payment: Bought, amount?: number): Promise<string> {
  const dispute = at.stripe.dispute(payment.reference, amount)
  await sendEvent(at, 'charge.dispute.created', dispute)
  return dispute.id
}

const closed = (id: string, status: 'won' | 'lost') =>
  sendEvent(at, 'charge.dispute.closed', at.stripe.closeDispute(id, status))

const REFUNDED = { status: 'paid', payment_status: 'refunded', amount_refunded: '150.00', amount_credited: '150.00' }

describe('a dispute', () => {
  it('is recorded, shown on the invoice, and a dead letter that says until when to answer', async () => {
    const payment = await paid()
    const before = (await deadLetters(at.app)).length
    const reference = await disputed(payment)
    const [dispute] = await disputesOf(payment)
    expect(dispute).toMatchObject({ reference, status: 'open', amount: '150.00', currency: 'BRL', is_withdrawn: true })
    expect((await buyer.get(`/disputes/${dispute.id}`)).data).toEqual(dispute)
    expect((await buyer.get('/disputes?status=open')).data).toContainEqual(dispute)
    expect(await invoiceOf(payment)).toMatchObject({ dispute_status: 'open', payment_status: 'paid' })
    expect(await errorsSince(before)).toEqual([expect.stringContaining(`at the provider until ${dispute.answer_by}`)])
    await sendEvent(at, 'charge.dispute.updated', { ...at.stripe.disputes.get(reference) })
    expect(await errorsSince(before)).toHaveLength(1)
    expect(await disputesOf(payment)).toEqual([dispute])
  })

  it('that is won changes nothing but itself', async () => {
    const payment = await paid()
    await closed(await disputed(payment), 'won')
    const [dispute] = await disputesOf(payment)
    expect(dispute).toMatchObject({ status: 'won', is_withdrawn: false, settled_at: expect.any(String) })
    expect(await invoiceOf(payment)).toMatchObject({ dispute_status: 'won', payment_status: 'paid' })
    expect(await refundsOf(payment)).toEqual([])
    expect((await orderOf(payment)).status).toBe('completed')
  })

  it('that is lost is refunded once: credit note, order, entitlements', async () => {
    const payment = await paid()
    const id = await disputed(payment)
    await closed(id, 'lost')
    const lost = { ...at.stripe.disputes.get(id) }
    for (const type of ['charge.dispute.closed', 'charge.dispute.funds_withdrawn', 'charge.dispute.created'])
      await sendEvent(at, type, lost)
    const [dispute] = await disputesOf(payment)
    const refunds = await refundsOf(payment)
    expect(refunds).toMatchObject([{ status: 'succeeded', amount: '150.00', dispute_id: dispute.id }])
    expect(await invoiceOf(payment)).toMatchObject({ ...REFUNDED, dispute_status: 'lost' })
    const order = await orderOf(payment)
    expect(order.status).toBe('refunded')
    expect(order.entitlements).toMatchObject([{ status: 'cancelled' }])
    const { data } = await acme.staff.get(`/refunds/${refunds[0].id}`)
    const done = data.steps.filter(({ status }: { status: string }) => status === 'done')
    expect(done.map(({ step }: { step: string }) => step)).toEqual(
      expect.arrayContaining(['payment', 'credit_note', 'entitlement']),
    )
    expect(
      [...at.stripe.refunds.values()].filter(({ payment_intent }) => payment_intent === lost.payment_intent),
    ).toEqual([])
  })

  it('that was lost before anything of it or of the payment was heard ends the same', async () => {
    const payment = await bought(at)
    at.stripe.pay(payment.reference)
    const { id } = at.stripe.dispute(payment.reference)
    await closed(id, 'lost')
    await sendEvent(at, 'charge.dispute.created', { ...at.stripe.disputes.get(id) })
    await sendEvent(at, 'invoice.paid', { ...at.stripe.invoices.get(payment.reference) })
    expect(await invoiceOf(payment)).toMatchObject({ ...REFUNDED, dispute_status: 'lost' })
    expect(await orderOf(payment)).toMatchObject({ status: 'refunded', entitlements: [] })
  })

  it('about a part takes back that part', async () => {
    const payment = await paid()
    await closed(await disputed(payment, 5_000), 'lost')
    expect(await invoiceOf(payment)).toMatchObject({
      payment_status: 'paid',
      amount_refunded: '50.00',
      amount_credited: '50.00',
    })
    expect(await orderOf(payment)).toMatchObject({ status: 'completed', entitlements: [{ status: 'active' }] })
    await closed(await disputed(payment, 10_000), 'lost')
    expect(await invoiceOf(payment)).toMatchObject(REFUNDED)
    expect((await orderOf(payment)).status).toBe('refunded')
  })

  it('of an overpaid payment takes back what the invoice got; the rest is a dead letter', async () => {
    const payment = await bought(at)
    await sendEvent(at, 'invoice.paid', Object.assign(at.stripe.pay(payment.reference), { amount_paid: 16_000 }))
    const id = await disputed(payment)
    const before = (await deadLetters(at.app)).length
    await closed(id, 'lost')
    expect(await invoiceOf(payment)).toMatchObject(REFUNDED)
    expect(await errorsSince(before)).toEqual([expect.stringContaining(`${id} took 10.00 BRL more than was left`)])
  })

  it('of one of two payments takes back that one', async () => {
    const { data } = await acme.staff.post('/invoices', {
      currency: 'BRL',
      company: 'entity_br',
      total: '150.00',
      status: 'open',
    })
    await drain()
    await acme.staff.post(`/invoices/${data.id}/pay`, { amount: '60.00' })
    await drain()
    const payment = { invoice_id: data.id, order_id: null }
    const { payment_invoice_id: reference } = await invoiceOf(payment)
    await sendEvent(at, 'invoice.paid', at.stripe.pay(reference))
    await closed(await disputed({ reference }), 'lost')
    const [dispute] = await disputesOf(payment)
    const { data: paidBack } = await buyer.get(`/payments/${dispute.payment_id}`)
    expect(paidBack).toMatchObject({ source: 'provider', amount: '90.00' })
    expect(await invoiceOf(payment)).toMatchObject({ amount_refunded: '90.00', amount_credited: '90.00' })
  })

  it('that the provider calls won after it was lost is a dead letter', async () => {
    const payment = await paid()
    const id = await disputed(payment)
    await closed(id, 'lost')
    const before = (await deadLetters(at.app)).length
    await sendEvent(at, 'charge.dispute.closed', Object.assign(at.stripe.disputes.get(id) ?? {}, { status: 'won' }))
    expect(await errorsSince(before)).toEqual([expect.stringContaining('says now that it was won')])
    expect((await disputesOf(payment))[0].status).toBe('lost')
  })

  it('about a payment of nobody is a dead letter', async () => {
    const before = (await deadLetters(at.app)).length
    await sendEvent(at, 'charge.dispute.created', {
      id: 'du_1',
      amount: 1,
      currency: 'brl',
      reason: 'x',
      charge: 'ch_1',
    })
    expect(await errorsSince(before)).toEqual([expect.stringContaining('the provider shows no du_1')])
  })

  it('of another organization is 404', async () => {
    const payment = await paid()
    await disputed(payment)
    const [{ id }] = await disputesOf(payment)
    const other = await at.app.world.organization()
    expect((await other.owner.get(`/disputes/${id}`)).status).toBe(404)
    expect((await other.owner.get('/disputes')).data).toEqual([])
  })
})

describe('a dispute and a refund', () => {
  it('409 for a refund while the bank decides, and for the approval of an earlier one', async () => {
    const payment = await paid()
    const { data } = await buyer.post(`/orders/${payment.order_id}/refund`, { amount: '50.00' })
    const id = await disputed(payment)
    expect((await buyer.post(`/orders/${payment.order_id}/refund`, { amount: '50.00' })).status).toBe(409)
    expect((await acme.staff.post(`/refunds/${data.refund_id}/approve`)).status).toBe(409)
    await closed(id, 'lost')
    const refunds = await refundsOf(payment)
    const found = Object.fromEntries(refunds.map(({ status, amount }) => [status, amount]))
    expect([refunds.length, found]).toEqual([2, { rejected: '50.00', succeeded: '150.00' }])
    expect(await invoiceOf(payment)).toMatchObject(REFUNDED)
  })

  it('409 for what a disputed payment left in the credit balance', async () => {
    const payment = await bought(at)
    await sendEvent(at, 'invoice.paid', Object.assign(at.stripe.pay(payment.reference), { amount_paid: 17_000 }))
    const [{ id: payment_id }] = (await buyer.get(`/invoices/${payment.invoice_id}/payments`)).data
    const [{ id: held }] = (await buyer.get('/credit-balances')).data
    const request = () => buyer.post(`/credit-balances/${held}/refund`, { amount: '10.00', payment_id })
    const { data: earlier } = await request()
    const approve = () => acme.staff.post(`/refunds/${earlier.id}/approve`)
    const dispute = await disputed(payment)
    expect([(await request()).status, (await approve()).status]).toEqual([409, 409])
    await closed(dispute, 'won')
    expect([(await request()).status, (await approve()).status]).toEqual([200, 200])
  })

  it('never give back more than was paid: the rest is reversed when the refund under way has failed', async () => {
    const payment = await paid()
    const { id, object } = await refunded(at, payment, '50.00')
    Object.assign(object, { status: 'pending' })
    await closed(await disputed(payment), 'lost')
    expect(await invoiceOf(payment)).toMatchObject({ payment_status: 'paid', amount_refunded: '100.00' })
    await sendEvent(at, 'refund.failed', Object.assign(object, { status: 'failed' }))
    expect((await buyer.get(`/refunds/${id}`)).data.status).toBe('failed')
    expect(await invoiceOf(payment)).toMatchObject(REFUNDED)
    expect((await orderOf(payment)).status).toBe('refunded')
  })

  it('of what was refunded before: the rest is reversed, and staff are told what was lost twice', async () => {
    const payment = await paid()
    const { object } = await refunded(at, payment, '50.00')
    await sendEvent(at, 'refund.updated', object)
    const id = await disputed(payment)
    const before = (await deadLetters(at.app)).length
    await closed(id, 'lost')
    await drain()
    expect(await invoiceOf(payment)).toMatchObject(REFUNDED)
    expect(await errorsSince(before)).toEqual([expect.stringContaining(`${id} took 50.00 BRL more than was left`)])
  })
})

it('a dispute whose end was never reported is found by asking', async () => {
  const payment = await paid()
  at.stripe.closeDispute(await disputed(payment), 'lost')
  await at.app.database.query(`insert into jobs (kind, every_seconds, run_at) values ('payments/reconcile', 300, $1)`, [
    at.app.clock.now,
  ])
  at.app.clock.advance(75 * 60)
  await drain()
  expect(await invoiceOf(payment)).toMatchObject(REFUNDED)
})
