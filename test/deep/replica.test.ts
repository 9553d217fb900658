// Reads from a streaming replica (docs/operations.md): what it answers, how old that may be, and who may see it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { type ReplicatedDatabase, replicatedDatabase } from '#test/harness/replicated.ts'
import { until } from '#test/harness/until.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'

/** The replica is one of the ordinary server that it starts. */
const { isDistributed } = inject('postgres')

let servers: ReplicatedDatabase
let dataDir: string
let app: TestApp
let acme: Organization

/** A process whose replica may be so far behind. */
const processWith = (seconds: number): Promise<TestApp> => {
  const now = new Date()
  const clock = app?.clock ?? { now, advance: () => {} }
  return startApp({
    beside: { database: servers.database, dataDir, clock },
    environment: { DATABASE_REPLICA_URL: servers.replicaUrl, REPLICA_MAX_LAG_SECONDS: String(seconds) },
  })
}
beforeAll(async () => {
  servers = await replicatedDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'titular-replica-'))
  // Only a replica that is away is not read from.
  app = await processWith(3600)
  acme = await app.world.organization({ name: 'Acme' })
})
afterEach(() => servers.resume().catch(() => {}))
afterAll(async () => {
  await app.close()
  await servers.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function metric(of: TestApp, name: string): Promise<number> {
  const line = (await of.service.metrics.text()).split('\n').find((one) => one.startsWith(`${name} `))
  return Number(line?.split(' ').at(-1))
}
const readsFrom = (name: 'replica' | 'primary', of = app) => metric(of, `titular_replica_reads{from="${name}"}`)
const isUp = async (of: TestApp) => (await metric(of, 'titular_replica_up')) === 1

async function bill(at: Organization, by = at.staff): Promise<number> {
  const line_items = [{ product_name: 'Hosting', quantity: 1, unit_price: '100.00' }]
  const body = { company: 'entity_br', currency: 'BRL', status: 'open', line_items }
  const { status, data, raw } = await by.post('/invoices', body)
  expect(status, raw.body).toBe(201)
  return data.id
}
const at = (of: TestApp, { headers, ...who }: Speaker): Speaker => of.world.speaker(headers, who)
const ofAll = async (by = acme.staff): Promise<number[]> => {
  const { status, data, raw } = await by.get('/admin/invoices?per_page=100')
  expect(status, raw.body).toBe(200)
  return data.map(({ id }: { id: number }) => id)
}
const invoicesIn = ({ data, raw }: Answer): number => {
  expect(raw.statusCode, raw.body).toBe(200)
  return data.rows[0].invoices
}
/** The replica has what the primary has, and is read from. */
async function caughtUp(of = app): Promise<void> {
  await at(of, acme.staff).get('/admin/invoices')
  await until(() => isUp(of))
  const id = await bill(acme)
  await until(
    () => ofAll(at(of, acme.staff)),
    (ids) => ids.includes(id),
  )
}
/** How many of the reads the replica answered. */
async function answered(read: () => Promise<unknown>, from: 'replica' | 'primary' = 'replica'): Promise<number> {
  const before = await readsFrom(from)
  await read()
  return (await readsFrom(from)) - before
}

describe.skipIf(isDistributed)('a replica that is within its bound', () => {
  it('answers lists over all organizations as it is, and leaves an organization’s own to the primary', async () => {
    await caughtUp()
    await servers.pause()
    const id = await bill(acme)
    expect(await answered(async () => expect(await ofAll()).not.toContain(id))).toBe(1)
    const own = async () => (await acme.staff.get('/invoices')).data.map((one: { id: number }) => one.id)
    expect(await answered(async () => expect(await own()).toContain(id))).toBe(0)
    await servers.resume()
    await until(
      () => ofAll(),
      (ids) => ids.includes(id),
    )
  })

  it('answers reports, those of one organization with its rows only', async () => {
    const other = await app.world.organization()
    await bill(other)
    await caughtUp()
    const member = await other.member({ scopes: ['finances'] })
    await caughtUp()
    const reports: Answer[] = []
    const read = async () =>
      void reports.push(await member.get('/reports/receivables'), await acme.staff.get('/admin/reports/receivables'))
    expect(await answered(read)).toBe(2)
    const [own, all] = reports.map(invoicesIn)
    expect(own).toBe(1)
    expect(all).toBeGreaterThan(1)
  })

  it('gives exports their rows', async () => {
    await caughtUp()
    await servers.pause()
    const before = await ofAll()
    await bill(acme)
    const { data } = await acme.staff.post('/admin/exports', { source: 'invoices', format: 'ndjson' })
    expect(await answered(() => app.service.worker.drain())).toBe(1)
    const { status, rows } = (await acme.staff.get(`/admin/exports/${data.id}`)).data
    expect([status, rows]).toEqual(['completed', before.length])
  })
})

describe.skipIf(isDistributed)('who may read, which the primary decides at once', () => {
  it('is nobody whose session has ended', async () => {
    const staff = await acme.staffAs('finance')
    await caughtUp()
    await servers.pause()
    expect(await answered(() => ofAll(staff))).toBe(1)
    expect((await staff.post('/auth/logout')).status).toBe(200)
    expect((await staff.get('/admin/invoices')).status).toBe(401)
  })

  it('is nobody whose roles were taken', async () => {
    const staff = await acme.staffAs('finance')
    await caughtUp()
    await servers.pause()
    expect(await answered(() => ofAll(staff))).toBe(1)
    await servers.database.query(`update users set roles = '{customer}' where id = $1`, [staff.userId])
    expect((await staff.get('/admin/invoices')).status).toBe(403)
  })

  it('is no member who has lost the scope', async () => {
    const member = await acme.member({ scopes: ['finances'] })
    await caughtUp()
    await servers.pause()
    const read = () => member.get('/reports/receivables')
    expect(await answered(read)).toBe(1)
    await servers.database.query('update collaborators set can_manage_finances = false where user_id = $1', [
      member.userId,
    ])
    expect((await read()).status).toBe(403)
  })

  it('is read from the primary when the replica knows another caller than the primary', async () => {
    const staff = await acme.staffAs('finance', 'support')
    await caughtUp()
    await servers.pause()
    const id = await bill(acme)
    expect(await ofAll(staff)).not.toContain(id)
    await servers.database.query(`update users set roles = '{customer,finance}' where id = $1`, [staff.userId])
    expect(await ofAll(staff)).toContain(id)
  })
})

describe.skipIf(isDistributed)('a replica that', () => {
  let strict: TestApp
  beforeAll(async () => void (strict = await processWith(2)))
  afterAll(() => strict.close())
  const logged = (message: string) => strict.log.filter((line) => line.includes(message)).length

  it('lags behind is not read from until it has caught up; that is in the log once, and in the metrics', async () => {
    const staff = at(strict, acme.staff)
    await caughtUp(strict)
    await servers.pause()
    const id = await bill(acme)
    await until(async () => !(await isUp(strict)))
    expect(await ofAll(staff)).toContain(id)
    await until(() => logged('the replica is not read from') === 1)
    expect(await metric(strict, 'titular_replica_lag_seconds')).toBeGreaterThan(2)
    await servers.resume()
    await until(() => isUp(strict))
    expect(logged('the replica is read from again')).toBe(1)
    const before = await readsFrom('replica', strict)
    await ofAll(staff)
    expect(await readsFrom('replica', strict)).toBe(before + 1)
  })

  it('is away costs nobody an answer, and is read from once it is back', async () => {
    const staff = at(strict, acme.staff)
    await caughtUp(strict)
    await servers.stopReplica()
    try {
      const id = await bill(acme)
      for (let round = 0; round < 5; round++) expect(await ofAll(staff)).toContain(id)
      await until(async () => !(await isUp(strict)))
      expect(await ofAll(staff)).toContain(id)
      const { data } = await staff.post('/admin/exports', { source: 'invoices', format: 'csv' })
      await strict.service.worker.drain()
      expect((await staff.get(`/admin/exports/${data.id}`)).data.status).toBe('completed')
    } finally {
      await servers.startReplica()
    }
    await until(() => isUp(strict))
  })
})

it.skipIf(isDistributed)('a database that is no replica is not read from', async () => {
  const alone = await startApp({
    beside: { database: servers.database, dataDir, clock: app.clock },
    environment: { DATABASE_REPLICA_URL: servers.database.url },
  })
  try {
    const id = await bill(acme)
    expect(await ofAll(at(alone, acme.staff))).toContain(id)
    await until(() => alone.log.some((line) => line.includes('DATABASE_REPLICA_URL names no replica')))
    expect(await isUp(alone)).toBe(false)
    expect(await readsFrom('replica', alone)).toBe(0)
  } finally {
    await alone.close()
  }
})
