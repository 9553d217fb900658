// Two processes on one database: what they count, keep in memory and work on (docs/operations.md).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAsSystem } from '#kernel/jobs/claim.ts'
import { sql } from '#kernel/values/sql.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { mailboxOf } from '#test/harness/mailed-links.ts'
import { until } from '#test/harness/until.ts'
import type { Answer, Speaker } from '#test/harness/world.ts'
import { buyerOf, draftQuote, sentQuote } from '#test/scenes/commerce.ts'
import { copyRow } from '#test/scenes/many-rows.ts'
import { happen, hooked, websitesAt } from '#test/scenes/webhooks.ts'

let here: TestApp
let there: TestApp
beforeAll(async () => {
  here = await startApp()
  there = await startApp({ beside: here })
})
afterAll(async () => {
  await there.close()
  await here.close()
})

/** The same caller at one of the processes. */
const at = (app: TestApp, { headers, ...who }: Speaker): Speaker => app.world.speaker(headers, who)
const left = ({ headers }: Answer): number => Number(/r=(\d+)/.exec(String(headers['ratelimit']))?.[1])
const many = (count: number, ask: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, index) => ask(index)))
const answered = (answers: readonly Answer[]) => answers.filter(({ status }) => status !== 429).length
const drain = () => Promise.all([here, there].map(({ service }) => service.worker.drain()))

describe('limits', () => {
  let one: TestApp
  let other: TestApp
  beforeAll(async () => {
    const environment = { LIMIT_REQUESTS: '100/60', LIMIT_CREDENTIALS: '20/60' }
    one = await startApp({ environment })
    other = await startApp({ beside: one, environment })
  })
  afterAll(async () => {
    await other.close()
    await one.close()
  })
  it('hold over all processes: together they answer the limit, and a twentieth for each further one', async () => {
    const caller = await one.world.user()
    const answers = await many(300, (index) => at(index % 2 === 0 ? one : other, caller).get('/auth/me'))
    expect(answered(answers)).toBeGreaterThanOrEqual(100)
    expect(answered(answers)).toBeLessThanOrEqual(105)
    const refused = answers.find(({ status }) => status === 429)
    const retryAfter = Number(refused?.headers['retry-after'])
    expect(retryAfter).toBeGreaterThan(0)
    expect(retryAfter).toBeLessThanOrEqual(60)
    expect(refused?.headers).toMatchObject({
      ratelimit: `"requests";r=0;t=${retryAfter}`,
      'ratelimit-policy': '"requests";q=100;w=60',
    })
  })

  it('let a caller have the whole limit at one process', async () => {
    const caller = await one.world.user()
    expect(answered(await many(150, () => caller.get('/auth/me')))).toBe(100)
  })

  it('say at each process what is left at all', async () => {
    const caller = await one.world.user()
    await many(60, () => at(one, caller).get('/auth/me'))
    const remaining = await until(
      async () => left(await at(other, caller).get('/auth/me')),
      (count) => count < 60,
    )
    // What one process has not reported yet is a twentieth at most.
    expect(remaining).toBeLessThan(45)
  })

  it('of guesses are exact', async () => {
    const email = 'nobody@example.com'
    const answers = await many(60, (index) =>
      (index % 2 === 0 ? one : other).world.anonymous.post('/auth/login', { email, password: 'wrong' }),
    )
    expect(answered(answers)).toBe(20)
  })
})

