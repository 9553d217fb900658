// Refunds from the request to the credit note, with the sandbox provider over real HTTP.
import { beforeAll, describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import {
  acceptedQuote,
  buyerOf,
  eventually,
  deadLetters,
  pressPay,
  refundEvent,
  signedEvent,
} from '#test/scenes/commerce.ts'
import { mailsTo } from '#test/harness/mailbox.ts'

const app = await appOfFile({ listens: true, environment: { REFUNDS: 'approve' } })
const acme = await app.world.organization()
const buyer = await buyerOf(acme)

type Bought = { order_id: number; invoice_id: number; quote_id: number }

async function completed(pay: 'provider' | 'hand' = 'provider', at = acme, who = buyer): Promise<Bought> {
  const payment = await acceptedQuote(app, at, who)
  if (pay === 'provider') await pressPay(payment.checkout_url)
  else await at.staff.post(`/invoices/${payment.invoice_id}/pay`, {})
  const look = async () => (await who.get(`/orders/${payment.order_id}`)).data
  await eventually(app, look, (order) => order.status === 'completed')
  return payment
}

const ask = (order: Bought, body: object = {}) => buyer.post(`/orders/${order.order_id}/refund`, body)
const refundOf = async (id: number) => (await buyer.get(`/refunds/${id}`)).data
const settled = (id: number, status: string) =>
  eventually(
    app,
    () => refundOf(id),
    (refund) => refund.status === status,
  )
const invoiceOf = async ({ invoice_id }: Bought) => (await buyer.get(`/invoices/${invoice_id}`)).data

describe('POST /orders/{id}/refund', () => {
  it('200 in part: refunded once approved and confirmed, credited, the order stays completed', async () => {
    const order = await completed()
    const answer = await ask(order, { reason: 'Two seats', amount: '60' })
    expect(answer).toMatchObject({ status: 200, data: { amount: '60.00', status: 'processing' } })
    const { refund_id } = answer.data
    await app.service.worker.drain()
    expect(await refundOf(refund_id)).toMatchObject({ is_approved: false, provider_reference: null })
    expect((await acme.staff.post(`/refunds/${refund_id}/approve`)).status).toBe(200)
    expect((await acme.staff.post(`/refunds/${refund_id}/approve`)).status).toBe(409)
    expect((await acme.staff.post(`/refunds/${refund_id}/reject`, {})).status).toBe(409)
    await settled(refund_id, 'succeeded')
    const invoice = await invoiceOf(order)
    const sums = { amount_paid: '150.00', amount_refunded: '60.00', amount_credited: '60.00', amount_due: '0.00' }
    expect(invoice).toMatchObject({ status: 'paid', payment_status: 'paid', total: '150.00', ...sums })
    const note = (await buyer.get(`/credit-notes/${invoice.credit_note_ids[0]}`)).data
    expect(note).toMatchObject({ refund_id, invoice_id: invoice.id, invoice_number: invoice.number, total: '60.00' })
    expect(note).toMatchObject({ reason: 'Two seats', total_cents: 6000, number: expect.stringMatching(/^BRC-\d{6}$/) })
    expect((await buyer.get(`/orders/${order.order_id}`)).data.status).toBe('completed')
  })
  it('200 in full by two parts: the order is refunded, its entitlements end', async () => {
    const order = await completed()
    for (const amount of ['100.00', undefined]) {
      const { data } = await ask(order, amount === undefined ? {} : { amount })
      expect(data.amount).toBe(amount ?? '50.00')
      await acme.staff.post(`/refunds/${data.refund_id}/approve`)
      await settled(data.refund_id, 'succeeded')
    }
    expect(await invoiceOf(order)).toMatchObject({ payment_status: 'refunded', amount_refunded: '150.00' })
    const { status, entitlements } = (await buyer.get(`/orders/${order.order_id}`)).data
    expect([status, entitlements[0].status]).toEqual(['refunded', 'cancelled'])
    expect((await ask(order)).status).toBe(409)
  })
  it.each(['0', '0.00', '150.01', '1.001', '-1', '1e2', '', ' 1', '1,00', '9'.repeat(16), 'NaN', 60])(
    '422 for the amount %j, and nothing is reserved',
    async (amount) => {
      const order = shared
      const answer = await ask(order, { amount })
      expect([answer.status, Object.keys(answer.errors?.fields ?? {})]).toEqual([422, ['amount']])
      const [row] = await app.database.query('select refund_reserved::float8 as n from invoices where id = $1', [
        order.invoice_id,
      ])
      expect(row).toEqual({ n: 0 })
    },
  )
  let shared: Bought
  beforeAll(async () => void (shared = await completed()))
  it('409 before the order is completed, 404 for another organization, 403 without either scope', async () => {
    const pending = await acceptedQuote(app, acme, buyer)
    expect((await ask(pending)).status).toBe(409)
    const other = await app.world.organization()
    expect((await other.owner.post(`/orders/${shared.order_id}/refund`)).status).toBe(404)
    const half = await acme.member({ scopes: ['orders'] })
    expect((await half.post(`/orders/${shared.order_id}/refund`)).message).toContain('finances')
  })
  it('never refunds more than was paid, with 32 at once', async () => {
    const order = await completed()
    const people = await Promise.all(Array.from({ length: 8 }, () => buyerOf(acme)))
    const requests = Array.from({ length: 32 }, (_, index) =>
      fetch(`${app.url}/api/v1/orders/${order.order_id}/refund`, {
        method: 'POST',
        headers: { ...people[index % 8]?.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ amount: '20.00' }),
      }).then(async (response) => (await response.arrayBuffer(), response.status)),
    )
    const statuses = await Promise.all(requests)
    expect(statuses.filter((status) => status === 200)).toHaveLength(7)
    expect(statuses.filter((status) => status === 422)).toHaveLength(25)
    const [row] = await app.database.query(
      `select sum(r.amount)::text as sum, min(i.refund_reserved)::text as reserved from refunds r
         join invoices i on i.id = r.invoice_id where i.id = $1`,
      [order.invoice_id],
    )
    expect(row).toEqual({ sum: '140.00', reserved: '140.00' })
    const more = `update invoices set refund_reserved = refund_reserved + 20 where id = $1`
    await expect(app.database.query(more, [order.invoice_id])).rejects.toThrow('invoices_refunds')
  })
  it('mails the members with the scope finances, each in their language', async () => {
    const beta = await app.world.organization()
    const rui = await beta.member({ scopes: ['quotes', 'finances', 'orders'], email: 'rui-refund@example.com' })
    await app.database.query(`update users set language = 'pt-BR' where email = 'rui-refund@example.com'`)
    await beta.member({ scopes: ['finances'], email: 'ann-refund@example.com' })
    await app.database.query(`update users set language = 'en' where email = 'ann-refund@example.com'`)
    const order = await completed('hand', beta, rui)
    const { data } = await rui.post(`/orders/${order.order_id}/refund`, {})
    await beta.staff.post(`/refunds/${data.refund_id}/approve`)
    await beta.staff.post(`/refunds/${data.refund_id}/settle`)
    await app.service.worker.drain()
    const subjects = async (to: string) => (await mailsTo(app, to)).map(({ subject }) => subject)
    expect(await subjects('rui-refund@example.com')).toContainEqual(expect.stringMatching(/^Reembolso da fatura BR-/))
    expect(await subjects('ann-refund@example.com')).toContainEqual(expect.stringMatching(/^Refund for invoice BR-/))
  })
})

