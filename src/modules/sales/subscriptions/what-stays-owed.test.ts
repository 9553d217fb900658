// The end of a subscription, and of an order, takes back what is for time to come. What was used, and what staff billed
// for their work, stays owed and declared; what was paid of what is taken back is refunded, and waits in the queue
// until it is.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deadLetters, LICENSE_LINE } from '#test/scenes/commerce.ts'
import { requested, becomes, begun } from '#test/scenes/subscriptions.ts'
import { type StripeScene, stripeScene } from '#test/scenes/stripe.ts'
import {
  accepted,
  before,
  type BillingScene,
  billingScene,
  entitlementsOf,
  goTo,
  invoicesOf,
  later,
  MONTHLY,
  pathOf,
  pay,
  refund,
  type Sale,
  sold,
  subscriptionOf,
  worked,
} from '#test/scenes/own-billing.ts'
import type { StaffPermission } from '#kernel/values/staff-roles.ts'
import { vendorKey } from '#test/scenes/vendor-keys.ts'
import { municipalityStandIn } from '#test/stand-ins/municipality.ts'
import { taxAuthorityStandIn } from '#test/stand-ins/tax-authority.ts'
import type { Answer, Organization } from '#test/harness/world.ts'

const authority = taxAuthorityStandIn()
let at: BillingScene
let stripe: StripeScene
beforeAll(async () => {
  const environment = { ENTITY_BR_TAX_ID: '12.abc.345/01de-35', ENTITY_BR_NAME: 'Vendor Ltda' }
  const ports = { taxAuthority: authority, municipalParameters: municipalityStandIn() }
  at = await billingScene({ environment, ports })
  stripe = await stripeScene()
})
afterAll(async () => {
  await at.app.close()
  await stripe.close()
})

const statusesOf = async (sale: Sale) => (await invoicesOf(at, sale)).map(({ status }) => status)
const cancel = (sale: Sale, body: object = {}) => at.acme.staff.post(`${pathOf(sale)}/cancel`, body)
const drain = () => at.app.service.worker.drain()

const invoiceOf = async ({ staff }: Organization, id: number): Promise<Answer['data']> =>
  (await staff.get(`/invoices/${id}`)).data

async function queued(kind: string): Promise<Answer['data'][]> {
  const boss = await at.app.world.user({ name: 'Boss', roles: ['customer', 'administrator'] })
  return (await boss.get(`/admin/queue?kind=${kind}&per_page=100`)).data
}

