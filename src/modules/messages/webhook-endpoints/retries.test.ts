// What fails: the retry plan, pauses that an endpoint asks for, disabling, and sending again by hand.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import type { Organization } from '#test/harness/world.ts'
import { deliveriesOf, endpointOf, happen, type Hooked, websitesAt, webhookScenes } from '#test/scenes/webhooks.ts'
import { RETRY_PLAN } from './retry-plan.ts'

const DAY = 86_400

let app: TestApp
const { scene, send, close } = webhookScenes(() => app)
beforeAll(async () => void (app = await startApp()))
afterAll(close)
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
    expect(mail?.text).toContain(receiver.url.replace('http://', ''))
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
