// Refunds of payments without an order, of invoices that are open or void, and of credit balances.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bought, type StripeScene, stripeScene, sendEvent } from '#test/scenes/stripe.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'
import { withdrawnCredit } from '#test/scenes/commerce.ts'

let at: StripeScene
let acme: Organization
let buyer: Speaker
beforeAll(async () => {
  at = await stripeScene()
  acme = at.acme
  buyer = at.buyer
})
afterAll(() => at.close())

const drain = () => at.app.service.worker.drain()
const invoiceOf = async (id: number) => (await buyer.get(`/invoices/${id}`)).data
const pay = (id: number, amount: string) => acme.staff.post(`/invoices/${id}/pay`, { amount })
const refund = (id: number, body: object = {}, who = acme.staff) => who.post(`/invoices/${id}/refund`, body)
const fieldsOf = ({ status, errors }: Answer) => [status, Object.keys(errors?.fields ?? {})]

async function written(total = '150.00'): Promise<number> {
  const { data } = await acme.staff.post('/invoices', { currency: 'BRL', company: 'entity_br', total, status: 'open' })
  await drain()
  return data.id
}

async function settled(id: number): Promise<void> {
  await acme.staff.post(`/refunds/${id}/approve`)
  await drain()
  expect((await acme.staff.post(`/refunds/${id}/settle`)).status).toBe(200)
}