describe('the end of a subscription', () => {
  it('leaves the month that was used and hours of work owed, with their tax invoice; the month to come is void', async () => {
    const sale = await sold(at)
    const [{ period_end }] = await invoicesOf(at, sale)
    const hours = await worked(at.acme, sale.order_id)
    const written = await worked(at.acme, sale.order_id)
    expect((await at.acme.staff.post('/tax-invoices', { invoice_id: hours })).status).toBe(201)
    await drain()
    await at.acme.staff.post(`/invoices/${written}/mark-uncollectible`)
    await goTo(at, before(later(period_end, 1), 3))
    const { data } = await cancel(sale)
    expect(data).toMatchObject({ status: 'canceled', order_status: 'cancelled' })
    await drain()
    const [, used, toCome] = (await invoicesOf(at, sale)).filter(({ id }) => id !== hours && id !== written)
    expect([used.status, toCome.status]).toEqual(['open', 'void'])
    expect(used).toMatchObject({ period_start: period_end, amount_due: '105.00' })
    expect(await invoiceOf(at.acme, hours)).toMatchObject({ status: 'open', amount_due: '200.00' })
    expect(await invoiceOf(at.acme, written)).toMatchObject({ status: 'uncollectible', amount_due: '200.00' })
    const [nfse] = (await at.acme.staff.get(`/tax-invoices/order/${sale.order_id}`)).data.filter(
      ({ total }: Answer['data']) => total === '200.00',
    )
    expect(nfse.status).toBe('issued')
    expect(authority.cancelled).toEqual([])
    expect(await deadLetters(at.app)).toEqual([])
  })
  it('at the end of what is paid leaves hours of work owed too', async () => {
    const sale = await sold(at)
    const [{ period_end }] = await invoicesOf(at, sale)
    const hours = await worked(at.acme, sale.order_id)
    await cancel(sale, { at: 'period_end' })
    await goTo(at, period_end)
    expect((await subscriptionOf(at, sale)).status).toBe('canceled')
    expect((await invoiceOf(at.acme, hours)).status).toBe('open')
  })
  it('gives the month that was used once it is paid, also after the end', async () => {
    const sale = await sold(at)
    const [{ period_end }] = await invoicesOf(at, sale)
    await goTo(at, before(later(period_end, 1), 20))
    await cancel(sale)
    expect((await entitlementsOf(at, sale))[0].status).toBe('expired')
    const used = (await invoicesOf(at, sale)).at(-1)
    await pay(at, used.id)
    expect((await entitlementsOf(at, sale))[0]).toMatchObject({ status: 'active', expires_at: used.period_end })
    await goTo(at, used.period_end)
    expect((await entitlementsOf(at, sale))[0].status).toBe('expired')
  })
  it.each(['now', 'period_end'])(
    '%s refunds what was paid in part of a month to come, seen in the queue',
    async (when) => {
      const sale = await sold(at)
      const [{ period_end }] = await invoicesOf(at, sale)
      await goTo(at, before(period_end, 5))
      const { id } = (await invoicesOf(at, sale)).at(-1)
      await at.acme.staff.post(`/invoices/${id}/pay`, { amount: '40.00' })
      expect((await cancel(sale, { at: when })).status).toBe(200)
      expect(await invoiceOf(at.acme, id)).toMatchObject({ status: 'void', amount_paid: '40.00' })
      const [{ id: refundId, amount }] = (await at.buyer.get(`/refunds?order_id=${sale.order_id}`)).data
      expect(amount).toBe('40.00')
      const waiting = async () => (await queued('refunds')).filter((one) => one.id === refundId)
      const [item] = await waiting()
      expect(item).toMatchObject({ act: { method: 'POST', path: `/refunds/${refundId}/settle` } })
      expect((await at.acme.staff.post(item.act.path)).status).toBe(200)
      expect(await waiting()).toEqual([])
      expect(await invoiceOf(at.acme, id)).toMatchObject({ payment_status: 'refunded', amount_refunded: '40.00' })
    },
  )
  it('by the provider leaves hours of work owed, and the invoice of what staff delivered before it was paid', async () => {
    const running = await begun(stripe, null)
    const hours = await worked(stripe.acme, running.order_id)
    const written = await worked(stripe.acme, running.order_id)
    await stripe.acme.staff.post(`/invoices/${written}/mark-uncollectible`)
    await becomes(stripe, running.subscription, 'canceled')
    expect((await stripe.buyer.get(`/orders/${running.order_id}`)).data.status).toBe('cancelled')
    expect((await invoiceOf(stripe.acme, hours)).status).toBe('open')
    expect((await invoiceOf(stripe.acme, written)).status).toBe('uncollectible')
    const given = await requested(stripe)
    await stripe.acme.staff.post(`/orders/${given.order_id}/status`, { status: 'completed' })
    await becomes(stripe, given.subscription, 'canceled')
    expect((await invoiceOf(stripe.acme, given.invoice_id)).status).toBe('open')
    const never = await requested(stripe)
    await becomes(stripe, never.subscription, 'incomplete_expired')
    expect((await invoiceOf(stripe.acme, never.invoice_id)).status).toBe('void')
  })
})

describe('403 for a key of the vendor for orders alone', () => {
  it('who would have a job void an invoice and refund it, where the provider ends the subscription', async () => {
    const never = await requested(stripe)
    const paid = await stripe.acme.staff.post(`/invoices/${never.invoice_id}/pay`, { amount: '40.00' })
    expect(paid.status, paid.raw.body).toBe(200)
    const path = `/orders/${never.order_id}/subscription/cancel`
    const keyWith = async (...permissions: StaffPermission[]) =>
      stripe.app.world.inside(
        await vendorKey(stripe.app, { permissions: ['orders:read', 'orders:write', ...permissions] }),
        stripe.acme.id,
      )
    const key = await keyWith()
    for (const query of ['', '?dry_run=true']) {
      const { status, message } = await key.post(`${path}${query}`, {})
      expect([status, message]).toEqual([403, expect.stringContaining('finances:write')])
    }
    await stripe.app.service.worker.drain()
    expect((await invoiceOf(stripe.acme, never.invoice_id)).status).toBe('open')
    const finance = await keyWith('finances:read', 'finances:write')
    expect((await finance.post(path, {})).status).toBe(200)
  })
})

