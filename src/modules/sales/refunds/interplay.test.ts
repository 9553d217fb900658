// Random operations of staff, the customer and the provider on one order, also at once, from fixed seeds. In the end
// the sums agree, nothing is refunded twice, and what was paid too much is in the credit balance.
import { chances } from '#test/harness/chances.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { seeds } from '#test/harness/seeds.ts'
import { parseMoney } from '#kernel/values/money.ts'
import { LICENSE_LINE, deadLetters, sentQuote } from '#test/scenes/commerce.ts'
import { type StripeScene, stripeScene } from '#test/scenes/stripe.ts'
import type { Answer, Organization } from '#test/harness/world.ts'

let at: StripeScene
beforeAll(async () => void (at = await stripeScene()))
afterAll(() => at.close())

const SEEDS = seeds([1, 2], [3, 4, 5, 6, 7, 8])
const STEPS = 50
const LEFT_FOR_STAFF = [
  'is over, but its subscription was paid',
  'the payment provider refused',
  'had succeeded, but the provider says now that it failed',
  'had failed and succeeded after all',
]

type Row = Record<string, string> & { id: number; order_id: number | null }
const rows = (table: string, { id }: Organization): Promise<Row[]> =>
  at.app.database.query<Row>(`select t.* from ${table} t where organization_id = $1 order by id`, [id])
const cents = (amount: unknown): bigint => parseMoney(String(amount), 'BRL')
const signed = (amount = ''): bigint => (amount.startsWith('-') ? -cents(amount.slice(1)) : cents(amount))
const sum = (all: Row[], field: string): bigint => all.reduce((total, one) => total + cents(one[field]), 0n)

async function drain(): Promise<void> {
  at.app.clock.advance(5)
  await at.app.service.worker.drain()
}

async function sendEvent(type: string, object: object): Promise<void> {
  const { body, headers } = at.stripe.event(type, { ...object }, at.app.clock.now)
  const path = '/webhooks/payment/entity_br'
  expect((await at.app.world.anonymous.post(path, body, headers)).status).toBe(200)
}

const billedTo = (orderId: number) => {
  const maker = [...at.stripe.subscriptions.values()].filter(({ metadata }) => metadata['order_id'] === `${orderId}`)
  const ids = new Set(maker.map(({ id }) => id))
  const invoices = [...at.stripe.invoices.values()].filter(
    ({ metadata, parent }) =>
      metadata['order_id'] === `${orderId}` || ids.has(parent?.subscription_details.subscription ?? ''),
  )
  return { subscriptions: maker, invoices }
}

type Scene = { acme: Organization; order: number; chance: () => number; pick: <One>(all: readonly One[]) => One }
type Act = (scene: Scene) => Promise<Answer | void>

const post = ({ acme, chance }: Scene, path: string, body?: object): Promise<Answer> =>
  (chance() < 0.5 ? acme.staff : acme.owner).post(path, body)
const toInvoice =
  (act: string, body?: object): Act =>
  async ({ acme, pick }) =>
    acme.staff.post(`/invoices/${pick(await rows('invoices', acme)).id}/${act}`, body)
const toRefund =
  (act: string, body?: object): Act =>
  async ({ acme, pick }) => {
    const all = await rows('refunds', acme)
    return all.length > 0 ? acme.staff.post(`/refunds/${pick(all).id}/${act}`, body) : undefined
  }
const AMOUNTS = ['10.00', '50.00', '75.50', '149.99', '150.00', null]
const seldom =
  (act: Act, often = 0.3): Act =>
  async (scene) =>
    scene.chance() < often ? act(scene) : undefined

const ACTS: readonly Act[] = [
  drain,
  drain,
  async (scene) => toInvoice('credit-notes', { reason: 'x', amount: scene.pick(AMOUNTS) ?? undefined })(scene),
  async (scene) => post(scene, `/orders/${scene.order}/refund`, { amount: scene.pick(AMOUNTS) ?? undefined }),
  async (scene) => post(scene, `/orders/${scene.order}/refund`, { amount: scene.pick(AMOUNTS) ?? undefined }),
  toRefund('approve'),
  toRefund('approve'),
  toRefund('approve'),
  seldom(toRefund('reject', {})),
  toRefund('settle'),
  seldom(async (scene) => post(scene, `/orders/${scene.order}/cancel`), 0.1),
  seldom(toInvoice('void')),
  seldom(toInvoice('mark-uncollectible')),
  seldom(toInvoice('pay', {})),
  seldom(async (scene) => toInvoice('pay', { amount: scene.pick(AMOUNTS) ?? '200.00' })(scene)),
  seldom(toInvoice('apply-credit-balance', {})),
  seldom(async (scene) => toInvoice('refund', { amount: scene.pick(AMOUNTS) ?? undefined })(scene)),
  toInvoice('finalize'),
  seldom(async ({ acme, order, pick }) => {
    const body = { currency: 'BRL', order_id: order, total: '150.00', status: pick(['open', 'draft']) }
    return acme.staff.post('/invoices', body)
  }),
  seldom(async ({ acme, order, pick }) => {
    const status = pick(['pending', 'processing', 'on-hold', 'completed', 'completed', 'failed', 'refunded'])
    return acme.staff.post(`/orders/${order}/status`, { status })
  }),
  seldom(async ({ acme, order }) => acme.staff.post(`/orders/${order}/subscription`, { interval: 'month' })),
  async ({ order, chance, pick }) => {
    const open = billedTo(order).invoices.filter(({ status }) => status === 'open')
    if (open.length === 0) return
    const paid = at.stripe.pay(pick(open).id)
    if (chance() < 0.8) await sendEvent('invoice.paid', paid)
  },
  async ({ order, pick }) => {
    const old = billedTo(order).invoices.filter(({ status }) => status === 'paid')
    if (old.length > 0) await sendEvent('invoice.paid', pick(old))
  },
  async ({ acme, chance, pick }) => {
    const sent = (await rows('refunds', acme)).filter((one) => one['provider_reference'] !== null)
    const refund = sent.length > 0 ? at.stripe.refunds.get(pick(sent)['provider_reference'] ?? '') : undefined
    if (!refund) return
    if (refund.status === 'pending') refund.status = pick(['succeeded', 'failed'])
    else if (refund.status === 'succeeded' && chance() < 0.2) refund.status = 'failed'
    await sendEvent('refund.updated', refund)
  },
  async ({ order, chance }) => {
    const live = billedTo(order).subscriptions.find(({ status }) => status === 'active')
    if (!live) return
    const renewal = at.stripe.renew(live.id)
    if (chance() < 0.7) await sendEvent('invoice.paid', renewal)
    else await sendEvent('customer.subscription.updated', live)
  },
]

