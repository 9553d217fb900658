// Random lives of a customer whose vendor does not bill without access, from fixed seeds, with a test clock, in leaps
// and in small steps: invoices, tax invoices and the days of access are those of a model that shares no code.
import { describe, expect, it } from 'vitest'
import { type Die, dieOf } from '#test/harness/chances.ts'
import { appOfFile } from '#test/harness/app.ts'
import { seeds } from '#test/harness/seeds.ts'
import type { Answer } from '#test/harness/world.ts'
import { Arrears, type Period } from '#test/scenes/arrears-model.ts'
import { buyerOf } from '#test/scenes/commerce.ts'
import { type BillingScene, invoicesOf, MONTHLY, type Sale, sold, subscriptionOf } from '#test/scenes/own-billing.ts'
import { advance, clocked } from '#test/scenes/test-clock.ts'
import { taxAuthorityStandIn } from '#test/stand-ins/tax-authority.ts'

const app = await appOfFile({
  environment: { ENTITY_BR_PAYMENTS: 'offline' },
  drawsNothing: true,
  ports: { taxAuthority: taxAuthorityStandIn() },
})
const STARTS = ['2024-01-31T12:00:00.000Z', '2023-10-31T02:59:59.000Z', '2023-12-30T15:00:00.000Z']
const DAY_MS = 86_400_000
const STEP_MS = 4 * DAY_MS
const TOTAL = 105
/** Access is looked at once a day, and begins and ends a few times. */
const ROUNDED = 8

type Player = BillingScene & { sale: Sale; model: Arrears; now: number }

async function begun(start: string): Promise<Player> {
  const acme = await clocked(app, start)
  const schedule = { reminder_days: [1], grace_days: 15, suspends: true, bills_without_access: false }
  expect((await acme.staff.put('/admin/dunning/entity_br', { schedule })).status).toBe(200)
  const scene = { app, acme, buyer: await buyerOf(acme) }
  const sale = await sold(scene, [MONTHLY])
  const [first] = await invoicesOf(scene, sale)
  const model = new Arrears({ start: Date.parse(first.period_start), due: first.due_date })
  return { ...scene, sale, model, now: Date.parse(start) }
}

const allOf = async ({ buyer, sale }: Player): Promise<Answer['data'][]> =>
  (await buyer.get(`/invoices/order/${sale.order_id}?per_page=100`)).data.toReversed()

async function pass(player: Player, to: number): Promise<void> {
  expect(await advance(app, player.acme, new Date(to).toISOString())).toMatchObject({ status: 'ready', error: null })
  player.now = to
  player.model.passTo(to)
}

async function look(player: Player): Promise<void> {
  const { model, buyer, sale, now } = player
  const at = new Date(now).toISOString()
  const { status, paused_by } = await subscriptionOf(player, sale)
  expect({ at, status, paused_by }).toEqual({
    at,
    status: model.isStopped ? 'paused' : 'active',
    paused_by: model.isStopped ? 'arrears' : null,
  })
  const { allowed } = (await buyer.get('/entitlements/check?class=PLG')).data
  expect({ at, allowed }).toEqual({ at, allowed: model.isUsable })
  const found = (await allOf(player)).filter((one) => one.status !== 'void').map(stateOf)
  expect(found, at).toEqual(model.periods.filter(({ state }) => state !== 'void').map(toldOf))
}

const stateOf = ({ period_start, period_end, due_date, status }: Answer['data']) => [
  period_start,
  period_end,
  due_date,
  status,
]
const toldOf = ({ start, end, due, state }: Period) => [
  new Date(start).toISOString(),
  new Date(end).toISOString(),
  due,
  state,
]

const ACTS = { paid: 'pay', uncollectible: 'mark-uncollectible', void: 'void' } as const

/** One of the unpaid invoices that have begun, often the oldest, is paid, also in parts, given up, or void. */
async function act(player: Player, die: Die): Promise<void> {
  const { model, now } = player
  const unpaid = (await allOf(player)).filter(
    ({ status, period_start }) => (status === 'open' || status === 'uncollectible') && Date.parse(period_start) <= now,
  )
  const invoice = unpaid[die(3) === 0 ? die(Math.max(1, unpaid.length)) : 0]
  if (!invoice) return
  const roll = die(8)
  const state = roll < 6 || invoice.status === 'uncollectible' ? 'paid' : roll === 6 ? 'uncollectible' : 'void'
  if (state === 'paid' && die(3) === 0 && invoice.amount_due === invoice.total)
    await sends(player, `/invoices/${invoice.id}/pay`, { amount: '7.31' })
  if (state === 'void' && invoice.amount_paid !== '0.00') return
  await sends(player, `/invoices/${invoice.id}/${ACTS[state]}`)
  model.change(Date.parse(invoice.period_start), state)
  // The invoice of a period that begins now is made by a job of time.
  await pass(player, now + 1000)
}

async function sends({ acme }: Player, path: string, body?: object): Promise<void> {
  const { status, raw } = await acme.staff.post(path, body)
  expect(status, raw.body).toBe(200)
  await app.service.worker.drain()
}

/** The invoices, and the tax invoices of those paid; gives by how many days the audit log and the model differ. */
async function looksBack(player: Player, start: number): Promise<number> {
  const { acme, buyer, sale, model } = player
  const paid = model.periods.filter(({ state }) => state === 'paid').length
  const sums = (await allOf(player)).filter(({ status }) => status === 'paid').map(({ total }) => Number(total))
  expect(sums).toEqual(Array.from({ length: paid }, () => TOTAL))
  const declared: Answer['data'][] = (await acme.staff.get(`/tax-invoices/order/${sale.order_id}?per_page=100`)).data
  expect(declared.map(({ total }) => Number(total))).toEqual(sums)
  let used = 0
  for (let at = start + DAY_MS / 2; at < player.now; at += DAY_MS) {
    const as_of = new Date(at).toISOString()
    if ((await buyer.get(`/entitlements/check?class=PLG&as_of=${as_of}`)).data.allowed) used += 1
  }
  return Math.abs(used - model.used / DAY_MS)
}

async function played(seed: number, step: number): Promise<number> {
  const die = dieOf(seed)
  const start = STARTS[seed % STARTS.length] ?? ''
  const player = await begun(start)
  for (let acts = 0; acts < 9; acts++) {
    const to = player.now + (5 + die(50)) * DAY_MS + die(DAY_MS)
    for (let at = player.now + step; at < to; at += step) {
      await pass(player, at)
      await look(player)
    }
    await pass(player, to)
    await look(player)
    await act(player, die)
    await look(player)
  }
  return looksBack(player, Date.parse(start))
}

describe('nobody is billed for time without access', () => {
  it.each(seeds([1], [2, 3, 4, 5, 6, 7, 8]))('seed %i, in leaps', async (seed) =>
    expect(await played(seed, Infinity)).toBeLessThan(ROUNDED),
  )
  it.each(seeds([2], [1, 3, 4, 5]))('seed %i, in steps', async (seed) =>
    expect(await played(seed, STEP_MS)).toBeLessThan(ROUNDED),
  )
})
