// Random lives of orders that the service itself bills again, from fixed seeds, each with its billing runs, payments and
// refunds in several orders, some with a pause: all of them end with the same periods, and what is paid may be used.
import { type Die, dieOf } from '#test/harness/chances.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { seeds } from '#test/harness/seeds.ts'
import { addMonths } from '#kernel/values/time/calendar.ts'
import {
  type BillingScene,
  billingScene,
  DAY_MS,
  entitlementsOf,
  goTo,
  invoicesOf,
  MONTHLY,
  pathOf,
  pay,
  refundInvoice,
  type Sale,
  sold,
  work,
  ZONE,
} from '#test/scenes/own-billing.ts'

let at: BillingScene
// One for each seed: otherwise the sales of the seeds before would be billed on.
beforeEach(async () => void (at = await billingScene()))
afterEach(() => at.app.close())

/** Of four renewals; `pausedIn`: the month in which it is paused for some weeks, 0 for none. */
type Life = { paid: number[]; refunded: number[]; pausedIn: number }
type Step = { act: 'pay' | 'refund'; nth: number }

function lifeOf(seed: number): Life {
  const die = dieOf(seed)
  const paid = [1, 2, 3, 4].filter(() => die(4) > 0)
  return { paid, refunded: paid.filter(() => die(3) === 0), pausedIn: seed % 2 === 0 ? 1 + die(3) : 0 }
}

/** The renewals that were not made void by the pause, after the order's own invoice. */
const billed = async (sale: Sale) => (await invoicesOf(at, sale)).filter(({ status }) => status !== 'void')

/** Takes what is possible by now of what is left to do, in some order. */
async function someSteps(sale: Sale, left: Step[], { die, all }: { die: Die; all: boolean }): Promise<void> {
  for (let tries = 0; tries < 12 && left.length > 0; tries++) {
    const [step] = left.splice(die(left.length), 1)
    const invoice = step && (await billed(sale))[step.nth]
    const needed = step?.act === 'pay' ? 'open' : 'paid'
    if (step && (invoice?.status !== needed || (!all && die(2) === 0))) left.push(step)
    else if (step?.act === 'pay') await pay(at, invoice.id)
    else if (step) await refundInvoice(at, sale, invoice.id)
  }
}

async function played({ paid, refunded, pausedIn }: Life, die: Die) {
  await goTo(at, at.app.clock.now)
  const sale = await sold(at, [MONTHLY])
  const start = at.app.clock.now
  const left: Step[] = [
    ...paid.map((nth) => ({ act: 'pay' as const, nth })),
    ...refunded.map((nth) => ({ act: 'refund' as const, nth })),
  ]
  for (let month = 1; month <= 4; month++) {
    const day = new Date(addMonths(start, month, ZONE).getTime() - 10 * DAY_MS)
    if (month === pausedIn || die(2) === 0) await goTo(at, day)
    if (month === pausedIn) await pauseFor(sale, 20)
    await someSteps(sale, left, { die, all: false })
  }
  await goTo(at, new Date(addMonths(start, pausedIn > 0 ? 5 : 4, ZONE).getTime() + DAY_MS))
  await work(at)
  for (let round = 0; round < 4; round++) await someSteps(sale, left, { die, all: true })
  expect(left).toEqual([])
  return stateOf(sale, { paid, refunded, pausedIn })
}

async function pauseFor(sale: Sale, days: number): Promise<void> {
  expect((await at.acme.staff.post(`${pathOf(sale)}/pause`)).status).toBe(200)
  await goTo(at, new Date(at.app.clock.now.getTime() + days * DAY_MS))
  expect((await at.acme.staff.post(`${pathOf(sale)}/resume`)).status).toBe(200)
  await work(at)
}

async function stateOf(sale: Sale, { paid, refunded }: Life) {
  const all = (await billed(sale)).slice(0, 5)
  const kept = all.filter((_, nth) => nth === 0 || (paid.includes(nth) && !refunded.includes(nth)))
  const [entitlement] = await entitlementsOf(at, sale)
  const [license] = (await at.buyer.get(`/entitlements/${entitlement.id}/licenses`)).data
  const ends: string[] = kept.map(({ period_end }) => period_end)
  const last = ends.toSorted().at(-1)
  expect([entitlement.expires_at, license.expires_at]).toEqual([last, last])
  const gaps = all.slice(1).map(({ period_start }, nth) => period_start === all[nth].period_end)
  const states = all.map(({ status, payment_status }) => `${status} ${payment_status}`)
  return { states, gaps, paidPeriods: ends.length, status: entitlement.status }
}

it.each(seeds([2], [1, 3, 4, 5, 6]))('seed %i', async (seed) => {
  const life = lifeOf(seed)
  const die = dieOf(seed + 1_000)
  const one = await played(life, die)
  expect(one.states).toHaveLength(5)
  expect([await played(life, die), await played(life, die)]).toEqual([one, one])
})
