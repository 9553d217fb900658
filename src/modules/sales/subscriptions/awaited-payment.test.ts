// Orders that the service itself bills again: whether what they deliver waits for the next payment.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LICENSE_LINE } from '#test/scenes/commerce.ts'
import {
  type BillingScene,
  billingScene,
  entitlementsOf,
  goTo,
  invoicesOf,
  pathOf,
  pay,
  refund,
  type Sale,
  sold,
} from '#test/scenes/own-billing.ts'

let at: BillingScene
beforeAll(async () => void (at = await billingScene()))
afterAll(() => at.app.close())

const DAY_MS = 86_400_000
const after = (time: string, days: number): Date => new Date(Date.parse(time) + days * DAY_MS)
const boughtBy = async (sale: Sale) => (await entitlementsOf(at, sale))[0]
const licenseOf = async (sale: Sale) =>
  (await at.buyer.get(`/entitlements/${(await boughtBy(sale)).id}/licenses`)).data[0]
const act = (sale: Sale, name: string, body?: object) => at.acme.staff.post(`${pathOf(sale)}/${name}`, body)
const AWAITED = { renews: true, suspends_at: expect.any(String) }
const NOT_AWAITED = { renews: false, suspends_at: null }

it('a pause ends the waiting, resuming within the paid time begins it again', async () => {
  const sale = await sold(at)
  const { expires_at } = await boughtBy(sale)
  expect(await boughtBy(sale)).toMatchObject(AWAITED)
  await act(sale, 'pause')
  await at.app.service.worker.drain()
  expect(await boughtBy(sale)).toMatchObject({ ...NOT_AWAITED, status: 'active' })
  expect((await licenseOf(sale)).renews).toBe(false)
  await act(sale, 'resume')
  await at.app.service.worker.drain()
  expect(await boughtBy(sale)).toMatchObject(AWAITED)
  expect((await licenseOf(sale)).renews).toBe(true)
  await act(sale, 'pause')
  await goTo(at, expires_at)
  expect(await boughtBy(sale)).toMatchObject({ ...NOT_AWAITED, status: 'expired' })
  expect((await licenseOf(sale)).status).toBe('expired')
})

it('a pause in arrears ends what is not paid; the payment of its invoice brings it back to the end of that period', async () => {
  for (const days of [-13, 1, 16]) {
    const sale = await sold(at)
    const { expires_at } = await boughtBy(sale)
    await goTo(at, after(expires_at, -14))
    const owed = (await invoicesOf(at, sale)).at(-1)
    await goTo(at, after(expires_at, days))
    await act(sale, 'pause')
    await at.app.service.worker.drain()
    const isBefore = days < 0
    expect((await boughtBy(sale)).status).toBe(isBefore ? 'active' : 'expired')
    expect((await invoicesOf(at, sale)).at(-1).status).toBe(isBefore ? 'void' : 'open')
    if (isBefore) continue
    await pay(at, owed.id)
    expect(await boughtBy(sale)).toMatchObject({ ...NOT_AWAITED, status: 'active', expires_at: owed.period_end })
  }
})

it('what has expired in a pause comes back with the payment of the time after it, not with the resumption', async () => {
  const sale = await sold(at)
  const { expires_at } = await boughtBy(sale)
  await act(sale, 'pause')
  await goTo(at, after(expires_at, 40))
  await act(sale, 'resume')
  await goTo(at, at.app.clock.now)
  const expired = { ...NOT_AWAITED, status: 'expired', expires_at }
  expect(await boughtBy(sale)).toMatchObject(expired)
  await goTo(at, after(expires_at, 41))
  expect(await boughtBy(sale)).toMatchObject(expired)
  const next = (await invoicesOf(at, sale)).at(-1)
  await pay(at, next.id)
  expect(await boughtBy(sale)).toMatchObject({ ...AWAITED, status: 'active', expires_at: next.period_end })
})

