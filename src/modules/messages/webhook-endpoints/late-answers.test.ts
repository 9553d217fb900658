// An answer that comes after something was decided about its endpoint: the decision stays.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { until } from '#test/harness/until.ts'
import { deliveriesOf, endpointOf, happen, type Hooked, webhookScenes } from '#test/scenes/webhooks.ts'

let app: TestApp
const scenes = webhookScenes(() => app)
beforeAll(async () => void (app = await startApp()))
afterAll(() => scenes.close())

type Reply = { status: number; headers?: Record<string, string> }
const REPLIES: [string, Reply][] = [
  ['200', { status: 200 }],
  ['410', { status: 410 }],
  ['500', { status: 500 }],
  ['503 with Retry-After', { status: 503, headers: { 'retry-after': '20000' } }],
]

/** The receiver is asked, `decide` happens, then it answers. */
async function answerAfter(made: Hooked, reply: Reply, decide: () => Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<Reply>()
  made.receiver.answer(() => promise)
  await happen(made.org)
  const sent = scenes.send()
  await until(() => made.receiver.received.length === 1)
  await decide()
  resolve(reply)
  await sent
  await app.service.worker.drain()
}

const change =
  ({ org, id }: Hooked, body: object) =>
  async () =>
    expect((await org.owner.patch(`/webhook-endpoints/${id}`, body)).status).toBe(200)

/** As the sender itself does after five days of failures. */
const disable = (made: Hooked) => async () => {
  await app.database.query('update webhook_queues set failures = 9, failing_since = $2 where endpoint_id = $1', [
    made.id,
    app.clock.now,
  ])
  await app.database.query(
    `insert into jobs (kind, key, payload, run_at)
     values ('webhook-endpoints/disable', $1, jsonb_build_object('endpoint_id', $2::bigint, 'reason', 'failing'), $3)`,
    [`webhook-endpoints/disable:${made.id}`, made.id, app.clock.now],
  )
  await app.service.worker.drain()
  expect(await endpointOf(made)).toMatchObject({ status: 'disabled', disabled_reason: 'failing' })
}

describe.each(REPLIES)('an answer %s that comes late', (_, reply) => {
  it('leaves an endpoint disabled that was disabled meanwhile, and its delivery given up', async () => {
    const made = await scenes.scene()
    await answerAfter(made, reply, disable(made))
    expect(await endpointOf(made)).toMatchObject({ status: 'disabled', disabled_reason: 'failing' })
    expect(await deliveriesOf(made)).toMatchObject([{ state: 'failed', next_attempt_at: null }])
    app.clock.advance(80_000)
    await scenes.send()
    expect(made.receiver.received).toHaveLength(1)
  })
  it('neither disables nor holds up an endpoint that was disabled and resumed meanwhile', async () => {
    const made = await scenes.scene()
    await answerAfter(made, reply, async () => {
      await disable(made)()
      await change(made, { status: 'active' })()
    })
    expect(await endpointOf(made)).toMatchObject({ status: 'active', failing_since: null })
    made.receiver.answer(() => ({ status: 204 }))
    const [website] = await happen(made.org)
    await scenes.send()
    expect(made.receiver.received.at(-1)?.data['website']).toBe(website)
  })
  it('brings nothing of an endpoint back that was deleted meanwhile', async () => {
    const made = await scenes.scene()
    await answerAfter(made, reply, async () => {
      expect((await made.org.owner.delete(`/webhook-endpoints/${made.id}`)).status).toBe(200)
      await app.service.worker.drain()
    })
    app.clock.advance(80_000)
    await scenes.send()
    expect(made.receiver.received).toHaveLength(1)
    const [delivery] = await app.database.query<{ state: string }>(
      'select state from webhook_deliveries where endpoint_id = $1',
      [made.id],
    )
    expect(delivery).toEqual({ state: 'failed' })
    expect((await made.org.owner.get(`/webhook-endpoints/${made.id}`)).status).toBe(404)
  })
})

describe('an answer that comes while its endpoint is paused', () => {
  it.each([
    ['counts when it says that it has the event', { status: 200 }, 'paused', 'delivered'],
    ['counts when it wants no more', { status: 410 }, 'disabled', 'failed'],
  ])('%s', async (_, reply, status, state) => {
    const made = await scenes.scene()
    await answerAfter(made, reply, change(made, { status: 'paused' }))
    expect(await endpointOf(made)).toMatchObject({ status })
    expect(await deliveriesOf(made)).toMatchObject([{ state }])
  })
})
