// Random payments, repeats and refunds of a subscription from fixed seeds, each history in several orders: all of them
// end with the same entitlement, license and contract, which are those of the latest period that is still paid.
import { dieOf } from '#test/harness/chances.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { seeds } from '#test/harness/seeds.ts'
import { addMonths, dayIn } from '#kernel/values/time/calendar.ts'
import { type Bought, refunded, sendEvent, type StripeScene, stripeScene } from '#test/scenes/stripe.ts'
import { becomes, begun, expire } from '#test/scenes/subscriptions.ts'

let at: StripeScene
beforeAll(async () => void (at = await stripeScene()))
afterAll(() => at.close())

const ZONE = 'America/Sao_Paulo'

type Step = { act: 'pay' | 'refund' | 'end'; nth: number }
type History = { term: number; periods: { start: Date; end: Date }[]; paid: Step[]; refunds: Step[]; ends: boolean }

/**
 * Up to five further months, the first of which may be long over; some are refunded, some are reported twice. Half of the
 * subscriptions end meanwhile.
 */
function historyOf(seed: number, now: Date): History {
  const die = dieOf(seed)
  const from = addMonths(now, -die(4), ZONE)
  const count = 2 + die(4)
  const periods = Array.from({ length: count }, (_, nth) => ({
    start: wholeSecond(addMonths(from, nth, ZONE)),
    end: wholeSecond(addMonths(from, nth + 1, ZONE)),
  }))
  const all = periods.map((_, nth) => nth)
  return {
    term: 1 + die(3),
    periods,
    paid: [...all, ...all.filter(() => die(3) === 0)].map((nth) => ({ act: 'pay', nth })),
    refunds: all.filter(() => die(3) === 0).map((nth) => ({ act: 'refund', nth })),
    ends: die(2) === 0,
  }
}

const wholeSecond = (time: Date): Date => new Date(Math.floor(time.getTime() / 1000) * 1000)

/** Any order in which a period is refunded after it was paid for the first time. */
function inSomeOrder({ paid, refunds, ends }: History, die: (below: number) => number): Step[] {
  const steps: Step[] = [...paid, ...(ends ? [{ act: 'end' as const, nth: 0 }] : [])]
  for (let from = steps.length - 1; from > 0; from--) {
    const to = die(from + 1)
    const [one, other] = [steps[from], steps[to]]
    if (one && other) [steps[from], steps[to]] = [other, one]
  }
  for (const step of refunds) {
    const first = steps.findIndex(({ act, nth }) => act === 'pay' && nth === step.nth)
    steps.splice(first + 1 + die(steps.length - first), 0, step)
  }
  return steps
}

/** Plays the steps on a new order; gives what is left in the end. */
async function played(history: History, steps: readonly Step[]): Promise<string[]> {
  const { term, periods } = history
  const payment = await begun(at, term)
  const sold = (await entitlementOf(payment)).expires_at
  const contract = await contractFor(payment, sold)
  const renewals = periods.map(({ start, end }) => {
    const invoice = at.stripe.renew(payment.subscription)
    const [line] = invoice.lines.data
    if (line) line.period = { start: start.getTime() / 1000, end: end.getTime() / 1000 }
    return invoice
  })
  for (const { act, nth } of steps) {
    const { id: reference = '' } = renewals[nth] ?? {}
    if (act === 'end') await becomes(at, payment.subscription, 'canceled')
    else if (act === 'pay') await sendEvent(at, 'invoice.paid', renewals[nth] ?? {})
    else await refund(payment, reference)
  }
  await expire(at)
  const first: string = (await at.buyer.get(`/invoices/${payment.invoice_id}`)).data.period_end
  const end = expected(history, sold, first)
  const entitlement = await entitlementOf(payment)
  const [license] = (await at.buyer.get(`/entitlements/${payment.entitlement_id}/licenses`)).data
  const { status, end_date } = (await at.buyer.get(`/contracts/${contract}`)).data
  expect([entitlement.expires_at, license.expires_at, end_date]).toEqual([end, end, lastDay(end)])
  // These two differ between the orders.
  const named = end === sold ? 'as sold' : end === first ? 'the first period' : end
  return [named, entitlement.status, license.status, status]
}

const entitlementOf = async ({ entitlement_id: id }: Bought) => (await at.buyer.get(`/entitlements/${id}`)).data
const lastDay = (end: string): string => dayIn(new Date(Date.parse(end) - 1), ZONE)

async function contractFor({ entitlement_id }: Bought, end: string): Promise<number> {
  const body = { title: 'Terms', start_date: '2020-01-01', end_date: lastDay(end), entitlement_id }
  const { id } = (await at.acme.staff.post('/contracts', body)).data
  expect((await at.acme.staff.post(`/contracts/${id}/status`, { status: 'active' })).status).toBe(200)
  return id
}

async function refund(payment: Bought, reference: string): Promise<void> {
  const query = `select resource_id as id from payment_references where resource = 'invoice' and reference = $1`
  const [ours] = await at.app.database.query<{ id: number }>(query, [reference])
  const { object } = await refunded(at, { ...payment, invoice_id: ours?.id, reference }, '150.00')
  await sendEvent(at, 'refund.updated', object)
}

/** The latest period that is paid and not refunded, once one has reached what was sold or the subscription has ended. */
function expected({ periods, refunds, ends }: History, sold: string, first: string): string {
  const isReached = periods.some(({ end }) => end.getTime() >= Date.parse(sold))
  if (!isReached && !ends) return sold
  const kept = periods.filter((_, nth) => refunds.every((one) => one.nth !== nth)).map(({ end }) => end.toISOString())
  return [first, ...kept].toSorted().at(-1) ?? ''
}

it.each(seeds([1, 2], [3, 4, 5, 6]))('seed %i', async (seed) => {
  const history = historyOf(seed, at.app.clock.now)
  const die = dieOf(seed + 1_000)
  const [one, ...others] = [
    await played(history, inSomeOrder(history, die)),
    await played(history, inSomeOrder(history, die)),
    await played(history, inSomeOrder(history, die)),
  ]
  expect(others).toEqual([one, one])
})
