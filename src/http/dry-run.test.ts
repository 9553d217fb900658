// `?dry_run=true`: same access, same refusals, nothing kept, and to each caller what that caller may see. That a preview
// comes true is tested for every route in test/sweeps/dry-runs.test.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bought, sendEvent, type StripeScene, stripeScene } from '#test/scenes/stripe.ts'
import type { PreviewedRecord } from '#kernel/jobs/preview.ts'
import type { Answer } from '#test/harness/world.ts'
import { clocked } from '#test/scenes/test-clock.ts'

let at: StripeScene
beforeAll(async () => void (at = await stripeScene({ environment: { REFUNDS: 'approve' } })))
afterAll(() => at.close())

async function completed(): Promise<Answer['data']> {
  const payment = await bought(at)
  await sendEvent(at, 'invoice.paid', at.stripe.pay(payment.reference))
  return payment
}
const REFUND = (id: number) => `/orders/${id}/refund?dry_run=true`
const resources = ({ data }: Answer) => data.records.map(({ resource }: PreviewedRecord) => resource).toSorted()
const count = async (table: string, where = 'true') =>
  (await at.app.database.query<{ n: number }>(`select count(*)::int as n from ${table} where ${where}`))[0]?.n

describe('dry_run', () => {
  it('200 shows what follows once staff and the provider have agreed, also where staff have to approve', async () => {
    const { order_id } = await completed()
    const answer = await at.buyer.post(REFUND(order_id), { amount: '60.00', reason: 'Two seats' })
    expect(answer.message).toBe('Nothing was changed')
    const about = { resource: 'refund', resource_id: null, amount: null, currency: null }
    expect(answer.data.requests).toEqual([
      { of: 'staff', act: 'approve_refund', ...about },
      { of: 'payment_provider', act: 'refund', ...about },
    ])
    const of = (name: string) => answer.data.records.find(({ resource }: PreviewedRecord) => resource === name)
    expect(of('refund')).toMatchObject({
      resource_id: null,
      reference: null,
      events: ['created', 'approved', 'succeeded'],
      before: null,
      after: { status: 'succeeded', amount: '60.00', is_approved: true },
    })
    expect(of('credit_note')).toMatchObject({ after: { total: '60.00', refund_id: null, reason: 'Two seats' } })
    expect(of('credit_note').after).not.toHaveProperty('number')
    expect(of('invoice')).toMatchObject({
      reference: expect.any(String),
      before: { amount_refunded: '0.00', amount_credited: '0.00' },
      after: { amount_refunded: '60.00', amount_credited: '60.00' },
    })
    expect(await count('refunds')).toBe(0)
  })
  it('200 shows a customer only records, fields and problems that are the customer’s', async () => {
    const { order_id } = await completed()
    const clerk = await at.acme.member({ scopes: ['orders', 'finances'] })
    const [mine, staffs] = [await clerk.post(REFUND(order_id)), await at.acme.staff.post(REFUND(order_id))]
    expect(resources(mine)).toEqual(['credit_note', 'invoice', 'order', 'refund'])
    expect(resources(staffs)).toEqual(expect.arrayContaining(['entitlement', 'license']))
    const invoice = mine.data.records.find(({ resource }: PreviewedRecord) => resource === 'invoice')
    expect(invoice.after).not.toHaveProperty('refund_reserved')
    expect(mine.data.requests.map(({ of }: { of: string }) => of)).not.toContain('mail')
    expect(staffs.data.requests).toContainEqual(expect.objectContaining({ of: 'mail', act: 'refund-succeeded' }))
  })
  it('200 shows the same where the organization lives in another time', async () => {
    const acme = await clocked(at.app, '2023-01-31T12:00:00.000Z')
    const line = { class: 'PLG', product_name: 'Backup', company: 'entity_br', organization_id: acme.id }
    const { id } = (await acme.staff.post('/entitlements', line)).data
    await acme.staff.post('/licenses', { entitlement_id: id, activations_limit: 1 })
    await at.app.service.worker.drain()
    const answer = await acme.staff.post(`/entitlements/${id}/cancel?dry_run=true`)
    expect(resources(answer)).toEqual(['entitlement', 'license'])
  })
  it('false is no dry run', async () => {
    const { order_id } = await completed()
    const { status, data } = await at.buyer.post(`/orders/${order_id}/refund?dry_run=false`, { amount: '1.00' })
    expect([status, data.status]).toEqual([200, 'processing'])
  })
  it('200 answers a creating route with 200', async () => {
    const { invoice_id } = await completed()
    const path = `/invoices/${invoice_id}/credit-notes?dry_run=true`
    expect((await at.acme.staff.post(path, { reason: 'Too much', amount: '5.00' })).status).toBe(200)
  })
  it('401, 403, 404, 409 and 422 are those of the request itself', async () => {
    const { order_id, invoice_id } = await completed()
    const reader = await at.acme.member({ scopes: ['quotes'] })
    const stranger = await at.app.world.organization()
    expect((await at.app.world.anonymous.post(REFUND(order_id))).status).toBe(401)
    expect((await reader.post(REFUND(order_id))).status).toBe(403)
    expect((await stranger.owner.post(REFUND(order_id))).status).toBe(404)
    expect((await at.acme.staff.post(`/invoices/${invoice_id}/void?dry_run=true`)).status).toBe(409)
    const tooMuch = await at.buyer.post(REFUND(order_id), { amount: '150.01' })
    expect([tooMuch.status, Object.keys(tooMuch.errors?.fields ?? {})]).toEqual([422, ['amount']])
  })
  it.each(['', 'yes', '1', 'TRUE'])('422 for the value %j', async (value) => {
    const { order_id } = await completed()
    const answer = await at.buyer.post(`/orders/${order_id}/refund?dry_run=${value}`, {})
    expect([answer.status, Object.keys(answer.errors?.fields ?? {})]).toEqual([422, ['dry_run']])
  })
  it('422 where the route takes none', async () => {
    const { status, errors } = await at.acme.staff.post('/invoices/1/finalize?dry_run=true')
    expect([status, errors?.fields]).toEqual([422, { dry_run: 'unknown field' }])
  })
})

