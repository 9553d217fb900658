// Random lives of a customer with a test clock, from fixed seeds: late, repeated and reordered payments, refunds, changes of the
// plan, pauses. What may be used is at each moment what the invoices say, however time and payments come.
import { type Die, dieOf } from '#test/harness/chances.ts'
import { describe, expect, it } from 'vitest'
import { seeds } from '#test/harness/seeds.ts'
import { appOfFile } from '#test/harness/app.ts'
import type { Answer } from '#test/harness/world.ts'
import { buyerOf } from '#test/scenes/commerce.ts'
import {
  type Act,
  type Billed,
  isPaid,
  isTakenBackInTime,
  type Life,
  lifeOf,
  mayUse,
  paidQuantity,
  paidUntil,
  turningPoints,
} from '#test/scenes/lives.ts'
import { type BillingScene, MONTHLY, pathOf, type Sale, sold } from '#test/scenes/own-billing.ts'
import { advance, chronicle, clocked } from '#test/scenes/test-clock.ts'

const app = await appOfFile({ environment: { ENTITY_BR_PAYMENTS: 'offline' }, drawsNothing: true })
const elsewhere = await app.world.organization()
let oldInvoices = 0

/** `steps`: also looks at the moments in between; `backwards`: pays the invoices of one day the other way round. */
type Way = { steps?: Die; backwards?: boolean }
/** `hours`: the invoice of work that staff billed beside the order, which nobody pays. */
type Player = BillingScene & { sale: Sale; hours: number; now: number; over: number; forgiven: number[]; way: Way }

async function billedOf({ acme, buyer, sale, hours, forgiven }: Player): Promise<Billed> {
  const order = (await buyer.get(`/orders/${sale.order_id}`)).data
  const subscription = (await acme.staff.get(pathOf(sale))).data
  const all: Answer['data'][] = (await buyer.get(`/invoices/order/${sale.order_id}?per_page=100`)).data
  expect(all.find(({ id }) => id === hours).status).toBe('open')
  const ofPeriods = all.filter(({ id }) => id !== hours)
  for (const one of ofPeriods.filter(({ status }) => status === 'void'))
    expect(isTakenBackInTime(one, forgiven), JSON.stringify(one)).toBe(true)
  return { order, subscription, invoices: ofPeriods.filter(({ status }) => status !== 'void').toReversed(), forgiven }
}

/** What is paid for is what may be used, no period is billed twice, and the sums are those of the lines. */
async function look(player: Player): Promise<Billed> {
  const billed = await billedOf(player)
  const at = new Date(player.now).toISOString()
  const reason = mayUse(billed, player.now, player.over)
  if (reason === 'expired') player.over = paidUntil(billed)
  const { data: check } = await player.buyer.get('/entitlements/check?class=PLG')
  expect({ at, reason: check.reason, allowed: check.allowed }).toEqual({ at, reason, allowed: reason === 'active' })
  if (check.allowed) expect(check.quantity, at).toBe(paidQuantity(billed, player.now) ?? check.quantity)
  const [entitlement] = (await player.buyer.get('/entitlements')).data
  expect(entitlement.status, at).toBe(check.reason)
  const periods = billed.invoices.map(({ period_start, period_end }) => [period_start, period_end])
  for (const [n, [start]] of periods.slice(1).entries()) expect(start >= (periods[n]?.[1] ?? ''), at).toBe(true)
  for (const { total, line_items, amount_paid, status } of billed.invoices) {
    expect(total).toBe((line_items[0].quantity * 52.5).toFixed(2))
    if (status === 'paid') expect(amount_paid).toBe(total)
  }
  await addsUp(player)
  return billed
}

const cents = (amount: string): number => Math.round(Number(amount) * 100)
const sum = (amounts: string[]): number => amounts.reduce((all, one) => all + cents(one), 0)

/** The statement of account is what is owed, less the credit balance and what was paid of invoices that are void. */
async function addsUp({ buyer, sale }: Player): Promise<void> {
  const { opening, lines, closing } = (await buyer.get('/account-statement?company=entity_br&currency=BRL')).data
  const all: Answer['data'][] = (await buyer.get(`/invoices/order/${sale.order_id}?per_page=100`)).data
  const balances: Answer['data'][] = (await buyer.get('/credit-balances')).data
  const unused = all.flatMap(({ status, amount_paid }) => (status === 'void' ? [amount_paid] : []))
  expect(cents(opening) + sum(lines.map(({ amount }: Answer['data']) => amount))).toBe(cents(closing))
  expect(cents(closing)).toBe(
    sum(all.map(({ amount_due }) => amount_due)) - sum(balances.map(({ amount }) => amount)) - sum(unused),
  )
}

