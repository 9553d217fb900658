// Fine and interest after refunds, against a model that knows only coins: each is covered on one day, or never.
import { describe, expect, it } from 'vitest'
import { addDays, daysBetween } from '#kernel/values/time/calendar.ts'
import { appOfFile } from '#test/harness/app.ts'
import { type Die, dieOf } from '#test/harness/chances.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import { seeds } from '#test/harness/seeds.ts'
import { type Dunning, dunningAt } from '#test/scenes/dunning.ts'

const app = await appOfFile({ environment: { ENTITY_BR_PAYMENTS: 'offline' } })
const acme = await app.world.organization()
const admin = await app.world.user({ roles: ['customer', 'administrator'] })
const dunning: Dunning = dunningAt(app, () => [acme.owner, acme.staff, admin])
const schedule = {
  reminder_days: [1],
  grace_days: 365,
  suspends: false,
  fine_percent: '2.00',
  monthly_interest_percent: '1.00',
}
await admin.put('/admin/dunning/entity_br', { schedule })

const COINS = 1000
const SUPPORT = { product_name: 'Support', quantity: 1, unit_price: `${COINS}.00` }
const owes = async () => (await dunning.owes(acme, { line_items: [SUPPORT] })).id as number
const charges = async (id: number) => (await acme.owner.get(`/invoices/${id}/late-charges`)).data
const act = async (id: number, what: string, body: object = {}) => {
  const answer = await acme.staff.post(`/invoices/${id}/${what}`, body)
  expect(answer.status, answer.raw.body).toBeLessThan(300)
  return answer.data
}
const pay = (id: number, coins?: number) => act(id, 'pay', coins === undefined ? {} : { amount: `${coins}.00` })
/** Of one payment, so that none has as much where it is 422. */
async function refund(id: number, coins: number): Promise<number> {
  const { status, data } = await acme.staff.post(`/invoices/${id}/refund`, { amount: `${coins}.00` })
  const settled = status === 422 ? null : await acme.staff.post(`/refunds/${data.refund_id}/settle`, {})
  expect([undefined, 200]).toContain(settled?.status)
  await app.service.worker.drain()
  return status
}

describe('a refund', () => {
  it('200: of what was paid in time brings no fine, whether staff bill before the next payment or after', async () => {
    const one = await owes()
    await pay(one, 999)
    await dunning.jump(110)
    expect(await refund(one, 999)).toBe(200)
    const due = { days_overdue: 105, base: '1.00', fine: '0.02', interest: '0.04', total: '0.06' }
    expect(await charges(one)).toMatchObject(due)
    await pay(one)
    expect(await charges(one)).toMatchObject(due)
    expect((await act(one, 'late-charges')).total).toBe('0.06')
  })
  it('200: of what was paid late leaves its interest as it was, before the next payment and after it', async () => {
    const id = await owes()
    await dunning.jump(17)
    await pay(id, 500)
    await dunning.jump(20)
    // 500.00 for 12 days, and 500.00 for 32.
    const due = { base: '1000.00', fine: '20.00', interest: '7.33' }
    expect(await charges(id)).toMatchObject(due)
    expect(await refund(id, 500)).toBe(200)
    expect(await charges(id)).toMatchObject(due)
    await pay(id)
    await dunning.jump(20)
    expect(await charges(id)).toMatchObject(due)
  })
  it('is not in the fine of the reminder, which is what can be billed', async () => {
    const [one, other] = [await owes(), await owes()]
    for (const id of [one, other]) {
      await pay(id, 900)
      expect(await refund(id, 900)).toBe(200)
    }
    await dunning.jump(6)
    const bill = await act(other, 'late-charges')
    await dunning.drain()
    const mails = await mailsTo(app, acme.owner.email)
    const reminderOf = async (id: number) => {
      const { number } = (await acme.owner.get(`/invoices/${id}`)).data
      return mails.find(({ subject }) => subject.includes(`${number} is over`))?.text ?? ''
    }
    // 2 % of 100.00, and 0.03 for one day; of the other invoice they are billed.
    expect([bill.total, (await charges(one)).due, (await charges(other)).due]).toEqual(['2.03', '2.03', '0.00'])
    expect(await reminderOf(one)).toMatch(/Fine and interest until today.*2\.03/)
    expect(await reminderOf(other)).toMatch(/overdue/)
    expect(await reminderOf(other)).not.toContain('Fine and interest')
    await dunning.pass(8)
    const [ofBill] = (await mailsTo(app, acme.owner.email)).filter(({ subject }) => subject.includes(bill.number))
    expect(ofBill?.text).toMatch(/overdue/)
    expect(ofBill?.text).not.toContain('Fine and interest')
  })
  it('200: a payment of an earlier day that is recorded last ends nothing before the others’ last day', async () => {
    const id = await owes()
    const [early, due] = [app.clock.now.toISOString(), { days_overdue: 10, base: '400.00', interest: '1.33' }]
    await dunning.jump(15)
    await pay(id, 400)
    await act(id, 'pay', { paid_at: early })
    await dunning.jump(5)
    expect(await charges(id)).toMatchObject({ ...due, as_of: dunning.day(-5) })
  })
})

