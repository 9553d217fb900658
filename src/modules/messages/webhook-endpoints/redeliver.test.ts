// Sent again by hand: a range of time, one delivery; and tests.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { deliveriesOf, happen, websitesAt, webhookScenes } from '#test/scenes/webhooks.ts'

let app: TestApp
const { scene, send, close } = webhookScenes(() => app)
beforeAll(async () => void (app = await startApp()))
afterAll(close)

describe('POST /webhook-endpoints/{id}/redeliver', () => {
  it('sends what failed, and with all what was delivered too, under the same ids', async () => {
    const { org, receiver, id } = await scene()
    const from = app.clock.now.toISOString()
    const made = await happen(org, 250)
    await send()
    app.clock.advance(1)
    const to = app.clock.now.toISOString()
    const ids = receiver.received.splice(0).map(({ headers }) => headers['webhook-id'])
    const redeliver = async (more: object) => {
      expect((await org.owner.post(`/webhook-endpoints/${id}/redeliver`, { from, to, ...more })).status).toBe(202)
      await app.service.worker.drain()
      await send()
    }
    await redeliver({})
    expect(receiver.received).toEqual([])
    await redeliver({ all: true })
    expect(websitesAt(receiver)).toEqual(made)
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(ids)
  })
  it('422 for a range that ends before it begins', async () => {
    const { org, id } = await scene()
    const range = { from: '2026-02-01T00:00:00.000Z', to: '2026-01-01T00:00:00.000Z' }
    const { errors } = await org.owner.post(`/webhook-endpoints/${id}/redeliver`, range)
    expect(errors?.fields).toEqual({ to: 'must not be before from' })
  })
})

describe('POST /webhook-endpoints/{id}/deliveries/{delivery_id}/redeliver', () => {
  it('202: sends it again at once, and 409 while it waits or the endpoint is paused', async () => {
    const { org, receiver, id } = await scene()
    await happen(org)
    await send()
    const [{ id: delivery }] = await deliveriesOf({ org, id })
    const redeliver = () => org.owner.post(`/webhook-endpoints/${id}/deliveries/${delivery}/redeliver`)
    const both = await Promise.all([redeliver(), redeliver()])
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['202', '409'])
    await send()
    expect(receiver.received).toHaveLength(2)
    expect(receiver.received[1]?.headers['webhook-id']).toBe(receiver.received[0]?.headers['webhook-id'])
    expect((await deliveriesOf({ org, id }))[0]).toMatchObject({ state: 'delivered', attempts_count: 2 })
    await org.owner.patch(`/webhook-endpoints/${id}`, { status: 'paused' })
    expect((await redeliver()).status).toBe(409)
    expect((await org.owner.post(`/webhook-endpoints/${id}/deliveries/999999/redeliver`)).status).toBe(404)
  })
})

describe('POST /webhook-endpoints/{id}/test', () => {
  it('202: sends one signed test, also to an endpoint that is paused; it is not tried again', async () => {
    const { org, receiver, id } = await scene()
    await org.owner.patch(`/webhook-endpoints/${id}`, { status: 'paused' })
    receiver.answer(() => ({ status: 500 }))
    const test = () => org.owner.post(`/webhook-endpoints/${id}/test`)
    const { status, data } = await test()
    expect(status).toBe(202)
    expect(data).toMatchObject({ type: 'webhook_endpoint.test', event_id: null, state: 'pending' })
    expect((await test()).status).toBe(409)
    await send()
    expect(receiver.types()).toEqual(['webhook_endpoint.test'])
    expect(receiver.received[0]?.headers['webhook-id']).toBe(data.webhook_id)
    const detail = (await org.owner.get(`/webhook-endpoints/${id}/deliveries/${data.id}`)).data
    expect(detail).toMatchObject({ state: 'failed', attempts_count: 1, request_body: receiver.received[0]?.text })
  })
})