describe('what a process keeps in memory', () => {
  it('is no session: one that ends at one process has ended at the other', async () => {
    const caller = await here.world.user()
    for (const app of [here, there]) expect((await at(app, caller).get('/auth/me')).status).toBe(200)
    expect((await at(here, caller).post('/auth/logout')).status).toBe(200)
    for (const app of [there, here]) expect((await at(app, caller).get('/auth/me')).status).toBe(401)
  })

  it('is no membership, and no scope', async () => {
    const acme = await here.world.organization()
    const member = await acme.member({ scopes: ['quotes'] })
    const asked = () => at(there, member).get('/quotes')
    expect((await asked()).status).toBe(200)
    const { data } = await acme.owner.get(`/organizations/${acme.id}/collaborators`)
    const { id } = data.find((one: { email: string }) => one.email === member.email)
    const path = `/organizations/${acme.id}/collaborators/${id}`
    expect((await acme.owner.put(path, { can_manage_quotes: false, can_manage_licenses: true })).status).toBe(200)
    expect((await asked()).status).toBe(403)
    expect((await acme.owner.put(path, { can_manage_quotes: true })).status).toBe(200)
    expect((await asked()).status).toBe(200)
    expect((await acme.owner.delete(path)).status).toBe(200)
    expect((await asked()).status).toBe(403)
  })

  it('is no total of a long list that has changed elsewhere', async () => {
    const acme = await here.world.organization()
    const { id } = await draftQuote(acme)
    await copyRow(here.database, { table: 'quotes', id, count: 5_000 })
    const totals = async () => {
      const answers = [here, there, here, there].map((app) => at(app, acme.staff).get('/quotes'))
      return new Set((await Promise.all(answers)).map(({ meta }) => meta?.total))
    }
    await totals()
    expect(await totals()).toEqual(new Set([5_001]))
    await draftQuote({ ...acme, staff: at(there, acme.staff) })
    expect(await totals()).toEqual(new Set([5_002]))
  })

  it('is no catalogue', async () => {
    const acme = await here.world.organization()
    const product = { sku: 'TWO', name: 'Of two', entitlement_class: 'PLG' }
    const made = await at(here, acme.staff).post('/admin/products', product)
    expect(made.status, made.raw.body).toBe(201)
    const shown = async () => (await at(there, acme.staff).get(`/admin/products/${made.data.id}`)).data.name
    expect(await shown()).toBe('Of two')
    await at(here, acme.staff).patch(`/admin/products/${made.data.id}`, { name: 'Of both' })
    expect(await shown()).toBe('Of both')
  })
})

describe('workers of two processes', () => {
  it('have one row for each periodic job, and run it once', async () => {
    await Promise.all([here.service.worker.start(), there.service.worker.start()])
    await Promise.all([here.service.worker.stop(), there.service.worker.stop()])
    await drain()
    const doubled = await here.database.query(
      `select kind from jobs where every_seconds is not null group by kind having count(*) > 1`,
    )
    expect(doubled).toEqual([])
    here.clock.advance(3600)
    await drain()
    const [due] = await readAsSystem(
      there.service.database,
      sql<{
        count: number
      }>`select count(*)::int as count from jobs where every_seconds is not null and run_at <= ${here.clock.now}`,
    )
    expect(due?.count).toBe(0)
  })

  it('do what is due once: a reminder has one mail, an expired quote one event', async () => {
    const acme = await here.world.organization()
    const buyer = await buyerOf(acme)
    const valid_until = new Date(here.clock.now.getTime() + 86_400_000).toISOString().slice(0, 10)
    const id = await sentQuote(acme, { valid_until })
    await drain()
    here.clock.advance(3 * 86_400)
    await drain()
    const events = await here.database.query(
      `select type from events where organization_id = $1 and type like '%expired'`,
      [acme.id],
    )
    expect(events).toHaveLength(1)
    expect(await here.database.query('select status from quotes where id = $1', [id])).toEqual([{ status: 'expired' }])
    const subjects = (await mailboxOf(here).of(buyer.email)).map(({ subject }) => subject)
    expect(new Set(subjects).size).toBe(subjects.length)
  })

  it('number the events of an organization without a gap, whoever writes them', async () => {
    const acme = await here.world.organization()
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        at(index % 2 === 0 ? here : there, acme.owner).put(`/organizations/${acme.id}`, {
          website: `https://n${index}.example`,
        }),
      ),
    )
    const events = await here.database.query<{ sequence: number }>(
      'select sequence from events where organization_id = $1 order by sequence',
      [acme.id],
    )
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
    expect(events.length).toBeGreaterThanOrEqual(30)
  })

  it('send each webhook once, in order', async () => {
    const made = await hooked(here)
    try {
      const websites = await happen(made.org, 20)
      await Promise.all([here, there, here, there].map(({ service }) => service.deliverer.drain()))
      await until(
        async () => {
          await Promise.all([here, there].map(({ service }) => service.deliverer.drain()))
          return websitesAt(made.receiver).length
        },
        (count) => count >= 20,
      )
      expect(websitesAt(made.receiver)).toEqual(websites)
    } finally {
      await made.receiver.close()
    }
  })
})
