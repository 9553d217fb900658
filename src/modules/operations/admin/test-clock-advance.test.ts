// Time that passes for an organization with a test clock: what fails in between, money, keys, and what stays in real time.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isDeep } from '#test/harness/seeds.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Organization } from '#test/harness/world.ts'
import { sentQuote } from '#test/scenes/commerce.ts'
import { entitlement, license } from '#test/scenes/licenses.ts'
import { advance, begin, chronicle, clocked, clockPath } from '#test/scenes/test-clock.ts'

const JANUARY = '2027-01-31T12:00:00.000Z'

let app: TestApp
let isBroken = false
const called: string[] = []

beforeAll(async () => {
  app = await startApp({
    hooks: {
      'titular/entitlement/expired': async ({ at, resourceId }) => {
        if (isBroken) throw new Error('not today')
        called.push(`${at} ${resourceId}`)
      },
    },
  })
})
afterAll(() => app.close())

const clockOf = async (acme: Organization) => (await acme.staff.get(clockPath(acme))).data

describe('an advance', () => {
  it('stops at a job that fails three times, says so, and goes on from there', async () => {
    const acme = await clocked(app, JANUARY)
    for (const month of ['03', '04']) await entitlement(acme, { expires_at: `2027-${month}-01T00:00:00Z` })
    isBroken = true
    await begin(acme, '2027-05-01T00:00:00Z')
    for (let tries = 1; tries < 3; tries++) {
      await app.service.worker.drain()
      expect(await clockOf(acme)).toMatchObject({ status: 'advancing', now: '2027-03-01T00:00:00.000Z', error: null })
      app.clock.advance(60)
    }
    await app.service.worker.drain()
    expect(await clockOf(acme)).toMatchObject({
      status: 'failed',
      now: '2027-03-01T00:00:00.000Z',
      advancing_to: null,
      error: 'the job hooks/call failed: Error: not today',
    })
    isBroken = false
    expect(await advance(app, acme, '2027-05-01T00:00:00Z')).toMatchObject({ status: 'ready', error: null })
    expect((await chronicle(app, acme)).filter((line) => line.includes('expired'))).toEqual([
      '2027-03-01T00:00:00.000Z entitlement/expired expired',
      '2027-04-01T00:00:00.000Z entitlement/expired expired',
    ])
  })
  it.runIf(isDeep)('settles a hundred rows of one moment, and their jobs, before it goes on', async () => {
    const acme = await clocked(app, JANUARY)
    const [last] = [await entitlement(acme, { expires_at: '2027-03-01T00:00:01Z' })]
    await app.database.query(
      `insert into entitlements (organization_id, code, class, product_name, company, expires_at)
       select $1, 'PLG-190001' || 1000 + n, 'PLG', 'Backup', 'entity_br', '2027-03-01T00:00:00Z' from generate_series(1, 100) n`,
      [acme.id],
    )
    called.length = 0
    await advance(app, acme, '2027-03-02T00:00:00Z')
    expect(called).toHaveLength(101)
    expect(new Set(called.slice(0, 100).map((line) => line.slice(0, 24)))).toEqual(
      new Set(['2027-03-01T00:00:00.000Z']),
    )
    expect(called[100]).toBe(`2027-03-01T00:00:01.000Z ${last.id}`)
  })
  it('is gone on with by another process after the one that ran it has died', async () => {
    const acme = await clocked(app, JANUARY)
    await entitlement(acme, { expires_at: '2027-03-01T00:00:00Z' })
    await begin(acme, '2027-05-01T00:00:00Z')
    // As a process leaves it that was killed after it had moved the time: the lease, and rows that are not settled yet.
    await app.database.query(
      `update event_sequences set test_clock = '2027-03-01T00:00:00Z' where organization_id = $1`,
      [acme.id],
    )
    await app.database.query(
      `update jobs set lease = gen_random_uuid(), attempts = 1, leased_until = $1 where kind = 'test-clocks/advance'`,
      [new Date(app.clock.now.getTime() + 60_000)],
    )
    await app.service.worker.drain()
    expect(await clockOf(acme)).toMatchObject({ status: 'advancing', now: '2027-03-01T00:00:00.000Z' })
    app.clock.advance(61)
    await app.service.worker.drain()
    expect(await clockOf(acme)).toMatchObject({ status: 'ready', now: '2027-05-01T00:00:00.000Z' })
    expect((await chronicle(app, acme)).at(-1)).toBe('2027-03-01T00:00:00.000Z entitlement/expired expired')
  })
  it('keeps the order of jobs with one key, and leaves those of others where they are', async () => {
    const [acme, other] = [await clocked(app, JANUARY), await clocked(app, JANUARY)]
    for (const at of [acme, other]) {
      const { id } = await entitlement(at)
      for (const month of ['03', '04', '05'])
        await app.database.query(
          `insert into jobs (organization_id, kind, key, payload, run_at, waits_for)
           values ($1::bigint, 'entitlements/nobody-knows', 'a key of ' || $1::bigint, jsonb_build_object('n', $2::int), 'infinity', $3)`,
          [at.id, id, `2027-${month}-01T00:00:00Z`],
        )
    }
    const waiting = async (at: Organization) =>
      (
        await app.database.query<{ count: number }>(
          'select count(*)::int as count from jobs where organization_id = $1 and waits_for is not null',
          [at.id],
        )
      )[0]?.count
    await advance(app, acme, '2027-04-15T00:00:00Z')
    expect([await waiting(acme), await waiting(other)]).toEqual([1, 3])
    await app.database.query(`delete from jobs where kind = 'entitlements/nobody-knows'`)
  })
})

