// The sender among others: endpoints that hang, several processes, a crash, the end of a process.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { httpWebhooks } from '../../../adapters/http-webhooks/http-webhooks.ts'
import { catalogue } from '../../../modules.ts'
import { prepare, sql, type Statement } from '#kernel/values/sql.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { until } from '#test/harness/until.ts'
import { endpointAt, happen, websitesAt, webhookScenes } from '#test/scenes/webhooks.ts'
import { createDeliverer, type Deliverer } from './deliverer.ts'

const CONCURRENCY = 4

let app: TestApp
const { scene, close } = webhookScenes(() => app)
beforeAll(async () => {
  const webhookSender = httpWebhooks({ loopback: true, timeoutMs: 300 })
  app = await startApp({ environment: { WEBHOOKS_CONCURRENCY: String(CONCURRENCY) }, ports: { webhookSender } })
})
afterAll(close)

const scenes = (count: number) => Promise.all(Array.from({ length: count }, () => scene()))

/** Another process on the same database. */
function another(look: (statement: Statement) => void = () => {}): Deliverer {
  const { transactions, ports } = app.service
  return createDeliverer({
    read: (statement) => {
      look(statement)
      return transactions.read(null, statement)
    },
    sender: ports.webhookSender,
    secretKey: ports.secretKey,
    concurrency: CONCURRENCY,
    catalogue,
    hiddenScopes: sql`'{}'::text[]`,
    clock: () => app.clock.now,
    log: { info: () => {}, error: () => {} },
  })
}

describe('an endpoint that hangs', () => {
  it('holds up no other, even where more hang than there are places', async () => {
    const hanging = await scenes(6)
    const well = await scene()
    for (const { org, receiver } of hanging) {
      receiver.answer(() => 'hang')
      await happen(org, 5)
    }
    const made = await happen(well.org, 40)
    const deliverer = another()
    deliverer.start()
    await until(
      () => well.receiver.received.length,
      (count) => count === 40,
    )
    await deliverer.stop()
    expect(websitesAt(well.receiver)).toEqual(made)
    for (const { receiver } of hanging) expect(receiver.mostAtOnce()).toBeLessThanOrEqual(2)
    const sent = hanging.map(({ receiver }) => receiver.received.length)
    expect(Math.max(...sent)).toBeLessThan(5)
  })
})

describe('an endpoint that hangs at the same host as others', () => {
  it('leaves them their connections', async () => {
    const { org, receiver } = await scene()
    const urls = Array.from({ length: 5 }, (_, index) => `${receiver.url}/${index}`)
    for (const url of urls) await endpointAt(org.owner, url, { events: ['organization.updated'] })
    const asked: string[] = []
    receiver.answer(({ path }) => {
      asked.push(path)
      return path === '/hook/0' || path === '/hook/1' || path === '/hook/2' ? 'hang' : { status: 200 }
    })
    await happen(org, 3)
    await another().drain()
    expect(asked.filter((path) => path === '/hook/4')).toHaveLength(3)
    expect(asked.filter((path) => path === '/hook/0')).toHaveLength(1)
  })
})

describe('several processes', () => {
  it('send every event once, and the first attempts of an endpoint in order', async () => {
    const hooks = await scenes(8)
    const made = await Promise.all(hooks.map(({ org }) => happen(org, 20)))
    const processes = [another(), another(), another()]
    await Promise.all(processes.map((one) => one.drain()))
    await app.service.deliverer.drain()
    expect(hooks.map(({ receiver }) => websitesAt(receiver))).toEqual(made)
  })
  it('give each organization its turn before the second endpoint of another', async () => {
    const [many, few] = [await scene(), await scene()]
    const order: number[] = []
    many.receiver.answer(() => (order.push(many.org.id), { status: 200 }))
    few.receiver.answer(() => (order.push(few.org.id), { status: 200 }))
    for (let more = 0; more < 5; more++)
      await many.org.owner.post('/webhook-endpoints', { url: many.receiver.url, events: ['organization.updated'] })
    await happen(many.org)
    await happen(few.org)
    await app.service.deliverer.drain()
    expect(order).toHaveLength(7)
    expect(order.indexOf(few.org.id)).toBeLessThan(CONCURRENCY)
  })
})

describe('a process that dies between sending and writing it down', () => {
  it('leaves it to another, which sends it again under the same id', async () => {
    const { org, receiver } = await scene()
    const made = await happen(org)
    const dying = another((statement) => {
      if (/update webhook_deliveries|set lease = null/.test(prepare(statement).text)) throw new Error('killed')
    })
    await dying.drain()
    expect(websitesAt(receiver)).toEqual(made)
    await app.service.deliverer.drain()
    expect(receiver.received).toHaveLength(1)
    app.clock.advance(61)
    await app.service.deliverer.drain()
    expect(websitesAt(receiver)).toEqual([...made, ...made])
    const [first, second] = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(second).toBe(first)
  })
})

describe('a process that ends', () => {
  it('waits for the request that runs, begins no other, and the rest is sent by the next one', async () => {
    const { org, receiver } = await scene()
    const made = await happen(org, 3)
    const ending = another()
    let stopped: Promise<void> | undefined
    receiver.answer(() => {
      stopped ??= ending.stop()
      return { status: 200 }
    })
    await ending.drain()
    await stopped
    expect(websitesAt(receiver)).toEqual(made.slice(0, 1))
    await app.service.deliverer.drain()
    expect(websitesAt(receiver)).toEqual(made)
  })
})