it('the payment of a period before a pause brings nothing back that the pause has ended', async () => {
  const sale = await sold(at)
  const { expires_at } = await boughtBy(sale)
  await goTo(at, after(expires_at, -14))
  const owed = (await invoicesOf(at, sale)).at(-1)
  await goTo(at, after(expires_at, 1))
  await act(sale, 'pause')
  await goTo(at, after(owed.period_end, 40))
  await act(sale, 'resume')
  await pay(at, owed.id)
  const { code, ...bought } = await boughtBy(sale)
  expect(bought).toMatchObject({ ...NOT_AWAITED, status: 'expired', expires_at: owed.period_end })
  const path = `/events?type=entitlement.renewed&entitlement_code=${code}`
  expect((await at.acme.staff.get(path)).data.events).toEqual([])
})

it('a cancellation for the end of the period ends the waiting at once', async () => {
  const sale = await sold(at)
  const { expires_at } = await boughtBy(sale)
  await act(sale, 'cancel', { at: 'period_end' })
  await at.app.service.worker.drain()
  expect(await boughtBy(sale)).toMatchObject({ ...NOT_AWAITED, status: 'active' })
  await goTo(at, expires_at)
  expect(await boughtBy(sale)).toMatchObject({ status: 'expired', expires_at })
})

it('a refund ends the waiting with the order, and a cancellation of the entitlement alone', async () => {
  const [refunded, cancelled] = [await sold(at), await sold(at)]
  await refund(at, refunded, '105.00')
  await at.acme.staff.post(`/entitlements/${(await boughtBy(cancelled)).id}/cancel`, {})
  await at.app.service.worker.drain()
  for (const sale of [refunded, cancelled]) {
    expect(await boughtBy(sale)).toMatchObject({ ...NOT_AWAITED, status: 'cancelled' })
    expect(await licenseOf(sale)).toMatchObject({ status: 'revoked', renews: false })
  }
})

it('a license that staff issue or renew waits with what the subscription renews, also after its end', async () => {
  const sale = await sold(at)
  const { id: entitlement_id, expires_at } = await boughtBy(sale)
  const { staff } = at.acme
  const issued = async (body: object = {}) => (await staff.post('/licenses', { entitlement_id, ...body })).data
  const own = await issued({ expires_at: after(expires_at, -20) })
  expect([(await issued()).renews, (await issued({ expires_at })).renews, own.renews]).toEqual([true, true, false])
  await goTo(at, after(expires_at, -14))
  expect((await staff.post(`/licenses/${own.id}/renew`)).data).toMatchObject({ expires_at, renews: true })
  await goTo(at, after(expires_at, 1))
  const licenses = async () => (await at.buyer.get(`/entitlements/${entitlement_id}/licenses`)).data
  const active = { status: 'active', renews: true, expires_at }
  expect(await licenses()).toEqual(Array.from({ length: 4 }, () => expect.objectContaining(active)))
  expect(await issued()).toMatchObject(active)
  const late = await staff.post('/licenses', { entitlement_id, expires_at })
  expect([late.status, Object.keys(late.errors?.fields ?? {})]).toEqual([422, ['expires_at']])
  expect((await staff.post(`/licenses/${own.id}/revoke`)).data).toMatchObject({ status: 'revoked', renews: false })
})

it('a term that was paid at once waits for the first period after it', async () => {
  const sale = await sold(at, [{ ...LICENSE_LINE, term_months: 3 }])
  const { expires_at } = await boughtBy(sale)
  expect(await boughtBy(sale)).toMatchObject(NOT_AWAITED)
  const body = { collection_method: 'send_invoice', interval: 'month', amount: '20.00' }
  expect((await at.acme.staff.post(pathOf(sale), body)).status).toBe(201)
  await at.app.service.worker.drain()
  expect(await boughtBy(sale)).toMatchObject({ ...AWAITED, expires_at })
  await goTo(at, after(expires_at, -14))
  await goTo(at, after(expires_at, 1))
  expect(await boughtBy(sale)).toMatchObject({ ...AWAITED, status: 'active' })
  await goTo(at, after(expires_at, 16))
  expect((await boughtBy(sale)).status).toBe('suspended')
  const first = (await invoicesOf(at, sale)).find(({ period_start }) => period_start === expires_at)
  await pay(at, first.id)
  expect(await boughtBy(sale)).toMatchObject({ ...AWAITED, status: 'active', expires_at: first.period_end })
})