describe('POST /invoices/{id}/refund', () => {
  it('200 without an order: one refund for each payment, each with its credit note', async () => {
    const id = await written()
    await pay(id, '50.00')
    await pay(id, '100.00')
    expect(fieldsOf(await refund(id, { amount: '100.01' }))).toEqual([422, ['amount']])
    const given = { external_id: `paid-in-parts-${id}`, metadata: { case: '7' } }
    const { data: first } = await refund(id, given, buyer)
    expect(first).toMatchObject({
      amount: '150.00',
      status: 'processing',
      refund_ids: [first.refund_id, expect.any(Number)],
    })
    const made = []
    for (const refund_id of first.refund_ids) made.push((await buyer.get(`/refunds/${refund_id}`)).data)
    expect(made.map(({ amount }) => amount)).toEqual(['100.00', '50.00'])
    expect(made).toMatchObject([given, { external_id: null, metadata: given.metadata }])
    expect((await refund(id)).status).toBe(409)
    for (const refund_id of first.refund_ids) await settled(refund_id)
    const sums = { amount_paid: '150.00', amount_refunded: '150.00', amount_credited: '150.00', amount_due: '0.00' }
    expect(await invoiceOf(id)).toMatchObject({ status: 'paid', payment_status: 'refunded', ...sums })
    const { data } = await buyer.get(`/refunds/${first.refund_id}`)
    expect(data).toMatchObject({ order_id: null, invoice_id: id, status: 'succeeded' })
    expect(data.refunded_on).toMatch(/^\d{4}-\d\d-\d\d$/)
  })
  it('200 ten times at once: never more than was paid', async () => {
    const id = await written()
    await pay(id, '150.00')
    const answers = await Promise.all(Array.from({ length: 10 }, () => refund(id, { amount: '40.00' })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
  })
  it('200 of an open invoice by staff: it is due again, through a new checkout; 409 by customers', async () => {
    const id = await written()
    await pay(id, '60.00')
    await drain()
    expect((await refund(id, {}, buyer)).status).toBe(409)
    const { data } = await refund(id)
    const before = await invoiceOf(id)
    expect(before).toMatchObject({ status: 'open', amount_due: '90.00' })
    await settled(data.refund_id)
    await drain()
    const after = await invoiceOf(id)
    expect(after).toMatchObject({
      status: 'open',
      payment_status: 'unpaid',
      amount_due: '150.00',
      amount_credited: '0.00',
    })
    expect(after.payment_invoice_id).not.toBe(before.payment_invoice_id)
    expect(at.stripe.invoices.get(after.payment_invoice_id)).toMatchObject({ status: 'open', total: 15_000 })
    await sendEvent(at, 'invoice.paid', at.stripe.pay(after.payment_invoice_id))
    expect(await invoiceOf(id)).toMatchObject({ status: 'paid', amount_paid: '210.00', amount_refunded: '60.00' })
  })
  it('200 of a void invoice: without a credit note', async () => {
    const id = await written()
    await pay(id, '60.00')
    expect((await acme.staff.post(`/invoices/${id}/void`)).data).toMatchObject({ status: 'void', amount_due: '0.00' })
    const { data } = await refund(id)
    await settled(data.refund_id)
    const sums = { amount_paid: '60.00', amount_refunded: '60.00', amount_credited: '0.00' }
    expect(await invoiceOf(id)).toMatchObject({ status: 'void', payment_status: 'refunded', ...sums })
  })
  it('409 for a customer whose order is not completed, and when nothing was paid; 404 for another’s', async () => {
    const { invoice_id } = await bought(at)
    expect((await refund(invoice_id)).status).toBe(409)
    await pay(invoice_id, '10.00')
    expect((await refund(invoice_id, {}, buyer)).status).toBe(409)
    const other = await at.app.world.organization()
    expect((await refund(invoice_id, {}, other.staff)).status).toBe(404)
  })
  it('a payment from the credit balance goes back there', async () => {
    await acme.staff.post('/payments', { company: 'entity_br', currency: 'BRL', amount: '150.00' })
    const id = await written()
    expect(await invoiceOf(id)).toMatchObject({ status: 'paid', payment_method: 'credit_balance' })
    const { data } = await refund(id)
    await acme.staff.post(`/refunds/${data.refund_id}/approve`)
    await drain()
    expect((await buyer.get(`/refunds/${data.refund_id}`)).data.status).toBe('succeeded')
    expect(await withdrawnCredit(acme)).toBe('150.00')
  })
})

const balance = async () => (await buyer.get('/credit-balances')).data[0]

describe('POST /credit-balances/{id}/refund', () => {
  it('200 by hand: it leaves the balance at once, and returns when it is rejected', async () => {
    await acme.staff.post('/payments', { company: 'entity_br', currency: 'BRL', amount: '100.00' })
    const { id } = await balance()
    const ask = (body: object) => buyer.post(`/credit-balances/${id}/refund`, body)
    const tooMuch = await ask({ amount: '100.01' })
    expect(fieldsOf(tooMuch)).toEqual([422, ['amount']])
    expect(tooMuch.raw.body).not.toContain('100.00')
    expect(fieldsOf(await ask({ payment_id: 99_999_999 }))).toEqual([422, ['payment_id']])
    const answers = await Promise.all([ask({ amount: '60.00' }), ask({ amount: '60.00' })])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 422]))
    const first = answers.find(({ status }) => status === 200)?.data
    expect((await balance()).amount).toBe('40.00')
    await at.app.database.query('update refunds set is_approved = false where id = $1', [first.id])
    expect((await acme.staff.post(`/refunds/${first.id}/reject`, { reason: 'Not yet' })).status).toBe(200)
    expect((await balance()).amount).toBe('100.00')
    const { data } = await ask({})
    expect(data).toMatchObject({ amount: '100.00', invoice_id: null, order_id: null, credit_balance_id: id })
    await settled(data.id)
    expect((await balance()).amount).toBe('0.00')
    expect((await ask({})).status).toBe(409)
  })
  it('200 through the provider: what was too much of a payment there, and no more', async () => {
    const { invoice_id, reference } = await bought(at)
    await sendEvent(at, 'invoice.paid', Object.assign(at.stripe.pay(reference), { amount_paid: 17_000 }))
    await acme.staff.post('/payments', { company: 'entity_br', currency: 'BRL', amount: '5.00' })
    const { id, amount } = await balance()
    expect(amount).toBe('25.00')
    const [{ id: payment_id }] = (await buyer.get(`/invoices/${invoice_id}/payments`)).data
    const { data } = await buyer.post(`/credit-balances/${id}/refund`, { payment_id })
    expect(data).toMatchObject({ amount: '20.00', payment_id })
    await acme.staff.post(`/refunds/${data.id}/approve`)
    await drain()
    const { provider_reference } = (await buyer.get(`/refunds/${data.id}`)).data
    expect(at.stripe.refunds.get(provider_reference)).toMatchObject({ amount: 2000 })
    await sendEvent(at, 'refund.updated', { ...at.stripe.refunds.get(provider_reference), status: 'succeeded' })
    expect((await acme.staff.post(`/refunds/${data.id}/settle`)).status).toBe(409)
    expect((await buyer.post(`/credit-balances/${id}/refund`, { payment_id })).status).toBe(409)
    expect(await withdrawnCredit(acme)).toBe('5.00')
  })
})
