// A payment that comes in the moment in which what it pays for expires: whatever is first, the paid time may be used.
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { somebodyWaits } from '#test/harness/database.ts'
import { type Bought, sendEvent, type StripeScene, stripeScene } from '#test/scenes/stripe.ts'
import { begun, expire } from '#test/scenes/subscriptions.ts'

let at: StripeScene
beforeAll(async () => void (at = await stripeScene()))
afterAll(() => at.close())

const DAY_MS = 86_400_000
const daysFromNow = (count: number): string =>
  new Date(Math.floor(at.app.clock.now.getTime() / 1000) * 1000 + count * DAY_MS).toISOString()

const lastDay = (end: string): string => dayIn(new Date(Date.parse(end) - 1), 'America/Sao_Paulo')

const entitlementOf = async ({ entitlement_id: id }: Bought) => (await at.buyer.get(`/entitlements/${id}`)).data
const licenseOf = async ({ entitlement_id: id }: Bought) => (await at.buyer.get(`/entitlements/${id}/licenses`)).data[0]
const act = (payment: Bought, name: string, body?: object) =>
  at.acme.staff.post(`/entitlements/${payment.entitlement_id}/${name}`, body)

/** Something monthly whose end was five minutes ago, which no job has seen yet, and for which no payment is awaited. */
async function due(): Promise<Bought> {
  const payment = await begun(at, 1)
  const end = new Date(at.app.clock.now.getTime() - 300_000).toISOString()
  await at.app.database.query('update entitlements set expires_at = $2, renews = false where id = $1', [
    payment.entitlement_id,
    end,
  ])
  await at.app.database.query('update licenses set expires_at = $2, renews = false where entitlement_id = $1', [
    payment.entitlement_id,
    end,
  ])
  return payment
}

/** The payment of the time until `end`. */
async function pay(payment: Bought, end: string): Promise<void> {
  const invoice = at.stripe.renew(payment.subscription)
  const [line] = invoice.lines.data
  if (line) line.period = { start: Date.parse(daysFromNow(0)) / 1000, end: Date.parse(end) / 1000 }
  await sendEvent(at, 'invoice.paid', invoice)
}

async function run(kind: string): Promise<void> {
  await at.app.database.query('insert into jobs (kind, run_at) values ($1, $2)', [kind, at.app.clock.now])
  await at.app.service.worker.drain()
}

/** Begins the work while another transaction has made the change and not committed it. */
async function during(change: string, values: unknown[], work: () => Promise<void>): Promise<void> {
  const other = new Client({ connectionString: at.app.database.url })
  await other.connect()
  await other.query('begin')
  await other.query(change, values)
  const working = work()
  await Promise.race([working, somebodyWaits(at.app.database)])
  await other.query('commit')
  await other.end()
  await working
}

describe('a payment at the end', () => {
  it('that is recorded while the job is about to expire the entitlement keeps it', async () => {
    const payment = await due()
    const end = daysFromNow(40)
    const { entitlement_id } = payment
    await during('update entitlements set expires_at = $2 where id = $1', [entitlement_id, end], () =>
      run('entitlements/expire'),
    )
    expect(await entitlementOf(payment)).toMatchObject({ status: 'active', expires_at: end })
  })
  it('that is recorded while the entitlement is being expired renews it', async () => {
    const payment = await due()
    const end = daysFromNow(40)
    await during(`update entitlements set status = 'expired' where id = $1`, [payment.entitlement_id], () =>
      pay(payment, end),
    )
    expect(await entitlementOf(payment)).toMatchObject({ status: 'active', expires_at: end })
  })
  it('renews the license, too, when its job was before the one of the entitlement', async () => {
    const payment = await due()
    await run('licenses/expire')
    expect([(await licenseOf(payment)).status, (await entitlementOf(payment)).status]).toEqual(['expired', 'active'])
    const end = daysFromNow(40)
    await pay(payment, end)
    expect(await entitlementOf(payment)).toMatchObject({ status: 'active', expires_at: end })
    expect(await licenseOf(payment)).toMatchObject({ status: 'active', expires_at: end })
  })
  it('that is recorded while the contract is being expired puts it into force again', async () => {
    const payment = await due()
    const { entitlement_id } = payment
    const { expires_at } = await entitlementOf(payment)
    const body = { title: 'Terms', start_date: '2020-01-01', end_date: null, entitlement_id }
    const { id } = (await at.acme.staff.post('/contracts', body)).data
    expect((await at.acme.staff.post(`/contracts/${id}/status`, { status: 'active' })).status).toBe(200)
    await at.app.database.query('update contracts set end_date = $2 where id = $1', [id, lastDay(expires_at)])
    const expired = `
      with gone as (update contracts set status = 'expired' where id = $1 returning organization_id, id)
      insert into contract_history (organization_id, contract_id, from_status, to_status, changed_at, changed_by_name)
      select organization_id, id, 'active', 'expired', now(), 'Titular' from gone`
    const end = daysFromNow(40)
    await during(expired, [id], () => pay(payment, end))
    const contract = (await at.buyer.get(`/contracts/${id}`)).data
    expect(contract).toMatchObject({ status: 'active', end_date: lastDay(end), reinstated_at: expect.any(String) })
  })
  it.each(['before', 'after'])('of what staff had suspended leaves it suspended, %s it expires', async (when) => {
    const payment = await due()
    await act(payment, 'suspend', { reason: 'Abuse' })
    const end = daysFromNow(40)
    if (when === 'after') await expire(at)
    await pay(payment, end)
    if (when === 'before') await expire(at)
    const why = { status_reason_code: 'by_staff', status_reason: 'Abuse' }
    expect(await entitlementOf(payment)).toMatchObject({ status: 'suspended', expires_at: end, ...why })
    expect((await licenseOf(payment)).status).not.toBe('active')
    expect((await act(payment, 'resume')).status).toBe(200)
    expect(await licenseOf(payment)).toMatchObject({ status: 'active', expires_at: end })
  })
})