async function played(seed: number): Promise<Scene> {
  const chance = chances(seed)
  const pick = <One>(all: readonly One[]): One => {
    const one = all[Math.floor(chance() * all.length)]
    if (one === undefined) throw new Error('nothing to pick from')
    return one
  }
  const acme = await at.app.world.organization()
  const free = { line_items: [{ ...LICENSE_LINE, discount_percent: '100' }] }
  const quote = await sentQuote(acme, chance() < 0.1 ? free : {})
  const { data } = await acme.owner.post(`/quotes/${quote}/accept`)
  const scene = { acme, order: data.order_id, chance, pick }
  // Most are paid before anything else happens.
  if (chance() < 0.7) {
    await drain()
    for (const { id, status } of billedTo(scene.order).invoices)
      if (status === 'open') await sendEvent('invoice.paid', at.stripe.pay(id))
    await drain()
  }
  for (let step = 0; step < STEPS; step++) {
    const atOnce = Array.from({ length: chance() < 0.15 ? 3 : 1 }, () => pick(ACTS)(scene))
    for (const answer of await Promise.all(atOnce)) expect(answer?.status ?? 200).toBeLessThan(500)
  }
  for (let times = 0; times < 4; times++) await drain()
  return scene
}

async function agrees({ acme, order }: Scene): Promise<void> {
  const [invoices, refunds, notes, payments = [], entries = [], balances = []] = await Promise.all(
    ['invoices', 'refunds', 'credit_notes', 'payments', 'credit_balance_entries', 'credit_balances'].map((table) =>
      rows(table, acme),
    ),
  )
  const { invoices: there } = billedTo(order)
  expect(invoices).not.toEqual([])
  for (const invoice of invoices ?? []) {
    const { id, status, amount_paid, amount_credited, amount_refunded, refund_reserved } = invoice
    const mine = (all: Row[] = []) => all.filter((one) => Number(one['invoice_id']) === id)
    const back = (...states: string[]) => mine(refunds).filter((one) => states.includes(one['status'] ?? ''))
    expect(sum(back('succeeded'), 'amount')).toBe(cents(amount_refunded))
    expect(sum(back('succeeded', 'processing'), 'amount')).toBe(cents(refund_reserved))
    expect(sum(mine(notes), 'total')).toBe(cents(amount_credited))
    // The amount due is the total less what was paid and credited; an invoice that is not owed cannot be paid.
    const kept = cents(amount_paid) - cents(amount_refunded) + cents(amount_credited)
    expect(status !== 'paid' || kept >= cents(invoice['total'])).toBe(true)
    expect(sum(mine(payments), 'amount') - sum(mine(payments), 'surplus')).toBe(cents(amount_paid))
    const open = there.filter((one) => one.status === 'open' && one.metadata['invoice_id'] === `${id}`)
    expect(status === 'paid' || status === 'void' ? open : []).toEqual([])
  }
  expect(entries.reduce((all, one) => all + signed(one['amount']), 0n)).toBe(sum(balances, 'amount'))
  const provided = payments.filter(({ source }) => source === 'provider')
  const paid = provided.map(({ reference }) => at.stripe.invoices.get(reference ?? ''))
  expect(paid.map((one) => [one?.status, BigInt(one?.amount_paid ?? 0)])).toEqual(
    provided.map((one) => ['paid', cents(one['amount'])]),
  )
  // Each refund at the provider is one of ours, once, of a payment of ours.
  const intents = new Set(paid.map((one) => one?.payments.data[0]?.payment.payment_intent))
  const given = [...at.stripe.refunds.values()].filter((one) => intents.has(one.payment_intent)).map(({ id }) => id)
  const ours = (refunds ?? []).flatMap((one) => one['provider_reference'] ?? [])
  expect(ours.toSorted()).toEqual(given.toSorted())
}

it.each(SEEDS)('agrees in the end: seed %i', async (seed) => {
  await agrees(await played(seed))
  const [failing] = await at.app.database.query(
    'select kind, last_error from jobs where attempts > 1 and dead_at is null',
  )
  expect(failing).toBeUndefined()
  for (const { kind, last_error } of await deadLetters(at.app))
    expect(LEFT_FOR_STAFF.some((why) => last_error.includes(why)) ? '' : `${kind}: ${last_error}`).toBe('')
})