describe('in an organization with a test clock', () => {
  it.each([
    ['2028-02-29T15:00:00.000Z', '2029-02-28T15:00:00.000Z'],
    // São Paulo had daylight saving time then: noon is an hour earlier in UTC, and a year later too.
    ['2017-12-31T14:00:00.000Z', '2018-12-31T14:00:00.000Z'],
    ['2018-02-17T14:00:00.000Z', '2019-02-17T15:00:00.000Z'],
  ])('what is sold for twelve months at %s ends at %s', async (sold, end) => {
    const acme = await clocked(app, sold)
    const valid_until = `${Number(sold.slice(0, 4)) + 1}-12-31`
    const quote = await sentQuote(acme, { valid_until })
    const accepted = await acme.owner.post(`/quotes/${quote}/accept`)
    expect(accepted.status, accepted.raw.body).toBe(200)
    const [invoice] = (await acme.owner.get('/invoices')).data
    expect(invoice).toMatchObject({ issue_date: sold.slice(0, 10), created_at: sold })
    expect((await acme.staff.post(`/invoices/${invoice.id}/pay`, { payment_method: 'offline' })).data.paid_at).toBe(
      sold,
    )
    await app.service.worker.drain()
    const [bought] = (await acme.owner.get('/entitlements')).data
    expect(bought).toMatchObject({ status: 'active', expires_at: end, created_at: sold })
    const before = new Date(Date.parse(end) - 1).toISOString()
    expect(await advance(app, acme, before)).toMatchObject({ status: 'ready' })
    const check = async () => (await acme.owner.get('/entitlements/check?class=PLG')).data
    expect(await check()).toMatchObject({ allowed: true })
    expect(await advance(app, acme, end)).toMatchObject({ status: 'ready' })
    expect(await check()).toMatchObject({ allowed: false })
  })
  it('mails have its time', async () => {
    const acme = await clocked(app, JANUARY)
    const member = await acme.member({ scopes: ['entitlements'] })
    await entitlement(acme, { expires_at: '2027-04-01T00:00:00Z' })
    await advance(app, acme, '2027-05-01T00:00:00Z')
    const mails = (await app.service.sandbox?.mail?.list()) ?? []
    const dates = mails.flatMap(({ to, date }) => (to === member.email ? [new Date(date ?? '').toISOString()] : []))
    expect(dates.toSorted()).toEqual([
      '2027-03-02T00:00:00.000Z',
      '2027-03-25T00:00:00.000Z',
      '2027-03-31T00:00:00.000Z',
    ])
  })
  it('sessions, members, keys and repeated requests go on; a license ends by the clock', async () => {
    const acme = await clocked(app, JANUARY)
    const member = await acme.member({ scopes: ['entitlements'] })
    const { license_key, id } = await license(acme, { expires_at: '2028-01-01T00:00:00Z' })
    await acme.staff.post(`/licenses/${id}/activate`, { domain: 'shop.example' })
    const valid = async () =>
      (await app.world.anonymous.post('/licenses/validate', { license_key, domain: 'shop.example' })).data.reason
    const body = { class: 'PLG', product_name: 'Once', company: 'entity_br', organization_id: acme.id }
    const once = () => acme.staff.post('/entitlements', body, { 'idempotency-key': 'the-same' })
    const first = await once()
    expect(await valid()).toBe('activated')
    await advance(app, acme, '2028-02-01T00:00:00Z')
    expect(await valid()).toBe('expired')
    expect((await once()).data.id).toBe(first.data.id)
    expect((await member.get('/entitlements')).status).toBe(200)
    const invited = await acme.owner.post(`/organizations/${acme.id}/collaborators`, {
      email: 'bia@acme.example',
      role: 'member',
    })
    expect(invited.data).toMatchObject({ status: 'invited' })
    const rule = await acme.staff.post(`/entitlements/${first.data.id}/suspend`, { at: '2028-01-31T00:00:00Z' })
    expect(rule.errors?.fields).toEqual({ at: 'must lie in the future' })
  })
})
