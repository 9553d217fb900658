// What an invoice pays for is suspended after the grace, and restored when it is settled; nothing else is.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { type Dunning, dunningAt } from '#test/scenes/dunning.ts'
import { entitlement, license } from '#test/scenes/licenses.ts'
import type { Answer } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const admin = await app.world.user({ roles: ['customer', 'administrator'] })
const dunning: Dunning = dunningAt(app, () => [acme.owner, acme.staff, admin])

type Record = Answer['data']
const seen = async (id: number): Promise<Record> => (await acme.owner.get(`/entitlements/${id}`)).data
const statusOf = async (id: number): Promise<string> => (await seen(id)).status
const pay = (id: number) => acme.staff.post(`/invoices/${id}/pay`, {})
const act = (id: number, name: string, body?: object) => acme.staff.post(`/entitlements/${id}/${name}`, body)
const lineFor = (...codes: string[]) => ({
  line_items: codes.map((entitlement_code) => ({
    product_name: 'Backup',
    quantity: 1,
    unit_price: '10.00',
    entitlement_code,
  })),
})
/** Due in five days, so that the grace of fifteen ends on the twenty-first day. */
const owesFor = (code: string, more: object = {}) => dunning.owes(acme, { ...lineFor(code), ...more })
const sold = () => entitlement(acme, { class: 'PLG' })
const check = async (as_of?: string) =>
  (await acme.owner.get(`/entitlements/check?class=EDU${as_of === undefined ? '' : `&as_of=${as_of}`}`)).data
async function settled(): Promise<void> {
  await dunning.drain()
}

describe('an invoice that is not paid', () => {
  it('suspends what its lines name when the grace is over, with what hangs on it, and says why', async () => {
    const { entitlement_id: id, id: licenseId } = await license(acme)
    const other = await sold()
    const { code } = await seen(id)
    const invoice = await owesFor(code)
    expect(await seen(id)).toMatchObject({ status: 'active', suspends_at: `${dunning.day(21)}T03:00:00.000Z` })
    expect(await seen(other.id)).toMatchObject({ status: 'active', suspends_at: null })
    await dunning.pass(20)
    expect(await statusOf(id)).toBe('active')
    await dunning.pass(1)
    const { status_reason, ...suspended } = await seen(id)
    expect(suspended).toMatchObject({ status: 'suspended', status_reason_code: 'payment_overdue' })
    expect(status_reason).toContain(invoice.number)
    expect((await acme.owner.get(`/licenses/${licenseId}`)).data.status).toBe('suspended')
    expect(await statusOf(other.id)).toBe('active')
    await pay(invoice.id)
    await settled()
    expect(await seen(id)).toMatchObject({
      status: 'active',
      status_reason_code: 'payment_settled',
      status_reason: null,
      suspends_at: null,
    })
    expect((await acme.owner.get(`/licenses/${licenseId}`)).data.status).toBe('active')
  })
  it.each([
    ['void', (id: number) => acme.staff.post(`/invoices/${id}/void`)],
    ['credited in full', (id: number) => acme.staff.post(`/invoices/${id}/credit-notes`, { reason: 'Goodwill' })],
    [
      'paid after staff had given it up',
      async (id: number) => {
        await acme.staff.post(`/invoices/${id}/mark-uncollectible`)
        await settled()
        return pay(id)
      },
    ],
  ])('restores it when it is %s', async (_, settle) => {
    const { id, code } = await sold()
    const invoice = await owesFor(code)
    await dunning.pass(22)
    expect(await statusOf(id)).toBe('suspended')
    expect((await settle(invoice.id)).status).toBeLessThan(300)
    await settled()
    expect(await statusOf(id)).toBe('active')
  })
  it('keeps it suspended while another one is unpaid, and names that one', async () => {
    const { id, code } = await sold()
    const [one, other] = [await owesFor(code), await owesFor(code, { due_date: dunning.day(6) })]
    await dunning.pass(23)
    expect((await seen(id)).status_reason).toContain(one.number)
    await pay(one.id)
    await settled()
    const { status, status_reason } = await seen(id)
    expect([status, status_reason]).toEqual(['suspended', expect.stringContaining(other.number)])
    await pay(other.id)
    await settled()
    expect(await statusOf(id)).toBe('active')
  })
  it('is paid in the second of the suspension: whichever is first, it is active in the end', async () => {
    const { id, code } = await sold()
    const invoice = await owesFor(code)
    app.clock.now = new Date((await seen(id)).suspends_at)
    await dunning.wake()
    await app.database.query(
      `insert into jobs (kind, run_at) select 'dunning/suspend', $1 from generate_series(1, 3)`,
      [app.clock.now],
    )
    await Promise.all([pay(invoice.id), app.service.worker.drain()])
    await settled()
    expect(await statusOf(id)).toBe('active')
  })
  it('does not suspend what has expired or was cancelled', async () => {
    const ends = new Date(app.clock.now.getTime() + 86_400_000).toISOString()
    const [expired, cancelled] = [await entitlement(acme, { expires_at: ends }), await sold()]
    await owesFor(expired.code, lineFor(expired.code, cancelled.code))
    await act(cancelled.id, 'cancel')
    await dunning.pass(25)
    expect([await statusOf(expired.id), await statusOf(cancelled.id)]).toEqual(['expired', 'cancelled'])
    expect((await seen(cancelled.id)).suspends_at).toBeNull()
  })
})

