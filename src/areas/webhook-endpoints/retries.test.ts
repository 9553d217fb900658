// What fails: the retry plan, pauses that an endpoint asks for, disabling, and sending again by hand.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import type { Organization } from '#test/harness/world.ts'
import { deliveriesOf, endpointOf, happen, type Hooked, hooked, websitesAt } from '#test/scenes/webhooks.ts'
import type { WebhookReceiver } from '#test/stand-ins/webhook-receiver.ts'
import { RETRY_PLAN } from './retry-plan.ts'

const DAY = 86_400

let app: TestApp
const open: WebhookReceiver[] = []
beforeAll(async () => void (app = await startApp()))
afterAll(async () => {
  await app.close()
  for (const receiver of open) await receiver.close()
})

async function scene(): Promise<Hooked> {
  const made = await hooked(app)
  open.push(made.receiver)
  return made
}
const send = () => app.service.deliverer.drain()
const after = (seconds: number) => {
  app.clock.advance(seconds)
  return send()
}
/** Tokens end while the clock runs ahead. */
const newAdmin = ({ member }: Organization) => member({ role: 'admin', scopes: ['organization'] })
const later = async ({ org, ...rest }: Hooked): Promise<Hooked> => ({
  ...rest,
  org: { ...org, owner: await newAdmin(org) },
})

describe('a delivery that fails', () => {
  it('is tried again by the plan, a little later each time, with the same id and body and a new time', async () => {
    const made = await scene()
    const { org, receiver } = made
    receiver.answer(() => ({ status: 500 }))
    await happen(org)
    await send()
    for (const [step, seconds] of RETRY_PLAN.entries()) {
      expect(receiver.received).toHaveLength(Math.max(step, 1))
      if (step === 0) continue
      await after(seconds - 1)
      expect(receiver.received, `before ${seconds} s`).toHaveLength(step)
      await after(1 + seconds / 10)
    }
    expect(receiver.received).toHaveLength(RETRY_PLAN.length)
    const [delivery] = await deliveriesOf(await later(made))
    expect(delivery).toMatchObject({ state: 'failed', attempts_count: RETRY_PLAN.length, next_attempt_at: null })
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(RETRY_PLAN.length)
    await after(10 * DAY)
    expect(receiver.received).toHaveLength(RETRY_PLAN.length)
  })
  it('does not hold up later ones', async () => {
    const { org, receiver } = await scene()
    const made = await happen(org, 3)
    receiver.answer(({ data }) => ({ status: data['website'] === made[0] ? 500 : 200 }))
    await send()
    expect(websitesAt(receiver)).toEqual(made)
    receiver.answer(() => ({ status: 200 }))
    await after(6)
    expect(websitesAt(receiver)).toEqual([...made, made[0]])
  })
  it.each([300, 301, 307, 400, 401, 404, 500])('is one that is answered with %i', async (status) => {
    const { org, receiver, id } = await scene()
    receiver.answer(() => ({ status, headers: { location: receiver.url } }))
    await happen(org)
    await send()
    expect(receiver.received).toHaveLength(1)
    expect((await deliveriesOf({ org, id }))[0]).toMatchObject({ state: 'pending', last_status: status })
  })
  it('gets no answer at all: the log says why, and the endpoint is asked again after a pause', async () => {
    const { org, receiver, id } = await scene()
    await receiver.close()
    await happen(org, 2)
    await send()
    const states = async () =>
      (await deliveriesOf({ org, id })).map(({ attempts_count }: { attempts_count: number }) => attempts_count)
    expect(await states()).toEqual([0, 1])
    const [, { id: delivery }] = await deliveriesOf({ org, id })
    const { attempts } = (await org.owner.get(`/webhook-endpoints/${id}/deliveries/${delivery}`)).data
    expect(attempts).toMatchObject([{ status: null, error: 'The connection was refused', response_body: '' }])
    await after(1)
    expect(await states()).toEqual([1, 1])
    expect((await endpointOf({ org, id })).failing_since).not.toBeNull()
  })
})

