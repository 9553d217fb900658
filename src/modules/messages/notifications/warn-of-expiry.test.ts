import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { entitlement, license } from '#test/scenes/licenses.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

let app: TestApp
let acme: Organization

beforeAll(async () => {
  app = await startApp()
  acme = await app.world.organization()
  await app.service.worker.start()
  await app.service.worker.drain()
  // The sweep of sessions would end the sessions of this test.
  await app.database.query(`delete from jobs where every_seconds is not null and kind !~ '^(entitlements|licenses)/'`)
})
afterAll(() => app.close())

const DAY = 86_400
let passed = 0
/** A time so many seconds after the worker's. The app's clock stays behind, or every token would expire. */
const after = (seconds: number): Date => new Date(app.clock.now.getTime() + (passed + seconds) * 1000)
const inDays = (days: number): string => after(days * DAY).toISOString()

/** Runs every job once more, after so many seconds. */
async function advance(seconds: number): Promise<void> {
  passed += seconds
  const now = app.clock.now
  app.clock.now = after(0)
  // As after the crash of a worker: periodic jobs are due at once.
  await app.database.query(
    `update jobs set run_at = $1, lease = null, leased_until = null where every_seconds is not null`,
    [app.clock.now],
  )
  await app.service.worker.drain()
  app.clock.now = now
}

const warned = async (resource: string, id: number): Promise<number[]> =>
  (
    await app.database.query<{ days: number }>(
      `select (data ->> 'expiry_warned_days')::int as days from events where type = $1 and resource_id = $2 order by id`,
      [`titular/${resource}/expiring`, id],
    )
  ).map(({ days }) => days)

async function mailsTo({ email }: Speaker): Promise<string[]> {
  const mails = (await app.service.sandbox?.mail?.list()) ?? []
  return mails.filter(({ to }) => to === email).map(({ subject }) => subject)
}

describe('expiry warnings', () => {
  it('come 30, 7 and 1 days before, as an event and a mail to each member with the scope, once each', async () => {
    const org = await app.world.organization()
    const [licensed, entitled, neither] = [
      await org.member({ scopes: ['licenses'] }),
      await org.member({ scopes: ['entitlements'] }),
      await org.member({ scopes: ['quotes'] }),
    ]
    const { id, entitlement_id } = await license(org, {}, { product_name: 'Vault', expires_at: inDays(40) })
    for (const [days, expected] of [
      [0, []],
      [9, []],
      [1, [30]],
      [1, [30]],
      [22, [30, 7]],
      [6, [30, 7, 1]],
      [0.5, [30, 7, 1]],
      [1, [30, 7, 1]],
    ] as const) {
      await advance(days * DAY)
      await advance(0)
      await advance(120)
      expect(await warned('license', id), `${days} days on`).toEqual(expected)
      expect(await warned('entitlement', entitlement_id), `${days} days on`).toEqual(expected)
    }
    const aboutEntitlement = ['Vault expires in 1 day', 'Vault expires in 30 days', 'Vault expires in 7 days']
    const aboutLicense = aboutEntitlement.map((subject) => `License for ${subject}`)
    expect((await mailsTo(entitled)).toSorted()).toEqual(aboutEntitlement)
    expect((await mailsTo(licensed)).toSorted()).toEqual([...aboutLicense, ...aboutEntitlement].toSorted())
    expect((await mailsTo(org.owner)).length).toBe(6)
    expect(await mailsTo(neither)).toEqual([])
    expect((await licensed.get(`/licenses/${id}`)).data.status).toBe('expired')
  })
  it('are sent only for the smallest due number of days when the job has missed others', async () => {
    const { id } = await entitlement(acme, { expires_at: inDays(6) })
    await advance(0)
    expect(await warned('entitlement', id)).toEqual([7])
    const past = await entitlement(acme, { expires_at: inDays(0.001) })
    await advance(DAY)
    expect(await warned('entitlement', past.id)).toEqual([])
  })
  it('are sent again for a new end', async () => {
    const { id } = await entitlement(acme, { expires_at: inDays(5) })
    await advance(0)
    await acme.staff.patch(`/entitlements/${id}`, { expires_at: inDays(20) })
    await advance(0)
    expect(await warned('entitlement', id)).toEqual([7, 30])
    await acme.staff.patch(`/entitlements/${id}`, { expires_at: null })
    await advance(0)
    expect(await warned('entitlement', id)).toEqual([7, 30])
  })
  it('are sent once for an end with microseconds', async () => {
    const { id } = await entitlement(acme, { expires_at: inDays(5).replace('Z', '987Z') })
    for (let count = 0; count < 3; count++) await advance(61)
    expect(await warned('entitlement', id)).toEqual([7])
  })
  it('are not sent for what is cancelled', async () => {
    const org = await app.world.organization()
    const { id } = await entitlement(org, { expires_at: inDays(5) })
    await org.staff.post(`/entitlements/${id}/cancel`)
    await advance(0)
    expect(await warned('entitlement', id)).toEqual([])
    expect(await mailsTo(org.owner)).toEqual([])
  })
  it('are not sent for what waits for its next payment, but once it does so no more', async () => {
    const expires_at = inDays(20)
    const { id, entitlement_id } = await license(acme, {}, { expires_at })
    const waits = async (renews: boolean) => {
      for (const table of ['entitlements', 'licenses'])
        await app.database.query(`update ${table} set renews = $1 where id = any($2)`, [renews, [id, entitlement_id]])
    }
    await waits(true)
    await advance(60)
    expect([await warned('entitlement', entitlement_id), await warned('license', id)]).toEqual([[], []])
    await waits(false)
    await advance(60)
    expect([await warned('entitlement', entitlement_id), await warned('license', id)]).toEqual([[30], [30]])
  })
  it('are sent on the days of the setting, and never without any', async () => {
    for (const [EXPIRY_WARNING_DAYS, expected] of [
      ['3,14', [14, 3]],
      ['none', []],
    ] as const) {
      const other = await startApp({ environment: { EXPIRY_WARNING_DAYS } })
      try {
        const org = await other.world.organization()
        const expires_at = new Date(other.clock.now.getTime() + 10 * DAY * 1000).toISOString()
        const { id } = await entitlement(org, { expires_at })
        await other.service.worker.start()
        await other.service.worker.drain()
        other.clock.advance(8 * DAY)
        await other.service.worker.drain()
        const found = await other.database.query<{ days: number }>(
          `select (data ->> 'expiry_warned_days')::int as days from events where type = 'titular/entitlement/expiring' and resource_id = $1 order by id`,
          [id],
        )
        expect(found.map(({ days }) => days)).toEqual(expected)
      } finally {
        await other.close()
      }
    }
  })
  it('are sent once when the job runs several times at once', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => entitlement(acme, { expires_at: inDays(5) })))
    // As if the lease of the first had expired each time.
    await app.database.query(`drop index jobs_periodic`)
    await app.database.query(
      `insert into jobs (kind, every_seconds, run_at) select 'entitlements/warn', 60, now() from generate_series(1, 5)`,
    )
    await advance(0)
    await app.database.query(`delete from jobs where kind = 'entitlements/warn'`)
    for (const { id } of made) expect(await warned('entitlement', id)).toEqual([7])
  })
})