/** The days on which the coins that are owed were covered, in that order; null: never. */
type Coins = (string | null)[]

function cover(coins: Coins, count: number, day: string): void {
  for (let left = count, at = 0; left > 0 && at < coins.length; at++)
    if (coins[at] === null) {
      coins[at] = day
      left--
    }
}
const cents = (amount: number) => (amount / 100).toFixed(2)
function expected(coins: Coins, dueOn: string, today: string) {
  const late = coins.map((day) => daysBetween(dueOn, day ?? today)).filter((days) => days > 0)
  const [fine, interest] = [2 * late.length, Math.floor(late.reduce((sum, days) => sum + days, 0) / 30 + 0.5)]
  return { fine: cents(fine), interest: cents(interest), total: cents(fine + interest) }
}

type Scene = { id: number; coins: Coins; dueOn: string; die: Die }

/** One act of that day; what is paid is never all that is due, so that the invoice stays open. */
async function step({ id, coins, die }: Scene): Promise<void> {
  const { amount_due, amount_paid, amount_refunded } = (await acme.owner.get(`/invoices/${id}`)).data
  const [due, held] = [Number(amount_due), Number(amount_paid) - Number(amount_refunded)]
  const kind = die(5)
  if (kind < 2 && due > 1) {
    const count = 1 + die(due - 1)
    await pay(id, count)
    cover(coins, count, dunning.day(0))
  } else if (kind < 4 && held > 0) await refund(id, 1 + die(held))
  else if (due > 1) {
    const count = 1 + die(Math.min(due - 1, 50))
    await act(id, 'credit-notes', { reason: 'x', amount: `${count}.00` })
    coins.length -= count
  }
}

describe('after random payments, refunds and credit notes', () => {
  it.each(seeds([1, 2], [3, 4, 5, 6, 7, 8, 9, 10]))('200 with what the model says: seed %i', async (seed) => {
    const die = dieOf(seed)
    const [id, dueOn] = [await owes(), dunning.day(5)]
    const scene: Scene = { id, coins: Array<null>(COINS).fill(null), dueOn, die }
    for (let round = 0; round < 12; round++) {
      await dunning.jump(1 + die(5))
      const [before, at] = [[...scene.coins], dunning.day(0)]
      expect(await charges(id)).toMatchObject(expected(before, dueOn, at))
      await step(scene)
      expect(await charges(id)).toMatchObject(expected(scene.coins, dueOn, at))
    }
    const whole = expected(scene.coins, dueOn, dunning.day(0))
    await pay(id)
    await dunning.jump(9)
    expect(await charges(id)).toMatchObject({ ...whole, as_of: addDays(dunning.day(0), -9) })
  })
})