describe('staff', () => {
  it('suspend it themselves: neither before nor afterwards does a payment resume it', async () => {
    const [before, after] = [await sold(), await sold()]
    const invoice = await owesFor(before.code, lineFor(before.code, after.code))
    await act(before.id, 'suspend', { reason: 'Abuse' })
    await dunning.pass(22)
    expect(await seen(before.id)).toMatchObject({ status: 'suspended', status_reason_code: 'by_staff' })
    expect((await act(after.id, 'suspend', { reason: 'Fraud' })).status).toBe(200)
    await pay(invoice.id)
    await settled()
    for (const [{ id }, status_reason] of [
      [before, 'Abuse'],
      [after, 'Fraud'],
    ] as const)
      expect(await seen(id)).toMatchObject({ status: 'suspended', status_reason_code: 'by_staff', status_reason })
  })
  it('resume one of their own while the invoice is unpaid: it is suspended for that then', async () => {
    const { id, code } = await sold()
    await owesFor(code)
    await act(id, 'suspend')
    await dunning.pass(22)
    expect((await act(id, 'resume')).status).toBe(200)
    await settled()
    expect(await seen(id)).toMatchObject({ status: 'suspended', status_reason_code: 'payment_overdue' })
    expect((await act(id, 'resume')).status).toBe(409)
  })
})

describe('GET /entitlements/check', () => {
  it('says so by the clock, now and as of each moment, whether or not a job has come by', async () => {
    const { id, code } = await entitlement(acme, { class: 'EDU' })
    const invoice = await owesFor(code)
    const { suspends_at } = await seen(id)
    const before = new Date(Date.parse(suspends_at) - 1).toISOString()
    await dunning.jump(23)
    expect(await check(before)).toMatchObject({ allowed: true, reason: 'active' })
    const suspended = {
      allowed: false,
      reason: 'suspended',
      status_reason_code: 'payment_overdue',
      status_reason: expect.stringContaining(invoice.number),
    }
    expect(await check()).toMatchObject(suspended)
    expect(await check(suspends_at)).toMatchObject(suspended)
    expect(await statusOf(id)).toBe('active')
    await dunning.drain()
    const moment = app.clock.now.toISOString()
    expect(await check()).toMatchObject(suspended)
    await dunning.jump(1)
    await pay(invoice.id)
    await settled()
    expect(await check()).toMatchObject({ allowed: true, status_reason: null })
    expect(await check(moment)).toMatchObject(suspended)
    expect(await check(before)).toMatchObject({ allowed: true })
  })
})