describe('a dry run', () => {
  it('does not use its Idempotency-Key, and leaves it to the request that follows', async () => {
    const { order_id } = await completed()
    const key = { 'idempotency-key': 'refund-once' }
    expect((await at.buyer.post(REFUND(order_id), { amount: '2.00' }, key)).data.dry_run).toBe(true)
    expect(await count('idempotency_keys')).toBe(0)
    const real = await at.buyer.post(`/orders/${order_id}/refund`, { amount: '3.00' }, key)
    expect([real.status, real.data.amount]).toEqual([200, '3.00'])
  })
  it('leaves an entry of the visit of staff, and no other', async () => {
    const { order_id } = await completed()
    const before = await count('audit_log')
    await at.acme.staff.post(REFUND(order_id))
    expect([await count('audit_log'), await count('audit_log', `action = 'staff_entry'`)]).toEqual([
      Number(before) + 1,
      expect.any(Number),
    ])
    await at.buyer.post(REFUND(order_id))
    expect(await count('audit_log')).toBe(Number(before) + 1)
  })
  it('and changes at once wait for each other: one refund is made, and each preview is of a whole state', async () => {
    const { order_id } = await completed()
    const asked = Array.from({ length: 6 }, (_, index) =>
      at.buyer.post(index === 3 ? `/orders/${order_id}/refund` : REFUND(order_id), { amount: '100.00' }),
    )
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.filter((status) => ![200, 422].includes(status))).toEqual([])
    expect(await count('refunds', `order_id = ${order_id}`)).toBe(1)
  })
  it('tells staff what would become a dead letter, and others only that something is missing', async () => {
    const { order_id, invoice_id } = await completed()
    await at.app.database.query(`update invoices set status = 'open', amount_paid = 0 where id = $1`, [invoice_id])
    await at.app.database.query(
      `insert into tax_invoices (organization_id, invoice_id, order_id, total, line_items, recipient, series, rps_number,
         competence, description, status, nfse_number, access_key, issued_at, cancel_until)
       values ($1, $2, $3, '150.00', '[]', '{}', '1', 900, '2026-01-01', 'x', 'issued', '900', 'K-900', now(), '2026-01-02')`,
      [at.acme.id, invoice_id, order_id],
    )
    const { data } = await at.acme.staff.post(`/invoices/${invoice_id}/void?dry_run=true`)
    expect([data.is_complete, data.problems]).toEqual([
      false,
      [expect.stringContaining('could be cancelled until 2026-01-02')],
    ])
    expect(data.records).toMatchObject([{ resource: 'invoice', after: { status: 'void' } }])
    await at.app.database.query(`update orders set status = 'pending' where id = $1`, [order_id])
    const others = (await at.buyer.post(`/orders/${order_id}/cancel?dry_run=true`)).data
    expect([others.is_complete, others.problems]).toEqual([false, []])
  })
})
