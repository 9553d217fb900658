// GET /subscriptions: what an organization is billed again, of all its orders.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BillingScene, billingScene, pathOf, SETUP, sold, subscriptionOf } from '#test/scenes/own-billing.ts'

let at: BillingScene
beforeAll(async () => void (at = await billingScene()))
afterAll(() => at.app.close())

describe('GET /subscriptions', () => {
  it('200: the newest first, each as its order has it, without orders that have none; by status and page', async () => {
    const [older, newer] = [await sold(at), await sold(at)]
    await sold(at, [SETUP])
    expect((await at.acme.staff.post(`${pathOf(older)}/cancel`, { at: 'now' })).status).toBe(200)
    const all = await at.buyer.get('/subscriptions')
    expect(all.data).toEqual([await subscriptionOf(at, newer), await subscriptionOf(at, older)])
    const idsOf = async (query: string) =>
      (await at.buyer.get(`/subscriptions?${query}`)).data.map(({ order_id }: { order_id: number }) => order_id)
    expect(await idsOf('status=active')).toEqual([newer.order_id])
    expect(await idsOf('per_page=1&page=2')).toEqual([older.order_id])
    expect(await idsOf('status=paused')).toEqual([])
    expect((await at.acme.staff.get('/subscriptions')).data).toEqual(all.data)
  })
  it('403 without the scope, 422 for another status, and nothing of another organization', async () => {
    const stranger = await at.acme.member({ scopes: ['tickets'] })
    expect((await stranger.get('/subscriptions')).status).toBe(403)
    const wrong = await at.buyer.get('/subscriptions?status=over')
    expect([wrong.status, Object.keys(wrong.errors?.fields ?? {})]).toEqual([422, ['status']])
    const other = await at.app.world.organization()
    expect((await other.staff.get('/subscriptions')).data).toEqual([])
  })
})