describe('a trial', () => {
  it('refunds what was paid in part of the invoice that it makes void', async () => {
    const sale = await accepted(at, [MONTHLY])
    await at.acme.staff.post(`/invoices/${sale.invoice_id}/pay`, { amount: '7.00' })
    await at.acme.staff.post(pathOf(sale), { collection_method: 'send_invoice', trial_days: 5 })
    expect(await statusesOf(sale)).toEqual(['void'])
    expect((await at.buyer.get(`/refunds?order_id=${sale.order_id}`)).data).toMatchObject([{ amount: '7.00' }])
  })
})

describe('an order that is cancelled', () => {
  it('refunds what it sold, and keeps what staff billed beside it, paid or open', async () => {
    const sale = await accepted(at, [LICENSE_LINE])
    const [paid, open] = [await worked(at.acme, sale.order_id), await worked(at.acme, sale.order_id)]
    await pay(at, paid)
    expect((await at.buyer.post(`/orders/${sale.order_id}/cancel`)).status).toBe(200)
    expect((await invoiceOf(at.acme, sale.invoice_id)).status).toBe('void')
    expect((await invoiceOf(at.acme, paid)).status).toBe('paid')
    expect(await invoiceOf(at.acme, open)).toMatchObject({ status: 'open', amount_due: '200.00' })
    expect((await at.buyer.get(`/refunds?order_id=${sale.order_id}`)).data).toEqual([])
  })
  it('ends what was delivered when all of the sale is refunded, though hours of work stay paid', async () => {
    const sale = await sold(at, [LICENSE_LINE])
    const hours = await worked(at.acme, sale.order_id)
    await pay(at, hours)
    for (const status of ['failed', 'cancelled'])
      expect((await at.acme.staff.post(`/orders/${sale.order_id}/status`, { status })).status).toBe(200)
    const refunds: Answer['data'][] = (await at.buyer.get(`/refunds?order_id=${sale.order_id}`)).data
    expect(refunds).toMatchObject([{ invoice_id: sale.invoice_id }])
    expect((await entitlementsOf(at, sale))[0].status).toBe('active')
    expect((await at.acme.staff.post(`/refunds/${refunds[0]?.id}/settle`)).status).toBe(200)
    await drain()
    expect((await entitlementsOf(at, sale))[0].status).toBe('cancelled')
    expect((await invoiceOf(at.acme, hours)).payment_status).toBe('paid')
    const { steps } = (await at.acme.staff.get(`/refunds/${refunds[0]?.id}`)).data
    expect(steps.find(({ step }: Answer['data']) => step === 'entitlement')).toMatchObject({ status: 'done' })
  })
  it('of which months were billed keeps the month that was used owed, and takes back the one to come', async () => {
    const sale = await sold(at)
    const [{ period_end }] = await invoicesOf(at, sale)
    await goTo(at, before(later(period_end, 1), 3))
    for (const status of ['failed', 'cancelled'])
      expect((await at.acme.staff.post(`/orders/${sale.order_id}/status`, { status })).status).toBe(200)
    await drain()
    expect(await statusesOf(sale)).toEqual(['paid', 'open', 'void'])
  })
  it('and one that is refunded keeps the month owed that was used', async () => {
    const sale = await sold(at)
    const [{ period_end }] = await invoicesOf(at, sale)
    await goTo(at, before(later(period_end, 1), 3))
    await refund(at, sale, '105.00')
    expect(await subscriptionOf(at, sale)).toMatchObject({ status: 'canceled', order_status: 'refunded' })
    expect(await statusesOf(sale)).toEqual(['paid', 'open', 'void'])
  })
})

it('a void invoice of which something paid is left waits in the queue until that is refunded', async () => {
  const sale = await sold(at, [LICENSE_LINE])
  const id = await worked(at.acme, sale.order_id)
  await at.acme.staff.post(`/invoices/${id}/pay`, { amount: '60.00' })
  await at.acme.staff.post(`/invoices/${id}/void`)
  const waiting = async () => (await queued('void-invoices')).filter((one) => one.id === id)
  const [item] = await waiting()
  const act = { method: 'POST', path: `/invoices/${id}/refund`, organization_id: at.acme.id }
  expect(item).toMatchObject({ label: expect.stringMatching(/^BR-\d+: 60\.00 BRL$/), act })
  expect((await at.acme.staff.post(item.act.path, {})).status).toBe(200)
  expect(await waiting()).toEqual([])
})
