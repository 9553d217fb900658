// Why an entitlement has its status, and since when.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { acceptedQuote, buyerOf } from '#test/scenes/commerce.ts'
import { entitlement, license } from '#test/scenes/licenses.ts'

const app = await appOfFile({ environment: { REFUNDS: 'approve' } })
const acme = await app.world.organization()
const buyer = await buyerOf(acme)

const act = (id: number, name: string, body?: object) => acme.staff.post(`/entitlements/${id}/${name}`, body)
const seen = async (id: number) => (await buyer.get(`/entitlements/${id}`)).data
const moment = () => app.clock.now.toISOString()
const day = (days: number) => new Date(app.clock.now.getTime() + days * 86_400_000).toISOString()
/** Runs all jobs that are due, those of every minute too. */
async function runJobs(): Promise<void> {
  await app.service.worker.start()
  await app.service.worker.drain()
  await app.service.worker.stop()
}
const BY_STAFF = { status_reason_code: 'by_staff', status_reason: null }

describe('the reason of a status', () => {
  it('is none when it was created', async () => {
    const { id, created_at } = await entitlement(acme)
    expect(await seen(id)).toMatchObject({
      status: 'active',
      status_reason_code: null,
      status_reason: null,
      status_since: created_at,
    })
  })
  it('is in the words of staff, for each of their acts, and of the newest one only', async () => {
    const { id } = await entitlement(acme, { expires_at: day(1) })
    for (const [name, status] of [
      ['suspend', 'suspended'],
      ['resume', 'active'],
      ['cancel', 'cancelled'],
    ] as const) {
      app.clock.advance(60)
      const reason = `We ${name} it “olé” 🚀`
      const { data } = await act(id, name, { organization_id: acme.id, reason })
      expect(data).toMatchObject({ ...BY_STAFF, status, status_reason: reason, status_since: moment() })
      expect(await seen(id)).toEqual(data)
    }
    const { data } = await acme.owner.get('/audit-log?resource=entitlement&action=suspended')
    expect(data[0]).toMatchObject({ resource_id: id, reason: 'We suspend it “olé” 🚀' })
  })
  it('is only the code without words: no body, an empty one, null', async () => {
    const { id } = await entitlement(acme)
    await act(id, 'suspend', { reason: 'Chargeback' })
    expect((await act(id, 'resume')).data).toMatchObject({ ...BY_STAFF, status: 'active' })
    expect((await act(id, 'suspend', {})).data).toMatchObject({ ...BY_STAFF, status: 'suspended' })
    expect((await act(id, 'resume', { reason: null })).data).toMatchObject(BY_STAFF)
  })
  it('does not change with what is no change of the status', async () => {
    const { id } = await entitlement(acme)
    const { data } = await act(id, 'suspend', { reason: 'Chargeback' })
    app.clock.advance(60)
    const changed = await acme.staff.patch(`/entitlements/${id}`, { product_name: 'New' })
    expect((await act(id, 'suspend', { reason: 'Again' })).status).toBe(409)
    expect(await seen(id)).toEqual({ ...data, product_name: 'New', updated_at: changed.data.updated_at })
  })
  it('is in the history of a license that follows', async () => {
    const one = await license(acme)
    await act(one.entitlement_id, 'suspend', { reason: 'Chargeback' })
    const { data } = await buyer.get(`/licenses/${one.id}/history`)
    expect(data.at(-1)).toMatchObject({ to_status: 'suspended', note: 'Chargeback' })
  })
  it.each([
    [{ reason: 'x'.repeat(501) }, 'reason'],
    [{ reason: ' ' }, 'reason'],
    [{ reason: '' }, 'reason'],
    [{ reason: 7 }, 'reason'],
    [{ reason: 'a\0b' }, 'reason'],
    [{ status_reason: 'x' }, 'status_reason'],
    [{ organization_id: 999_999 }, 'organization_id'],
  ])('422 for %j, and nothing changes', async (body, field) => {
    const made = await entitlement(acme)
    const answer = await act(made.id, 'suspend', body)
    expect([answer.status, Object.keys(answer.errors?.fields ?? {})]).toEqual([422, [field]])
    expect(await seen(made.id)).toEqual(made)
  })
  it('is taken from one of two acts at once', async () => {
    const { id } = await entitlement(acme)
    const answers = await Promise.all(['One', 'Two'].map((reason) => act(id, 'suspend', { reason })))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
    const won = answers.find(({ status }) => status === 200)
    expect(await seen(id)).toEqual(won?.data)
  })
})

describe('the code of what the service does by itself', () => {
  it('is expired at the end, and by_staff for a renewal by hand', async () => {
    const { id } = await entitlement(acme, { expires_at: day(1 / 24) })
    app.clock.advance(3600)
    await runJobs()
    expect(await seen(id)).toMatchObject({
      status: 'expired',
      status_reason_code: 'expired',
      status_reason: null,
      status_since: moment(),
    })
    const renewed = await act(id, 'renew', { expires_at: day(9), reason: 'Paid by transfer' })
    expect(renewed.data).toMatchObject({ ...BY_STAFF, status: 'active', status_reason: 'Paid by transfer' })
  })
  it.each([
    ['order_cancelled', ['cancelled']],
    ['refunded', ['processing', 'refunded']],
  ])('is %s when staff end the order so', async (status_reason_code, statuses) => {
    const { id } = await entitlement(acme)
    const { order_id } = await acceptedQuote(app, acme, buyer)
    await app.database.query('update entitlements set order_id = $1 where id = $2', [order_id, id])
    for (const status of statuses)
      expect((await acme.staff.post(`/orders/${order_id}/status`, { status })).status).toBe(200)
    expect(await seen(id)).toMatchObject({ status: 'cancelled', status_reason_code, status_since: moment() })
  })
  it('is refunded when all that was paid is given back', async () => {
    const { order_id, quote_id, invoice_id } = await acceptedQuote(app, acme, buyer)
    await acme.staff.post(`/invoices/${invoice_id}/pay`, {})
    await app.service.worker.drain()
    const { refund_id } = (await acme.staff.post(`/orders/${order_id}/refund`, {})).data
    await acme.staff.post(`/refunds/${refund_id}/approve`)
    expect((await acme.staff.post(`/refunds/${refund_id}/settle`)).status).toBe(200)
    const { data } = await buyer.get(`/quotes/${quote_id}`)
    expect(await seen(data.entitlement_ids[0])).toMatchObject({ status: 'cancelled', status_reason_code: 'refunded' })
  })
})
