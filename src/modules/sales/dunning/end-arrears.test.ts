// What ends the arrears of an invoice: announced first, then written off, or the subscription ends with it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mailsTo } from '#test/harness/mailbox.ts'
import type { Answer } from '#test/harness/world.ts'
import { type Dunning, dunningAt } from '#test/scenes/dunning.ts'
import { type BillingScene, billingScene, DAY_MS, goTo, MONTHLY, sold } from '#test/scenes/own-billing.ts'

const STEPS = { reminder_days: [], grace_days: 5, suspends: true }
const ends = (act: string, more: object = {}) => ({ ...STEPS, ends: { after_days: 30, notice_days: 10, act, ...more } })

let at: BillingScene
let dunning: Dunning
beforeAll(async () => {
  at = await billingScene()
  dunning = dunningAt(at.app, () => [at.acme.owner, at.acme.staff, at.buyer])
})
afterAll(() => at.app.close())

const set = (schedule: object): Promise<Answer> => at.acme.staff.put('/admin/dunning/entity_br', { schedule })
const statusOf = async (id: number): Promise<string> => (await at.acme.owner.get(`/invoices/${id}`)).data.status
const noticesOf = async (number: string) =>
  (await mailsTo(at.app, at.acme.owner.email)).filter(({ subject }) =>
    subject.startsWith(`Invoice ${number}: pay until`),
  )
const owes = () => dunning.owes(at.acme, { due_date: dunning.day(1) })

describe('ends of a schedule', () => {
  it('write off an invoice after the notice, which says until when it can be paid; it still can', async () => {
    expect((await set(ends('write_off'))).status).toBe(200)
    const { id, number } = await owes()
    await dunning.pass(20)
    expect(await noticesOf(number)).toEqual([])
    await dunning.pass(1)
    const [notice, ...more] = await noticesOf(number)
    expect(more).toEqual([])
    expect(notice?.text).toContain('/invoices/')
    await dunning.pass(9)
    expect(await statusOf(id)).toBe('open')
    await dunning.pass(1)
    expect(await statusOf(id)).toBe('uncollectible')
    expect(await noticesOf(number)).toHaveLength(1)
    expect((await at.acme.staff.post(`/invoices/${id}/pay`)).status).toBe(200)
  })
  it('wait for the whole notice where the worker was down, and begin anew with another due date', async () => {
    const [late, moved] = [await owes(), await owes()]
    await dunning.pass(60)
    expect(await statusOf(late.id)).toBe('open')
    const change = { due_date: dunning.day(5), reason: 'Agreed' }
    expect((await at.acme.staff.put(`/invoices/${moved.id}/due-date`, change)).status).toBe(200)
    await dunning.pass(10)
    expect([await statusOf(late.id), await statusOf(moved.id)]).toEqual(['uncollectible', 'open'])
  })
  it('do nothing to what is paid, and nothing while staff hold dunning', async () => {
    const [paid, held] = [await owes(), await owes()]
    await dunning.pass(22)
    await at.acme.staff.post(`/invoices/${paid.id}/pay`)
    await at.acme.staff.put('/dunning/hold', { until: dunning.day(40), reason: 'Talks' })
    await dunning.pass(20)
    expect([await statusOf(paid.id), await statusOf(held.id)]).toEqual(['paid', 'open'])
    await at.acme.staff.delete('/dunning/hold')
    await dunning.pass(1)
    expect(await statusOf(held.id)).toBe('uncollectible')
  })
  it('end the subscription too, so that nothing more is billed', async () => {
    expect((await set(ends('cancel'))).status).toBe(200)
    const { order_id } = await sold(at, [MONTHLY])
    await at.app.service.worker.drain()
    const billed = async (): Promise<Answer['data']> => (await at.buyer.get(`/invoices/order/${order_id}`)).data
    const { data: before } = await at.buyer.get(`/orders/${order_id}/subscription`)
    const days = async (count: number) => {
      for (let day = 0; day < count; day += 5) await goTo(at, new Date(at.app.clock.now.getTime() + 5 * DAY_MS))
    }
    expect(before.status).toBe('active')
    await days(95)
    const invoices = await billed()
    expect((await at.buyer.get(`/orders/${order_id}/subscription`)).data.status).toBe('canceled')
    expect(invoices.map(({ status }: { status: string }) => status)).toContain('uncollectible')
    await days(60)
    expect(await billed()).toHaveLength(invoices.length)
  })
  it('422 where the notice is not shorter, also of a class', async () => {
    const fieldsOf = async (schedule: object) => Object.keys((await set(schedule)).errors?.fields ?? {})
    expect(await fieldsOf(ends('cancel', { notice_days: 30 }))).toEqual(['schedule.ends.notice_days'])
    expect(await fieldsOf({ ...STEPS, classes: { PLG: ends('cancel', { notice_days: 40 }) } })).toEqual([
      'schedule.classes.PLG.ends.notice_days',
    ])
    expect((await set(ends('sell'))).status).toBe(422)
  })
})
