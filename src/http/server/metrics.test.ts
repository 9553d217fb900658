// /metrics: the figures for alerts.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Registry } from '@prometheus-io/client'
import { afterAll, beforeAll, describe, expect, inject as provided, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { ROOT } from '#test/harness/golden.ts'
import { MailTemporaryFailure } from '../../ports/mail.ts'
import { jobMetrics } from '#http/metrics/job-metrics.ts'

const TOKEN = 'metrics-token-of-the-tests'
let app: TestApp
let isMailDown = false
beforeAll(async () => {
  const mail = {
    send: async () => {
      if (isMailDown) throw new MailTemporaryFailure('no')
    },
  }
  app = await startApp({ environment: { METRICS_TOKEN: TOKEN }, ports: { mail } })
})
afterAll(() => app.close())

const inject = (url: string, headers: Record<string, string> = {}) => app.service.app.inject({ url, headers })

async function figures(): Promise<string[]> {
  const answer = await inject('/metrics', { authorization: `Bearer ${TOKEN}` })
  expect(answer.statusCode).toBe(200)
  return answer.body.split('\n')
}

const seconds = (from: number): Date => new Date(app.clock.now.getTime() + from * 1000)

async function job(
  kind: string,
  { due = 0, leased = null, attempts = 0, dead = null, failing = null }: Partial<JobState>,
) {
  await app.database.query(
    'insert into jobs (kind, payload, run_at, leased_until, lease, attempts, dead_at, failing_since) values ($1, $2, $3, $4, $5, $6, $7, $8)',
    [kind, {}, seconds(due), leased, leased && '00000000-0000-4000-8000-000000000000', attempts, dead, failing],
  )
}
type JobState = { due: number; leased: Date | null; attempts: number; dead: Date | null; failing: Date | null }

describe('GET /metrics', () => {
  // First, because jobs are counted again only after five seconds.
  it('200 counts jobs by kind and state, unknown kinds together, and has the age of the oldest due one', async () => {
    await job('refunds/send', { due: -90 })
    await job('refunds/send', { due: -30 })
    await job('refunds/send', { due: 60 })
    await job('files/remove', { due: -10, leased: seconds(60), attempts: 1 })
    await job('notifications/mail', { due: 60, attempts: 3 })
    // A lock blocked it each time, which does not count as an attempt.
    await job('quotes/provision', { due: 60, failing: seconds(-600) })
    await job('tax-invoices/send', { due: -600, attempts: 12, dead: seconds(-500) })
    // A worker that died: its lease has ended, so the job is due again.
    await job('tickets/clock', { due: -20, leased: seconds(-1), attempts: 1 })
    // Of a version that was taken back: labels hold only words of ours.
    await job('nobody/knows-this', { due: -40 })
    await job('nobody/knows-that', { due: -70 })
    const lines = (await figures()).filter((line) => line.startsWith('titular_jobs'))
    expect(lines.filter((line) => !line.endsWith('} 0')).toSorted()).toEqual([
      'titular_jobs_oldest_due_seconds{kind="refunds/send"} 90',
      'titular_jobs_oldest_due_seconds{kind="tickets/clock"} 20',
      'titular_jobs_oldest_due_seconds{kind="unknown"} 70',
      'titular_jobs{kind="files/remove",state="running"} 1',
      'titular_jobs{kind="notifications/mail",state="failed"} 1',
      'titular_jobs{kind="quotes/provision",state="failed"} 1',
      'titular_jobs{kind="refunds/send",state="due"} 2',
      'titular_jobs{kind="tax-invoices/send",state="dead_letter"} 1',
      'titular_jobs{kind="tickets/clock",state="due"} 1',
      'titular_jobs{kind="tickets/clock",state="failed"} 1',
      'titular_jobs{kind="unknown",state="due"} 2',
    ])
    expect(lines.join('\n')).not.toContain('nobody')
  })

  it('404 without the token', async () => {
    expect((await inject('/metrics')).statusCode).toBe(404)
    expect((await inject('/metrics', { authorization: 'Bearer something-else-entirely' })).statusCode).toBe(404)
  })

  it('200 counts requests by route and by status', async () => {
    await inject('/api/v1/auth/me')
    await inject('/api/v1/auth/me', { authorization: `Bearer ${(await app.world.organization()).owner.token}` })
    await inject('/api/v1/orders&consumer_key=ck_of_nobody')
    const lines = await figures()
    const count = 'http_request_duration_seconds_count{method="GET",route="/api/v1/auth/me"'
    expect(lines).toContain(`${count},status_code="401"} 1`)
    expect(lines).toContain(`${count},status_code="200"} 1`)
    expect(lines.join('\n')).not.toMatch(/ck_of_nobody|consumer_key/)
  })
  it('200 counts what nothing answers together, and other methods of a path with it', async () => {
    for (const url of ['/api/v1/ordres', '/api/v1/odrers', '/wp-login.php', '/api/v1/auth/login'])
      await app.service.app.inject({ method: 'DELETE', url })
    const counted = (await figures()).filter((line) => line.includes('_count{method="DELETE"'))
    expect(counted.map((line) => line.replace(/^.*(route=.*)$/, '$1')).toSorted()).toEqual([
      'route="/api/v1/auth/login",status_code="405"} 1',
      'route="unknown",status_code="401"} 2',
      'route="unknown",status_code="404"} 1',
    ])
  })

  it('200 counts the connections of each pool', async () => {
    const lines = await figures()
    expect(lines).toContain('titular_database_up 1')
    expect(lines).toContain('titular_database_pool_size{pool="changes_app"} 10')
    // On a cluster, reads do not share connections.
    const reads = provided('postgres').isDistributed ? 16 : 2
    expect(lines).toContain(`titular_database_pool_size{pool="reads_app"} ${reads}`)
    expect(lines).toContain('titular_database_pool_waiting{pool="changes_app"} 0')
    for (const pool of ['reads_app', 'reads_system', 'changes_app', 'changes_system', 'limits'])
      expect(
        lines.some((line) => line.startsWith(`titular_database_pool_idle{pool="${pool}"}`)),
        pool,
      ).toBe(true)
    // The figures themselves are read over one of these connections.
    expect(lines).not.toContain('titular_database_pool_open{pool="reads_system"} 0')
  })

  it('200 counts what waits for a connection', async () => {
    const { database } = app.service
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    const changes = Array.from({ length: 13 }, () => database.change('titular_app', [], () => held))
    try {
      const lines = await figures()
      expect(lines).toContain('titular_database_pool_open{pool="changes_app"} 10')
      expect(lines).toContain('titular_database_pool_idle{pool="changes_app"} 0')
      expect(lines).toContain('titular_database_pool_waiting{pool="changes_app"} 3')
    } finally {
      letGo()
      await Promise.all(changes)
    }
  })

  it('200 counts outgoing calls by target and outcome', async () => {
    const message = { messageId: 'x', to: 'x@example.com', subject: 'x', text: 'x', html: 'x', date: app.clock.now }
    await app.service.ports.mail.send(message)
    isMailDown = true
    await expect(app.service.ports.mail.send(message)).rejects.toThrow(MailTemporaryFailure)
    const lines = await figures()
    const count = 'titular_outgoing_call_duration_seconds_count{target="mail",call="send"'
    expect(lines).toContain(`${count},outcome="ok"} 1`)
    expect(lines).toContain(`${count},outcome="error"} 1`)
  })

  it('200 has the version', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
    expect(await figures()).toContain(`titular_build_info{version="${version}",node="${process.version}"} 1`)
  })
})

describe('a database that stalls', () => {
  it('does not delay the figures, and gets one statement at a time', async () => {
    let asked = 0
    const registry = new Registry()
    const transactions = {
      read: () => {
        asked++
        return new Promise<never>(() => {})
      },
    }
    const update = jobMetrics({ registry, transactions, jobKinds: [], clock: () => new Date(), timeoutMs: 1 })
    await Promise.all([update(), update(), update()])
    await update()
    expect(asked).toBe(1)
    expect(await registry.metrics()).toContain('titular_database_up 0')
  })
})
