// A commit on a cluster takes place on a node and on the coordinator (docs/scaling.md): needs CITUS_URL.
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { until } from '#test/harness/until.ts'
import type { Organization } from '#test/harness/world.ts'
import { sentQuote } from '#test/scenes/commerce.ts'
import { tenantStatement } from '#kernel/access/access-check.ts'
import { writerLock } from './two-phases.ts'

const { isDistributed } = inject('postgres')
const CONTRACT = { title: 'Hosting', start_date: '2026-01-01', end_date: '2099-12-31' }

describe.skipIf(!isDistributed)('a change on a cluster', () => {
  let app: TestApp
  let acme: Organization
  let other: Organization
  beforeAll(async () => {
    app = await startApp()
    acme = await app.world.organization()
    other = await app.world.organization()
  })
  afterAll(() => app.close())

  /** Citus removes them once it has seen that the node has committed, too. */
  const prepared = () => app.database.query<{ gid: string }>('select gid from pg_dist_transaction')
  /** Those who have the advisory lock of the organization. */
  const locks = (id: number) =>
    app.database.query(
      `select 1 from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
          and classid = 0 and objid = $1 and objsubid = 1 and granted`,
      [id],
    )

  it('is prepared on the node before the coordinator commits it, also when it is the only one there', async () => {
    await until(async () => {
      const before = await prepared()
      expect((await acme.staff.post('/contracts', CONTRACT)).status).toBe(201)
      const known = new Set(before.map(({ gid }) => gid))
      return (await prepared()).some(({ gid }) => !known.has(gid))
    })
  })

  it('has the lock of its organization until the node has committed, too', async () => {
    await app.service.database.change('titular_app', [tenantStatement(acme.id, true), writerLock(acme.id)], async () =>
      expect(await locks(acme.id)).toHaveLength(1),
    )
    await until(async () => (await locks(acme.id)).length === 0)
  })

  it('cannot lock an organization that its caller may not see', async () => {
    await app.service.database.change(
      'titular_app',
      [tenantStatement(other.id, true), writerLock(acme.id)],
      async (_transaction, [, locked]) => {
        expect(locked).toEqual([])
        expect(await locks(acme.id)).toEqual([])
      },
    )
  })

  /** Of what is due. */
  const enqueued = () =>
    app.database.query<{ id: number; organization_id: number }>(
      'select id, organization_id, attempts from jobs where organization_id = any($1) and run_at <= $2 order by id',
      [[acme.id, other.id], app.clock.now],
    )

  it('is complete before a job that it has enqueued is claimed; jobs of others are claimed meanwhile', async () => {
    for (const one of [acme, other]) expect((await one.staff.post('/contracts', CONTRACT)).status).toBe(201)
    const committing = new Client({ connectionString: app.database.url })
    await committing.connect()
    await committing.query('begin')
    await committing.query('select pg_advisory_xact_lock_shared(-$1::bigint)', [acme.id])
    const before = await enqueued()
    const ofAcme = before.filter((job) => job.organization_id === acme.id)
    expect([ofAcme.length, before.length - ofAcme.length].map((count) => count > 0)).toEqual([true, true])
    await app.service.worker.drain()
    expect(await enqueued()).toEqual(ofAcme)
    await committing.query('commit')
    await committing.end()
    await app.service.worker.drain()
    expect(await enqueued()).toEqual([])
  })

  it('has its tenant told to the nodes before a statement that reads them together with the coordinator', async () => {
    await sentQuote(acme)
    expect((await acme.owner.get('/events')).data.events.length).toBeGreaterThan(0)
  })
})
