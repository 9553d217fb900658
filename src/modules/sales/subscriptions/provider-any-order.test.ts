// Random lives of a subscription at the provider from fixed seeds: charges that succeed or fail first, pauses, other
// quantities. However late, often and in whatever order the events come, all end in the same state: each charge is billed once
// with what was agreed for its period, and the latest paid period is what may be used.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { seeds } from '#test/harness/seeds.ts'
import { type Die, dieOf } from '#test/harness/chances.ts'
import { MONTHLY } from '#test/scenes/own-billing.ts'
import { bought, type Bought, type StripeScene, sendEvent, stripeScene } from '#test/scenes/stripe.ts'
import { becomes, subscribe, subscriptionPath } from '#test/scenes/subscriptions.ts'

let at: StripeScene
beforeAll(async () => void (at = await stripeScene()))
afterAll(() => at.close())

type Interval = { charge: 'paid' | 'failed first' | 'paused'; quantity: number | null }

const lifeOf = (die: Die): Interval[] =>
  Array.from({ length: 5 }, () => ({
    charge: (['paid', 'paid', 'failed first', 'paused'] as const)[die(4)] ?? 'paid',
    quantity: die(2) === 0 ? null : 1 + die(9),
  }))

const LENGTH = 20
type Event = { type: string; object: object }

async function begun(): Promise<Bought> {
  const payment = await bought(at, { line_items: [MONTHLY] })
  const reference = await subscribe(at, payment)
  const first = at.stripe.pay(at.stripe.subscriptions.get(reference)?.latest_invoice ?? '')
  inPeriod(first)
  await sendEvent(at, 'invoice.paid', first)
  await becomes(at, reference, 'active')
  const [{ entitlement_code: code }] = (await at.buyer.get(`/orders/${payment.order_id}`)).data.items
  return { ...payment, subscription: reference, code }
}

/** Of an interval that begins now. */
function inPeriod(invoice: { lines: { data: { period?: { start: number; end: number } }[] } }): void {
  const start = Math.floor(at.app.clock.now.getTime() / 1000)
  for (const line of invoice.lines.data) line.period = { start, end: start + LENGTH }
}

/** What happens at Stripe in the interval; gives its events, which have not been sent. */
function pass({ subscription }: Bought, { charge }: Interval): Event[] {
  const state = at.stripe.subscriptions.get(subscription) ?? {}
  const updated = { type: 'customer.subscription.updated', object: state }
  const invoice = charge === 'failed first' ? at.stripe.failRenewal(subscription) : at.stripe.renew(subscription)
  inPeriod(invoice)
  if (charge === 'paused') return [{ type: 'invoice.voided', object: invoice }, updated]
  if (charge === 'failed first') at.stripe.pay(invoice.id)
  const paid = { type: 'invoice.paid', object: invoice }
  return charge === 'paid' ? [paid] : [{ type: 'invoice.payment_failed', object: invoice }, updated, paid]
}

async function ask(payment: Bought, act: () => Promise<{ status: number }>): Promise<void> {
  expect((await act()).status).toBe(200)
  await at.app.service.worker.drain()
  expect((await at.buyer.get(subscriptionPath(payment))).status).toBe(200)
}

async function played(life: readonly Interval[], die: Die) {
  const payment = await begun()
  const path = subscriptionPath(payment)
  const waiting: Event[] = []
  const sendOne = async () => {
    const [event] = waiting.splice(die(waiting.length || 1), 1)
    if (!event) return
    if (die(4) === 0) waiting.push(event)
    await sendEvent(at, event.type, event.object)
  }
  for (const interval of life) {
    const { quantity, charge } = interval
    const line_items = [{ entitlement_code: payment.code, quantity: quantity ?? 0 }]
    if (quantity !== null) await ask(payment, () => at.acme.staff.patch(path, { line_items }))
    if (charge === 'paused') await ask(payment, () => at.acme.staff.post(`${path}/pause`))
    at.app.clock.advance(LENGTH)
    waiting.push(...pass(payment, interval))
    const state = at.stripe.subscriptions.get(payment.subscription) ?? {}
    if (charge === 'paused')
      await sendEvent(at, 'customer.subscription.updated', Object.assign(state, { pause_collection: null }))
    while (waiting.length > 0 && die(3) > 0) await sendOne()
  }
  while (waiting.length > 0) await sendOne()
  return outcome(payment)
}

async function outcome(payment: Bought) {
  const { data: invoices } = await at.buyer.get(`/invoices/order/${payment.order_id}`)
  const byPeriod = invoices.toSorted((one: { period_start: string }, other: { period_start: string }) =>
    one.period_start.localeCompare(other.period_start),
  )
  const [{ id }] = (await at.buyer.get(`/orders/${payment.order_id}`)).data.entitlements
  const { expires_at, quantity } = (await at.buyer.get(`/entitlements/${id}`)).data
  const { status, order_status, amount } = (await at.buyer.get(subscriptionPath(payment))).data
  const last = byPeriod.at(-1)
  expect([expires_at, quantity]).toEqual([last.period_end, last.line_items[0].quantity])
  return {
    states: [status, order_status, amount],
    invoices: byPeriod.map((one: typeof last) => `${one.status} ${one.line_items[0].quantity}: ${one.total}`),
  }
}

function expected(life: readonly Interval[]) {
  let quantity = 2
  const line = () => `paid ${quantity}: ${(quantity * 52.5).toFixed(2)}`
  const invoices = [line()]
  for (const { charge, quantity: changed } of life) {
    quantity = changed ?? quantity
    if (charge !== 'paused') invoices.push(line())
  }
  return { states: ['active', 'completed', (quantity * 52.5).toFixed(2)], invoices }
}

it.each(seeds([1], [2, 3, 4]))('seed %i', async (seed) => {
  const life = lifeOf(dieOf(seed))
  const die = dieOf(seed + 1_000)
  for (let times = 0; times < 2; times++) expect(await played(life, die)).toEqual(expected(life))
})