describe('an endpoint that answers', () => {
  it.each([429, 502, 503, 504])('%i gets nothing for a moment, then the rest in order', async (status) => {
    const { org, receiver } = await scene()
    const made = await happen(org, 3)
    receiver.answer(() => ({ status }))
    await send()
    expect(receiver.received).toHaveLength(1)
    receiver.answer(() => ({ status: 200 }))
    await send()
    expect(receiver.received).toHaveLength(1)
    await after(1)
    expect(websitesAt(receiver)).toEqual(made)
    await after(6)
    expect(websitesAt(receiver)).toEqual([...made, made[0]])
  })
  it.each([
    ['seconds', () => '120'],
    ['a date', () => new Date(app.clock.now.getTime() + 120_000).toUTCString()],
  ])('with Retry-After in %s gets nothing before', async (_, value) => {
    const { org, receiver } = await scene()
    receiver.answer(() => ({ status: 503, headers: { 'retry-after': value() } }))
    await happen(org, 2)
    await send()
    receiver.answer(() => ({ status: 200 }))
    await after(110)
    expect(receiver.received).toHaveLength(1)
    await after(15)
    expect(receiver.received).toHaveLength(3)
  })
  it('with a Retry-After without end gets the next attempt after some hours', async () => {
    const { org, receiver } = await scene()
    receiver.answer(() => ({ status: 503, headers: { 'retry-after': '99999999' } }))
    await happen(org)
    await send()
    await after(6 * 3600)
    expect(receiver.received).toHaveLength(2)
  })
  it('410 is disabled at once, what waits is given up, and owner and admins get a mail', async () => {
    const { org, receiver, id } = await later(await scene())
    const admin = org.owner
    const member = await org.member({ scopes: ['organization'] })
    receiver.answer(() => ({ status: 410 }))
    await happen(org, 3)
    await send()
    await app.service.worker.drain()
    expect(receiver.received).toHaveLength(1)
    expect(await endpointOf({ org, id })).toMatchObject({ status: 'disabled', disabled_reason: 'gone' })
    const states = (await deliveriesOf({ org, id })).map(({ state }: { state: string }) => state)
    expect(states).toEqual(['failed', 'failed', 'failed'])
    const [mail] = await mailsTo(app, admin.email)
    expect(mail?.text).toContain(receiver.url)
    expect(await mailsTo(app, member.email)).toEqual([])
    await happen(org)
    await after(DAY / 24)
    expect(receiver.received).toHaveLength(1)
  })
})

describe('an endpoint without success for five days', () => {
  it('is disabled; active again it gets what happens then, and the missed events by a redelivery', async () => {
    const first = await later(await scene())
    const { receiver, id } = first
    receiver.answer(() => ({ status: 500 }))
    const from = app.clock.now.toISOString()
    const missed = await happen(first.org)
    await send()
    for (let day = 0; day < 5; day++) {
      await after(DAY)
      expect((await endpointOf(await later(first))).status).toBe('active')
    }
    const { org } = await later(first)
    missed.push(...(await happen(org)))
    await send()
    await app.service.worker.drain()
    expect(await endpointOf({ org, id })).toMatchObject({ status: 'disabled', disabled_reason: 'failing' })
    missed.push(...(await happen(org)))
    await send()
    app.clock.advance(60)
    const to = app.clock.now.toISOString()
    receiver.received.length = 0
    receiver.answer(() => ({ status: 200 }))
    const redeliver = () => org.owner.post(`/webhook-endpoints/${id}/redeliver`, { from, to })
    expect((await redeliver()).status).toBe(409)
    const resumed = await org.owner.patch(`/webhook-endpoints/${id}`, { status: 'active' })
    expect(resumed.data).toMatchObject({ status: 'active', disabled_reason: null, failing_since: null })
    app.clock.advance(1)
    const fresh = await happen(org)
    await send()
    expect(websitesAt(receiver)).toEqual(fresh)
    expect(await redeliver()).toMatchObject({ status: 202, data: { endpoint_id: id, from, to, all: false } })
    await app.service.worker.drain()
    await send()
    expect(websitesAt(receiver)).toEqual([...fresh, ...missed])
  })
})

describe('POST /webhook-endpoints/{id}/redeliver', () => {
  it('sends what failed, and with all what was delivered too, under the same ids', async () => {
    const { org, receiver, id } = await later(await scene())
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
    const { org, id } = await later(await scene())
    const range = { from: '2026-02-01T00:00:00.000Z', to: '2026-01-01T00:00:00.000Z' }
    const { errors } = await org.owner.post(`/webhook-endpoints/${id}/redeliver`, range)
    expect(errors?.fields).toEqual({ to: 'must not be before from' })
  })
})

describe('POST /webhook-endpoints/{id}/deliveries/{delivery_id}/redeliver', () => {
  it('202: sends it again at once, and 409 while it waits or the endpoint is paused', async () => {
    const { org, receiver, id } = await later(await scene())
    await happen(org)
    await send()
    const [{ id: delivery }] = await deliveriesOf({ org, id })
    const redeliver = () => org.owner.post(`/webhook-endpoints/${id}/deliveries/${delivery}/redeliver`)
    const both = await Promise.all([redeliver(), redeliver()])
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([202, 409])
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
    const { org, receiver, id } = await later(await scene())
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