async function goTo(player: Player, to: number): Promise<void> {
  expect(await advance(app, player.acme, new Date(to).toISOString())).toMatchObject({ status: 'ready', error: null })
  player.now = to
}

/** To the next act, in one leap or by way of the moments at which something may end. */
async function pass(player: Player, to: number): Promise<void> {
  const { steps } = player.way
  if (steps) for (let count = 0; count < 3; count++) await stepTowards(player, to, steps)
  await goTo(player, to)
}

async function stepTowards(player: Player, to: number, die: Die): Promise<void> {
  const points = turningPoints(await look(player)).flatMap((point) => [point - 1000, point])
  const anywhere = player.now + die(Math.max(1, to - player.now))
  const between = [...points, anywhere].filter((point) => point > player.now && point < to)
  const next = between[die(Math.max(1, between.length))]
  if (next !== undefined) await goTo(player, next)
}

async function done(player: Player, act: Act): Promise<void> {
  const { acme, sale } = player
  const { subscription, invoices } = await look(player)
  const path = pathOf(sale)
  const isFree = subscription.ends_at === null
  if (act.does === 'pay') {
    const open = invoices.filter(({ status }, nth) => status === 'open' && ((act.which >> (nth % 3)) & 1) === 1)
    for (const { id } of player.way.backwards ? open.toReversed() : open)
      await sends(() => acme.staff.post(`/invoices/${id}/pay`, {}))
  } else if (act.does === 'part') {
    const [oldest] = invoices.filter(({ status }) => status === 'open')
    const amount = ((cents(oldest?.amount_due ?? '0') * act.percent) / 10_000).toFixed(2)
    if (cents(amount) > 0) await sends(() => acme.staff.post(`/invoices/${oldest.id}/pay`, { amount }))
  } else if (act.does === 'change' && isFree && subscription.status === 'active') {
    const [{ entitlement_code }] = subscription.line_items
    const line_items = [{ entitlement_code, quantity: act.quantity }]
    await sends(() => acme.staff.patch(path, { line_items }))
  } else if (act.does === 'pause' && isFree && subscription.status === 'active')
    await sends(() => acme.staff.post(`${path}/pause`))
  else if (act.does === 'resume' && subscription.status === 'paused')
    await sends(() => acme.staff.post(`${path}/resume`))
  else if (act.does === 'cancel' && isFree && subscription.status === 'active')
    await sends(() => acme.staff.post(`${path}/cancel`, { at: act.at }))
  else if (act.does === 'keep' && !isFree && subscription.status !== 'canceled')
    await sends(() => acme.staff.delete(`${path}/cancel`))
  else if (act.does === 'void') await voidOldest(player, invoices)
  else if (act.does === 'refund') await refundLatest(player, invoices.filter(isPaid))
  else if (act.does === 'move') await moveLatest(player, invoices.filter(isPaid))
  else if (act.does === 'repeat') await repeated(player, invoices)
  await look(player)
}

async function voidOldest({ acme, forgiven }: Player, invoices: Answer['data'][]): Promise<void> {
  const oldest = invoices.find(({ status }) => status === 'open')
  if (oldest === undefined) return
  await sends(() => acme.staff.post(`/invoices/${oldest.id}/void`))
  forgiven.push(Date.parse(oldest.period_start))
}

/** All of the latest period, in whatever parts it was paid. What was paid by hand is refunded by hand. */
async function refundLatest({ acme, buyer, sale }: Player, paid: Answer['data'][]): Promise<void> {
  const [latest, another] = paid.toReversed()
  if (another === undefined) return
  const { status, data, raw } = await acme.staff.post(`/orders/${sale.order_id}/refund`)
  expect([status, data?.amount], raw.body).toEqual([200, latest.total])
  await app.service.worker.drain()
  for (const id of data.refund_ids)
    if ((await buyer.get(`/refunds/${id}`)).data.status === 'processing')
      await sends(() => acme.staff.post(`/refunds/${id}/settle`))
}

