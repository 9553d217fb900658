// Another transaction holds the lock of an organization: its changes are answered with 503, and no others wait.
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

const app = await appOfFile({
  hasServedWaits: true,
  environment: { DATABASE_CHANGE_CONNECTIONS: '4', JOBS_CONCURRENCY: '1' },
})
const acme = await app.world.organization()
const other = await app.world.organization()

/** Takes the lock of the organization; the result releases it. */
async function lockHeld(organizationId: number): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: app.database.url })
  await client.connect()
  await client.query('begin')
  await client.query('select 1 from event_sequences where organization_id = $1 for update', [organizationId])
  return () => client.end()
}
const waiting = async (): Promise<number> => {
  const [row] = await app.database.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  )
  return row?.n ?? 0
}
const rename = (who: Speaker, { id }: Organization, key?: string) =>
  key === undefined
    ? who.put(`/organizations/${id}`, { notes: 'x' })
    : who.post(`/organizations/${id}/collaborators`, { email: `${key}@example.com` }, { 'idempotency-key': key })

describe('an organization whose lock is lockHeld', () => {
  it('503 with Retry-After for its changes, on few connections; 200 for its reads and for changes of others', async () => {
    const members = await Promise.all(
      Array.from({ length: 5 }, () => acme.member({ role: 'admin', scopes: ['organization'] })),
    )
    const release = await lockHeld(acme.id)
    const answers = [
      ...members.flatMap((who) => [rename(who, acme), rename(who, acme)]),
      ...members.map((who, index) => rename(who, acme, `key-${index}`)),
    ]
    while ((await waiting()) === 0);
    const elsewhere = await Promise.all(Array.from({ length: 5 }, () => rename(other.owner, other)))
    expect(elsewhere.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect((await acme.owner.get('/quotes')).status).toBe(200)
    expect(await waiting()).toBeLessThan(4)
    for (const { status, errors, headers } of await Promise.all(answers)) {
      expect(status).toBe(503)
      expect(errors?.code).toBe('SERVICE_UNAVAILABLE')
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    }
    await release()
    expect((await rename(acme.owner, acme)).status).toBe(200)
    expect((await rename(acme.owner, acme, 'key-0')).status).toBe(201)
  })
  it('409 at once for a repeat with the Idempotency-Key of a request that waits', async () => {
    const release = await lockHeld(acme.id)
    const first = rename(acme.owner, acme, 'same')
    while ((await waiting()) === 0);
    expect((await rename(acme.owner, acme, 'same')).status).toBe(409)
    await release()
    expect([201, 503]).toContain((await first).status)
  })
  it('503 for a change of an administrator under /admin', async () => {
    const administrator = await app.world.user({ roles: ['customer', 'administrator'] })
    const verify = () => administrator.post(`/admin/organizations/${acme.id}/verify`)
    const release = await lockHeld(acme.id)
    const { status, headers } = await verify()
    expect([status, headers['retry-after']]).toEqual([503, '2'])
    await release()
    expect((await verify()).status).toBe(200)
  })
  it('its jobs are retried without counting an attempt, and are no dead letters', async () => {
    const attempts = async () =>
      (
        await app.database.query<{ attempts: number; dead_at: unknown; last_error: string }>(
          `select attempts, dead_at, last_error from jobs where organization_id = $1 and kind = 'payments/open-checkout'`,
          [acme.id],
        )
      )[0]
    await app.database.query(
      `insert into jobs (organization_id, kind, payload, run_at, attempts) values ($1, 'payments/open-checkout', '{"invoice_id": 999999999}', $2, 9)`,
      [acme.id, app.clock.now],
    )
    const release = await lockHeld(acme.id)
    await app.service.worker.drain()
    expect(await attempts()).toMatchObject({
      attempts: 9,
      dead_at: null,
      last_error: expect.stringContaining('lock'),
    })
    await release()
  })
})
