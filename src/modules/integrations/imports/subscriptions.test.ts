// Imports of subscriptions that go on: billed here from their next date on, and for nothing before it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addDays, dayIn, startOfDay } from '#kernel/values/time/calendar.ts'
import type { Speaker } from '#test/harness/world.ts'
import { errorsOf, imported, outcomes } from '#test/scenes/imports.ts'
import {
  before,
  type BillingScene,
  billingScene,
  goTo,
  invoicesOf,
  later,
  pay,
  subscriptionOf,
  work,
  ZONE,
} from '#test/scenes/own-billing.ts'

let at: BillingScene
let staff: Speaker
let nextDate: string
/** The first moment of that day. */
let begin: string
beforeEach(async () => {
  at = await billingScene()
  staff = at.app.world.speaker({ authorization: at.acme.staff.headers['authorization'] ?? '' }, at.acme.staff)
  nextDate = addDays(dayIn(at.app.clock.now, ZONE), 30)
  begin = startOfDay(nextDate, ZONE).toISOString()
})
afterEach(() => at.app.close())

const run = (lines: object[], more: Record<string, string> = {}) =>
  imported(at.app, staff, { kind: 'subscriptions', ...more }, lines)

async function hosting(external_id: string, more: object = {}): Promise<number> {
  const line = { class: 'ENV', product_name: 'Hosting', company: 'entity_br', organization_id: at.acme.id }
  const sold = [{ ...line, external_id, expires_at: begin, ...more }]
  return (await imported(at.app, staff, { kind: 'entitlements' }, sold)).lines[0].resource_id
}
const line = () => ({
  organization_id: at.acme.id,
  currency: 'BRL',
  interval: 'month',
  next_date: nextDate,
  product_name: 'Hosting',
  unit_price: '49.90',
})

describe('subscriptions', () => {
  it('are billed from their next date on, and extend what they renew when that is paid', async () => {
    const id = await hosting('e1')
    const mails = await at.app.database.query('select id from mails')
    const lines = [{ ...line(), external_id: 's1', entitlement_external_id: 'e1', quantity: 2, tax_percent: '5.00' }]
    const dry = await run(lines, { dry_run: 'true' })
    expect(outcomes(dry)).toEqual(['created'])
    expect(await at.app.database.query('select 1 from orders')).toEqual([])
    const done = await run(lines)
    const sale = { order_id: done.lines[0].resource_id, invoice_id: 0 }
    await work(at)
    expect(await subscriptionOf(at, sale)).toMatchObject({
      status: 'active',
      order_status: 'completed',
      collection_method: 'send_invoice',
      interval: 'month',
      amount: '104.79',
      reference: null,
      invoiced_until: begin,
      next_invoice_at: before(begin, 14).toISOString(),
      line_items: [{ product_name: 'Hosting', quantity: 2, entitlement_class: 'ENV' }],
    })
    expect(await invoicesOf(at, sale)).toEqual([])
    expect(await at.app.database.query('select id from mails')).toEqual(mails)
    expect((await at.buyer.get(`/entitlements/${id}`)).data).toMatchObject({ order_id: sale.order_id, renews: true })
    expect(outcomes(await run(lines))).toEqual(['unchanged'])

    await goTo(at, before(begin, 14))
    const invoices = await invoicesOf(at, sale)
    expect(invoices).toMatchObject([
      { origin: 'subscription', total: '104.79', period_start: begin, period_end: later(begin, 1), due_date: nextDate },
    ])
    // It waits for the payment beyond its end.
    await goTo(at, before(begin, -2))
    expect((await at.buyer.get(`/entitlements/${id}`)).data).toMatchObject({ status: 'active', renews: true })
    await pay(at, invoices[0].id)
    expect((await at.buyer.get(`/entitlements/${id}`)).data).toMatchObject({ expires_at: later(begin, 1) })
    await goTo(at, before(later(begin, 1), 14))
    expect(await invoicesOf(at, sale)).toMatchObject([{}, { period_start: later(begin, 1) }])
  })
  it('are refused where they cannot go on here', async () => {
    await hosting('e1')
    await hosting('e2', { company: 'entity_global' })
    const other = await at.app.world.organization()
    const lines = [
      { ...line(), external_id: 'r1', entitlement_external_id: 'e1' },
      { ...line(), external_id: 'r2', entitlement_external_id: 'e1' },
      { ...line(), external_id: 'r3', next_date: addDays(dayIn(at.app.clock.now, ZONE), -1) },
      { ...line(), external_id: 'r4', collection_method: 'charge_automatically' },
      { ...line(), external_id: 'r5', unit_price: '0.00' },
      { ...line(), external_id: 'r6', entitlement_external_id: 'e2', company: 'entity_br' },
      { ...line(), external_id: 'r7', organization_id: other.id, entitlement_external_id: 'e1' },
      { ...line(), external_id: 'r8', organization_id: other.id, entitlement_id: 1 },
      { ...line(), external_id: 'r9', interval: 'week', currency: 'XXQ' },
      { ...line(), external_id: 'r10', line_items: [{ product_name: 'A', quantity: 1, unit_price: '1.00' }] },
      { organization_id: at.acme.id, external_id: 'r11', currency: 'BRL', interval: 'year', next_date: nextDate },
      { ...line(), external_id: 'r1' },
    ]
    const dry = await run(lines, { dry_run: 'true' })
    const done = await run(lines)
    expect(errorsOf(done)).toEqual([
      null,
      { entitlement_id: 'is that of line 1' },
      { next_date: 'must not lie in the past' },
      { collection_method: expect.stringContaining('cannot be imported') },
      { unit_price: 'must be more than 0' },
      { company: 'must be that of the entitlement, entity_global' },
      { entitlement_external_id: 'names nothing that was imported from this source' },
      { entitlement_id: 'names no entitlement of this organization' },
      { interval: expect.any(String), currency: expect.any(String) },
      { product_name: 'must not stand beside line_items', unit_price: 'must not stand beside line_items' },
      { product_name: 'is required: line_items', unit_price: 'is required: line_items' },
      { external_id: 'is that of line 1' },
    ])
    expect(errorsOf(dry)).toEqual(errorsOf(done))
    const again = { ...line(), external_id: 'r20', entitlement_external_id: 'e1' }
    expect(errorsOf(await run([again]))).toEqual([{ entitlement_id: 'is that of another order' }])
  })
  it('of several lines, and of no entitlement', async () => {
    const { product_name: _name, unit_price: _price, ...common } = line()
    const line_items = [
      { product_name: 'Seats', quantity: 3, unit_price: '10.00' },
      { product_name: 'Backup', quantity: 1, unit_price: '5.00', entitlement_class: 'PLG' },
    ]
    const done = await run([{ ...common, external_id: 'm1', interval: 'year', line_items, purchase_order: 'PO-7' }])
    const sale = { order_id: done.lines[0].resource_id, invoice_id: 0 }
    await goTo(at, before(begin, 14))
    expect(await invoicesOf(at, sale)).toMatchObject([{ total: '35.00', period_end: later(begin, 12) }])
    const { data } = await at.buyer.get(`/orders/${sale.order_id}`)
    expect(data).toMatchObject({ purchase_order: 'PO-7', status: 'completed', quote_id: null })
  })
})
