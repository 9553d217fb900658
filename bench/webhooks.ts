// Webhooks: a hundred waiting events for each of many endpoints, one of which hangs and one of which is down for a day. The
// sender and the receivers share this process, so that a service alone is faster.
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { compose, type Service } from '../src/commands/compose.ts'
import { MIGRATIONS } from '../src/commands/databases.ts'
import { createConsole } from '../src/commands/console.ts'
import { loadSecrets } from '../src/commands/secrets.ts'
import { migrate } from '../src/postgres/migrate.ts'
import type { Verdict } from './report.ts'
import type { Report, Run } from './run.ts'
import { benchConfig } from './settings.ts'
import { sharedLogin } from '../src/postgres/roles.ts'

const EVENTS_EACH = 100
const LIMIT_MS = 900_000
/** A day of six steps, in each of which what is due is tried. */
const STEPS_DOWN = 6
const STEP_MS = 4 * 3_600_000
/** As far as the targets of docs/architecture.md go, beside other work on two cores. */
const TARGET_PER_SECOND = 300
const quiet = { info: () => {}, warn: () => {}, error: () => {} }

type Webhooks = {
  endpoints: number
  deliveries: number
  madePerSecond: number
  sentPerSecond: number
  /** Of the endpoint that was down: events that came after it was up again, of all that it should have. */
  recovered: number
  unsent: number
}

export async function measureWebhooks(run: Run): Promise<Report> {
  const { url } = await run.postgres()
  const figures = await figuresOf(url, run.quick ? 200 : 1000, join(run.home, 'webhooks'))
  return { verdicts: verdictsOf(figures), lines: [lineOf(figures)], figures }
}

async function figuresOf(serverUrl: string, endpoints: number, dataDir: string): Promise<Webhooks> {
  const url = new URL(serverUrl)
  url.pathname = '/bench_webhooks'
  await withClient(serverUrl, (client) => client.query('create database bench_webhooks'))
  await migrate({ ownerUrl: url.href, directory: MIGRATIONS, log: quiet })
  const receiver = await receivers()
  const clock = { now: new Date() }
  const service = await serviceOn(url.href, dataDir, () => clock.now)
  try {
    return await withClient(url.href, async (client) => {
      await fill(client, endpoints, receiver.base)
      return measure(service, client, { clock, receiver, endpoints })
    })
  } finally {
    await service.close()
    receiver.close()
  }
}

type Scene = { clock: { now: Date }; receiver: Awaited<ReturnType<typeof receivers>>; endpoints: number }

async function measure({ deliverer }: Service, client: Client, scene: Scene): Promise<Webhooks> {
  const { clock, receiver, endpoints } = scene
  const deliveries = endpoints * EVENTS_EACH
  const wellOnes = (endpoints - 2) * EVENTS_EACH
  const count = async (condition: string) =>
    Number((await client.query(`select count(*) from webhook_deliveries where ${condition}`)).rows[0]?.count)
  const began = performance.now()
  deliverer.start()
  while ((await count('true')) < deliveries) await paused(began)
  const made = performance.now()
  while (receiver.well() < wellOnes) await paused(began)
  const sent = performance.now()
  const isRecovered = async () => (await count(`endpoint_id = 2 and state = 'delivered'`)) === EVENTS_EACH
  // The clock stands still while the sender works, because leases count by it.
  for (let step = 0; !(await isRecovered()); step++) {
    if (step === STEPS_DOWN) receiver.comeUp()
    clock.now = new Date(clock.now.getTime() + STEP_MS)
    await sleep(1500)
    await paused(began)
  }
  await deliverer.stop()
  return {
    endpoints,
    deliveries,
    madePerSecond: deliveries / ((made - began) / 1000),
    sentPerSecond: wellOnes / ((sent - began) / 1000),
    recovered: await count(`endpoint_id = 2 and state = 'delivered'`),
    unsent: await count(`endpoint_id > 2 and state <> 'delivered'`),
  }
}

async function paused(began: number): Promise<void> {
  if (performance.now() - began > LIMIT_MS) throw new Error('the deliveries took too long')
  await sleep(50)
}

/** /1 hangs, /2 is down, all others are well. */
async function receivers() {
  let well = 0
  let isUp = false
  const server: Server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      if (request.url === '/1') return
      if (request.url === '/2') return void response.writeHead(isUp ? 200 : 503).end()
      well++
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    base: `http://127.0.0.1:${address.port}`,
    well: () => well,
    comeUp: () => void (isUp = true),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function serviceOn(url: string, dataDir: string, clock: () => Date): Promise<Service> {
  const config = benchConfig({ url, dataDir })
  const secrets = await loadSecrets(config)
  const { log } = createConsole('silent')
  return compose({ config, secrets, logins: () => sharedLogin(url), hooks: {}, log, clock })
}

/** Organizations, owners, endpoints and events with the same ids; each endpoint is behind by all events. */
async function fill(client: Client, endpoints: number, base: string): Promise<void> {
  const all = `generate_series(1, ${endpoints}) i`
  const record = JSON.stringify({ id: 1, name: 'Organization', notes: 'x'.repeat(700) })
  await client.query(`set session_replication_role = replica`)
  for (const statement of [
    `insert into users (id, email, name, login, status) select i, 'owner-' || i || '@example.com', 'Owner', 'owner-' || i, 'ACTIVE' from ${all}`,
    `insert into organizations (id, name, owner_id) select i, 'Organization ' || i, i from ${all}`,
    `insert into event_sequences (organization_id, last_sequence) select i, ${EVENTS_EACH} from ${all}`,
    `insert into collaborators (organization_id, user_id, email, role, invite_status)
     select i, i, 'owner-' || i || '@example.com', 'owner', 'accepted' from ${all}`,
    `insert into webhook_endpoints (id, organization_id, user_id, url, events, secret_nonce)
     select i, i, i, '${base}/' || i, '{*}', 'nonce-' || i from ${all}`,
    `insert into webhook_queues (endpoint_id, organization_id, cursor, claimed_at) select i, i, 0, now() from ${all}`,
    `insert into events (organization_id, sequence, type, resource, resource_id, data, at)
     select i, n, 'titular/organization/updated', 'organization', i, '${record}', now()
       from generate_series(1, ${EVENTS_EACH}) n, ${all}`,
    'analyze',
  ])
    await client.query(statement)
}

async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const lineOf = ({ endpoints, deliveries, madePerSecond, sentPerSecond }: Webhooks): string =>
  `Webhooks: ${endpoints} endpoints, ${deliveries} deliveries, made at ${madePerSecond.toFixed(0)}/s, made and sent at ${sentPerSecond.toFixed(0)}/s, one endpoint hanging, one down.`

const verdictsOf = ({ sentPerSecond, recovered, unsent }: Webhooks): Verdict[] => [
  {
    what: 'webhook deliveries a second, beside an endpoint that hangs',
    measured: `${sentPerSecond.toFixed(0)}/s`,
    target: `≥ ${TARGET_PER_SECOND}/s`,
    isMet: sentPerSecond >= TARGET_PER_SECOND,
  },
  {
    what: 'webhook deliveries lost by an endpoint that was down for a day, and by the others',
    measured: `${EVENTS_EACH - recovered + unsent}`,
    target: '0',
    isMet: recovered === EVENTS_EACH && unsent === 0,
  },
]
