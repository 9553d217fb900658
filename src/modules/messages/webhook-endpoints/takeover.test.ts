// An endpoint whose maker has other scopes than when its deliveries were made: nothing goes out beyond them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { until } from '#test/harness/until.ts'
import { sentQuote } from '#test/scenes/commerce.ts'
import { deliveriesOf, endpointOf, happen, type Hooked, hooked } from '#test/scenes/webhooks.ts'
import { type WebhookReceiver, webhookReceiver } from '#test/stand-ins/webhook-receiver.ts'

const EVENTS = ['quote.sent', 'organization.updated']

let app: TestApp
const open: WebhookReceiver[] = []
beforeAll(async () => void (app = await startApp()))
afterAll(async () => {
  await app.close()
  for (const receiver of open) await receiver.close()
})

const send = () => app.service.deliverer.drain()

/** An endpoint with a delivery of a quote and one of the organization, both answered with this status. */
async function scene(status: number): Promise<Hooked> {
  const made = await hooked(app, { events: EVENTS })
  open.push(made.receiver)
  made.receiver.answer(() => ({ status }))
  await sentQuote(made.org)
  await happen(made.org)
  await send()
  expect(made.receiver.types()).toEqual(EVENTS)
  return made
}

/** By an admin who may not see quotes. */
async function takeOver({ org, id }: Hooked) {
  const [admin, receiver] = [await org.member({ role: 'admin', scopes: ['organization'] }), await webhookReceiver()]
  open.push(receiver)
  const changed = await admin.patch(`/webhook-endpoints/${id}`, { url: receiver.url, events: ['organization.updated'] })
  expect(changed.status).toBe(200)
  return { admin, receiver }
}

describe('an endpoint that somebody with fewer scopes took over', () => {
  it('gets what waits there of their scopes only; the rest is given up', async () => {
    const made = await scene(500)
    const { receiver } = await takeOver(made)
    app.clock.advance(60)
    await send()
    expect(receiver.types()).toEqual(['organization.updated'])
    const [organization, quote] = await deliveriesOf(made)
    expect(organization).toMatchObject({ type: 'organization.updated', state: 'delivered' })
    expect(quote).toMatchObject({ type: 'quote.sent', state: 'failed', attempts_count: 1, next_attempt_at: null })
  })
  it('gets nothing beyond them by a redelivery: 409', async () => {
    const made = await scene(204)
    const { admin, receiver } = await takeOver(made)
    const [organization, quote] = await deliveriesOf(made)
    const again = ({ id }: { id: number }) => admin.post(`/webhook-endpoints/${made.id}/deliveries/${id}/redeliver`)
    expect(await again(quote)).toMatchObject({
      status: 409,
      message: 'Whoever set the endpoint up does not hold the scopes of quote.sent',
    })
    expect((await again(organization)).status).toBe(202)
    await send()
    expect(receiver.types()).toEqual(['organization.updated'])
  })
})

describe('an endpoint that gets another address while the old one is asked', () => {
  it.each([
    ['410', { status: 410 }],
    ['Retry-After', { status: 503, headers: { 'retry-after': '20000' } }],
  ])('is neither disabled nor held up by the answer %s', async (_, reply) => {
    const [{ org, receiver: old, id }, receiver] = [await hooked(app), await webhookReceiver()]
    open.push(old, receiver)
    const { promise, resolve } = Promise.withResolvers<typeof reply>()
    old.answer(() => promise)
    await happen(org, 2)
    const sent = send()
    await until(() => old.received.length === 1)
    expect((await org.owner.patch(`/webhook-endpoints/${id}`, { url: receiver.url })).status).toBe(200)
    resolve(reply)
    await sent
    await app.service.worker.drain()
    await happen(org)
    await send()
    expect(receiver.types().length).toBeGreaterThanOrEqual(2)
    expect((await org.owner.get(`/webhook-endpoints/${id}`)).data).toMatchObject({
      status: 'active',
      failing_since: null,
    })
  })
})

/** An endpoint whose last answer was 410. */
async function gone(): Promise<Hooked> {
  const made = await hooked(app)
  open.push(made.receiver)
  made.receiver.answer(() => ({ status: 410 }))
  await happen(made.org)
  await send()
  return made
}

describe('an endpoint that is to be disabled', () => {
  it('stays active when it gets another address before the job runs', async () => {
    const made = await gone()
    const receiver = await webhookReceiver()
    open.push(receiver)
    expect((await made.org.owner.patch(`/webhook-endpoints/${made.id}`, { url: receiver.url })).status).toBe(200)
    await app.service.worker.drain()
    expect(await endpointOf(made)).toMatchObject({ status: 'active', disabled_reason: null })
    await happen(made.org)
    await send()
    expect(receiver.types()).toContain('organization.updated')
  })
  it('stays active when somebody who is a member has taken it over before the job runs', async () => {
    const made = await scene(204)
    const admin = await made.org.member({ role: 'admin', scopes: ['organization', 'quotes'] })
    await app.database.query('update webhook_endpoints set user_id = $1 where id = $2', [admin.userId, made.id])
    await app.database.query('delete from collaborators where user_id = $1', [admin.userId])
    await happen(made.org)
    await send()
    await takeOver(made)
    await app.service.worker.drain()
    expect(await endpointOf(made)).toMatchObject({ status: 'active', disabled_reason: null })
  })
  it('is disabled when nothing has changed', async () => {
    const made = await gone()
    await app.service.worker.drain()
    expect(await endpointOf(made)).toMatchObject({ status: 'disabled', disabled_reason: 'gone' })
  })
})

describe('an endpoint that waits for a further attempt', () => {
  it('gets none of a scope that its maker has lost', async () => {
    const { org, receiver, id } = await scene(500)
    const change = 'update webhook_endpoints set user_id = $1 where id = $2'
    const admin = await org.member({ role: 'admin', scopes: ['organization'] })
    await app.database.query(change, [admin.userId, id])
    app.clock.advance(60)
    await send()
    expect(receiver.types()).toEqual([...EVENTS, 'organization.updated'])
  })
  it('gets none, nor anything new, of a guest, who may read nothing', async () => {
    const { org, receiver, id } = await scene(500)
    const admin = await org.member({ role: 'admin', scopes: ['organization', 'quotes'] })
    await app.database.query('update webhook_endpoints set user_id = $1 where id = $2', [admin.userId, id])
    await app.database.query(`update collaborators set role = 'guest' where user_id = $1`, [admin.userId])
    app.clock.advance(60)
    await happen(org)
    await send()
    expect(receiver.types()).toEqual(EVENTS)
    expect((await deliveriesOf({ org, id })).map(({ state }: { state: string }) => state)).toEqual(['failed', 'failed'])
  })
  it('gets none after its maker has left, and is disabled', async () => {
    const { org, receiver, id } = await scene(500)
    const admin = await org.member({ role: 'admin', scopes: ['organization', 'quotes'] })
    await app.database.query('update webhook_endpoints set user_id = $1 where id = $2', [admin.userId, id])
    await app.database.query('delete from collaborators where user_id = $1', [admin.userId])
    app.clock.advance(60)
    await send()
    await app.service.worker.drain()
    expect(receiver.types()).toEqual(EVENTS)
    expect((await org.owner.get(`/webhook-endpoints/${id}`)).data).toMatchObject({
      status: 'disabled',
      disabled_reason: 'not_a_member',
    })
  })
})