/** What was paid of the latest period was another customer's. 409 where its surplus was used meanwhile. */
async function moveLatest({ acme }: Player, paid: Answer['data'][]): Promise<void> {
  const [latest, another] = paid.toReversed()
  if (another === undefined) return
  const invoice_id = await owedElsewhere()
  const payments: Answer['data'][] = (await acme.staff.get(`/invoices/${latest.id}/payments`)).data
  for (const { id, source, moved_at } of payments) {
    if (source !== 'by_hand' || moved_at !== null) continue
    const answer = await acme.staff.post(`/payments/${id}/move`, { invoice_id, to_organization_id: elsewhere.id })
    expect([200, 409], answer.raw.body).toContain(answer.status)
    await app.service.worker.drain()
  }
}

/** Of the oldest day, so that any payment is of a later one. */
async function owedElsewhere(): Promise<number> {
  const dates = { issue_date: '2020-01-02', due_date: '2020-01-09', number: `OLD-${oldInvoices++}` }
  const owed = { company: 'entity_br', currency: 'BRL', total: '99999.99', status: 'open', ...dates }
  const { status, data, raw } = await elsewhere.staff.post('/invoices', owed)
  expect(status, raw.body).toBe(201)
  return data.id
}

async function sends(send: () => Promise<Answer>): Promise<void> {
  const { status, raw } = await send()
  expect(status, raw.body).toBe(200)
  await app.service.worker.drain()
}

/** The events of all paid invoices come once more. */
async function repeated({ acme }: Player, invoices: Answer['data'][]): Promise<void> {
  await app.database.query(
    `insert into jobs (organization_id, kind, run_at, payload)
     select organization_id, 'subscriptions/propagate-payment', $3, jsonb_build_object('event_id', id, 'resource_id', resource_id)
       from events where organization_id = $1 and type = 'titular/invoice/paid' and resource_id = any($2)`,
    [acme.id, invoices.map(({ id }) => id), app.clock.now],
  )
  await app.service.worker.drain()
}

async function played({ start, acts }: Life, way: Way) {
  const acme = await clocked(app, start)
  const scene = { app, acme, buyer: await buyerOf(acme) }
  const sale = await sold(scene, [MONTHLY])
  const hours = await worked(scene, sale)
  const player: Player = { ...scene, sale, hours, now: Date.parse(start), over: 0, forgiven: [], way }
  for (const { at, act } of acts) {
    await pass(player, at.getTime())
    await done(player, act)
  }
  const isAct = (line: string) => [start, ...acts.map(({ at }) => at.toISOString())].some((at) => line.startsWith(at))
  const moments = (await chronicle(app, acme)).filter((line) => OF_TIME.test(line) && !isAct(line))
  return { records: await recordsOf(player), moments }
}

/** Ten hours of work that staff bill beside the order. */
async function worked({ acme }: BillingScene, { order_id }: Sale): Promise<number> {
  const line_items = [{ product_name: 'Migration', quantity: 10, unit_price: '20.00' }]
  const given = { order_id, currency: 'BRL', status: 'open', due_date: '2099-12-31', line_items }
  const { status, data, raw } = await acme.staff.post('/invoices', given)
  expect(status, raw.body).toBe(201)
  return data.id
}

/** What time brings about. What an act brings about may take another way to the same end. */
const OF_TIME = /invoice\/(created|overdue|reminded)|entitlement\/(suspended|expired)/

/** Without what is counted over the whole service, and without by which of two payments it became active. */
async function recordsOf(player: Player) {
  const { order, subscription, invoices } = await look(player)
  const [{ status, expires_at, renews, suspends_at, quantity, status_reason_code: code }] = (
    await player.buyer.get('/entitlements')
  ).data
  const [license] = (await player.buyer.get('/licenses')).data
  return {
    order: order.status,
    subscription: [
      subscription.status,
      subscription.ends_at,
      subscription.invoiced_until,
      subscription.next_invoice_at,
    ],
    invoices: invoices.map((one) => [one.period_start, one.period_end, one.due_date, one.total, one.payment_status]),
    entitlement: { status, expires_at, renews, suspends_at, quantity, code: status === 'active' ? null : code },
    license: [license.status, license.expires_at, license.activations_limit],
  }
}

describe('what was paid for is what may be used', () => {
  it.each(seeds([1], [2, 3, 4, 5, 8, 55]))(
    'seed %i: in leaps or steps of time, and in either order of payments',
    async (seed) => {
      const life = lifeOf(seed, 14)
      const leaps = await played(life, {})
      expect(await played(life, { steps: dieOf(seed + 1000), backwards: true })).toEqual(leaps)
    },
  )
})