describe('POST /refunds/{id}/reject', () => {
  it('200 with a reason, and the reserved amount can be requested again', async () => {
    const order = await completed()
    const { data } = await ask(order)
    expect((await ask(order)).status).toBe(422)
    const rejected = await acme.staff.post(`/refunds/${data.refund_id}/reject`, { reason: 'Used up' })
    expect(rejected).toMatchObject({ status: 200, data: { status: 'rejected', rejection_reason: 'Used up' } })
    expect((await acme.staff.post(`/refunds/${data.refund_id}/approve`)).status).toBe(409)
    expect((await ask(order)).status).toBe(200)
    const listed = await buyer.get(`/refunds?order_id=${order.order_id}&status=rejected`)
    expect(listed.data.map(({ id }: { id: number }) => id)).toEqual([data.refund_id])
  })
})

describe('POST /refunds/{id}/settle', () => {
  it('200 for an invoice that was paid by hand, after the approval', async () => {
    const order = await completed('hand')
    const { refund_id } = (await ask(order)).data
    expect((await acme.staff.post(`/refunds/${refund_id}/settle`)).status).toBe(409)
    await acme.staff.post(`/refunds/${refund_id}/approve`)
    await app.service.worker.drain()
    expect((await refundOf(refund_id)).status).toBe('processing')
    expect((await acme.staff.post(`/refunds/${refund_id}/settle`)).data.status).toBe('succeeded')
    expect((await acme.staff.post(`/refunds/${refund_id}/settle`)).status).toBe(409)
    expect((await buyer.get(`/orders/${order.order_id}`)).data.status).toBe('refunded')
  })
  it('409 when the provider makes the refund', async () => {
    const { refund_id } = (await ask(await completed())).data
    await acme.staff.post(`/refunds/${refund_id}/approve`)
    expect((await acme.staff.post(`/refunds/${refund_id}/settle`)).status).toBe(409)
  })
})

describe('a report of the provider', () => {
  it('that refuses the refund fails it with the reason, without a dead letter', async () => {
    const order = await completed()
    await app.database.query(`update payments set reference = 'in_unknown' where invoice_id = $1`, [order.invoice_id])
    const { refund_id } = (await ask(order)).data
    await acme.staff.post(`/refunds/${refund_id}/approve`)
    const refund = await settled(refund_id, 'failed')
    expect(refund.failure_reason).toMatch(/\w/)
    expect((await deadLetters(app)).filter(({ kind }) => kind === 'refunds/send')).toEqual([])
    expect((await ask(order)).status).toBe(200)
  })
  it('that is late, repeated or out of order changes no succeeded refund, which is credited once', async () => {
    const order = await completed()
    const { refund_id } = (await ask(order, { amount: '10.00' })).data
    await acme.staff.post(`/refunds/${refund_id}/approve`)
    const { provider_reference } = await settled(refund_id, 'succeeded')
    for (const status of ['failed', 'succeeded', 'pending', 'failed']) {
      const event = refundEvent(provider_reference, { status, amount: 1000 })
      const { body, headers } = signedEvent(app, 'entity_br', event)
      expect((await app.world.anonymous.post('/webhooks/payment/entity_br', body, headers)).status).toBe(200)
    }
    await app.service.worker.drain()
    expect(await refundOf(refund_id)).toMatchObject({ status: 'succeeded', failure_reason: null })
    expect(await invoiceOf(order)).toMatchObject({ amount_refunded: '10.00', amount_credited: '10.00' })
    expect((await invoiceOf(order)).credit_note_ids).toHaveLength(1)
  })
})
