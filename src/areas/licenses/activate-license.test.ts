import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { license } from '#test/scenes/licenses.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'

let app: TestApp
let acme: Organization
let other: Organization
let member: Speaker

beforeAll(async () => {
  app = await startApp({ environment: { LIMIT_REQUESTS: '1000000/60' } })
  acme = await app.world.organization()
  other = await app.world.organization()
  member = await acme.member({ scopes: ['licenses'] })
})
afterAll(() => app.close())

const at = (id: number, rest = ''): string => `/licenses/${id}${rest}`
const activate = (id: number, domain: unknown) => patiently(() => member.post(at(id, '/activate'), { domain }))
const deactivate = (id: number, domain: unknown) => patiently(() => member.post(at(id, '/deactivate'), { domain }))

/** On a slow machine a request that waits too long in the tenant queue gets 503, and is repeated. */
async function patiently(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503) return answer
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  }
}
const statuses = (answers: { status: number }[]) =>
  Object.fromEntries(
    Map.groupBy(answers, ({ status }) => status)
      .entries()
      .map(([status, all]) => [status, all.length]),
  )

async function environment(values: object): Promise<void> {
  const hosting = await license(acme)
  const row = {
    organization_id: acme.id,
    name: 'Site',
    platform: 'custom',
    entitlement_id: hosting.entitlement_id,
    entitlement_code: hosting.entitlement_code,
    ...values,
  }
  await app.database.query(
    `insert into environments (${Object.keys(row).join(', ')}) values (${Object.keys(row)
      .map((_, index) => `$${index + 1}`)
      .join(', ')})`,
    Object.values(row),
  )
}

describe('POST /licenses/{id}/activate', () => {
  it('200 with the canonical domain and the count; 200 for the same domain again, counted once', async () => {
    const { id } = await license(acme)
    const expected = { license_id: id, domain: 'shop.acme.example', activations_count: 1, activations_limit: 5 }
    for (const domain of [
      'shop.acme.example',
      'https://WWW.Shop.ACME.example.:8443/cart?x=1',
      'SHOP.acme.example.',
      'www.shop.acme.example',
    ]) {
      const answer = await activate(id, domain)
      expect(answer.status).toBe(200)
      expect(answer.data).toEqual(expected)
    }
    expect((await member.get(at(id))).data).toMatchObject({
      activations_count: 1,
      activated_domains: ['shop.acme.example'],
    })
    expect((await member.get(at(id, '/history'))).meta?.total).toBe(2)
  })
  it('409 beyond the limit; a freed slot can be used again', async () => {
    const { id } = await license(acme, { activations_limit: 1 })
    expect((await activate(id, 'a.example')).status).toBe(200)
    expect((await activate(id, 'b.example')).status).toBe(409)
    expect((await deactivate(id, 'a.example')).data).toEqual({
      license_id: id,
      domain: 'a.example',
      activations_count: 0,
      activations_limit: 1,
    })
    expect((await activate(id, 'b.example')).status).toBe(200)
  })
  it('409 when the license is suspended, revoked, or past its end before the expiry job has run', async () => {
    const { id } = await license(acme)
    await acme.staff.post(at(id, '/suspend'))
    expect((await activate(id, 'a.example')).status).toBe(409)
    await acme.staff.post(at(id, '/revoke'))
    expect((await activate(id, 'a.example')).status).toBe(409)
    const end = new Date(app.clock.now.getTime() + 1000).toISOString()
    const ending = await license(acme, { expires_at: end })
    expect((await activate(ending.id, 'a.example')).status).toBe(200)
    app.clock.advance(1)
    expect((await activate(ending.id, 'b.example')).status).toBe(409)
    expect((await activate(ending.id, 'a.example')).status).toBe(409)
  })
  it('200 without a slot on local hosts and on those of environments outside production', async () => {
    await environment({ environment_type: 'staging', url: 'https://Staging.acme.example:8443/app' })
    await environment({ environment_type: 'production', url: 'https://live.acme.example' })
    await environment({ environment_type: 'sandbox', url: 'https://gone.acme.example', status: 'decommissioned' })
    const { id } = await license(acme, { activations_limit: 1 })
    expect((await activate(id, 'acme.example')).data.activations_count).toBe(1)
    for (const domain of ['localhost:3000', 'shop.test', 'app.localhost', 'www.staging.acme.example'])
      expect(await activate(id, domain), domain).toMatchObject({ status: 200, data: { activations_count: 1 } })
    for (const domain of ['live.acme.example', 'gone.acme.example', 'shop.test.example'])
      expect((await activate(id, domain)).status, domain).toBe(409)
    expect((await member.get(at(id))).data).toMatchObject({
      activated_domains: ['acme.example'],
      staging_domains: ['localhost', 'shop.test', 'app.localhost', 'staging.acme.example'],
    })
    expect((await deactivate(id, 'localhost')).data.activations_count).toBe(1)
    expect((await deactivate(id, 'localhost')).status).toBe(404)
    // The staging site goes into production, so it takes a slot.
    await app.database.query(`update environments set environment_type = 'production' where organization_id = $1`, [
      acme.id,
    ])
    expect((await activate(id, 'staging.acme.example')).status).toBe(409)
    await deactivate(id, 'acme.example')
    expect((await activate(id, 'staging.acme.example')).data.activations_count).toBe(1)
    expect((await member.get(at(id))).data.staging_domains).toEqual(['shop.test', 'app.localhost'])
  })
  it('409 for the production site, even if an environment outside production names its host too', async () => {
    await environment({ environment_type: 'staging', url: 'https://both.acme.example/staging' })
    await environment({ environment_type: 'production', url: 'https://www.both.acme.example' })
    const { id } = await license(acme, { activations_limit: 1 })
    expect((await activate(id, 'acme.example')).status).toBe(200)
    expect((await activate(id, 'both.acme.example')).status).toBe(409)
  })
  it('409 beyond 100 domains without a slot, so that the list is bounded', async () => {
    const { id } = await license(acme)
    const many = Array.from({ length: 100 }, (_, index) => `${index}.test`)
    await app.database.query(`update licenses set staging_domains = $1 where id = $2`, [many, id])
    expect((await activate(id, 'more.test')).status).toBe(409)
    expect((await activate(id, '5.test')).status).toBe(200)
  })
  it('200 with a slot for a staging site of another organization', async () => {
    await environment({ environment_type: 'staging', url: 'https://staging.acme.example' })
    const owner = other.owner
    const { id } = await license(other, { activations_limit: 1 })
    const answer = await owner.post(at(id, '/activate'), { domain: 'staging.acme.example' })
    expect(answer.data.activations_count).toBe(1)
  })
  it('403 without the scope, 404 for another organization’s', async () => {
    const { id } = await license(acme)
    const viewer = await acme.member({ scopes: ['entitlements'] })
    expect((await viewer.post(at(id, '/activate'), { domain: 'a.example' })).status).toBe(403)
    expect((await other.owner.post(at(id, '/activate'), { domain: 'a.example' })).status).toBe(404)
    expect((await other.staff.post(at(id, '/deactivate'), { domain: 'a.example' })).status).toBe(404)
  })
  it('422 for text that is not a host name', async () => {
    const { id } = await license(acme)
    for (const act of ['activate', 'deactivate'])
      for (const domain of [
        '',
        ' ',
        '*.acme.example',
        '127.0.0.1',
        'a b.example',
        'x'.repeat(300),
        5,
        null,
        ['a.example'],
      ]) {
        const answer = await member.post(at(id, `/${act}`), { domain })
        expect(answer.status, String(domain)).toBe(422)
        expect(Object.keys(answer.errors?.fields ?? {})[0]).toMatch(/^domain/)
      }
    expect((await member.post(at(id, '/activate'), { domain: 'a.example', force: true })).status).toBe(422)
  })
})

describe('POST /licenses/{id}/deactivate', () => {
  it('404 for a domain that is not active; 200 on a suspended license', async () => {
    const { id } = await license(acme)
    expect((await deactivate(id, 'a.example')).status).toBe(404)
    await activate(id, 'a.example')
    await acme.staff.post(at(id, '/suspend'))
    expect((await deactivate(id, 'WWW.a.example')).status).toBe(200)
    expect((await deactivate(id, 'a.example')).status).toBe(404)
  })
})

describe('at once', () => {
  it('64 domains on a limit of 5: five, thirty rounds', async () => {
    for (let round = 0; round < 30; round++) {
      const { id } = await license(acme)
      const answers = await Promise.all(Array.from({ length: 64 }, (_, index) => activate(id, `site-${index}.example`)))
      expect(statuses(answers)).toEqual({ 200: 5, 409: 59 })
      const { activations_count, activated_domains } = (await member.get(at(id))).data
      expect([activations_count, new Set(activated_domains).size]).toEqual([5, 5])
    }
  })
  it('one domain sixteen times in different spellings counts once', async () => {
    const { id } = await license(acme)
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) => activate(id, index % 2 ? 'https://WWW.a.example/' : 'A.example.')),
    )
    expect(statuses(answers)).toEqual({ 200: 16 })
    expect((await member.get(at(id))).data.activated_domains).toEqual(['a.example'])
    expect((await member.get(at(id, '/history'))).meta?.total).toBe(2)
  })
  it('one slot freed sixteen times is freed once', async () => {
    const { id } = await license(acme)
    await activate(id, 'a.example')
    expect(statuses(await Promise.all(Array.from({ length: 16 }, () => deactivate(id, 'a.example'))))).toEqual({
      200: 1,
      404: 15,
    })
  })
  it('the limit holds at every moment while domains come and go', async () => {
    const { id } = await license(acme, { activations_limit: 3 })
    const sampled: number[] = []
    const churning = { isOver: false }
    const sampler = (async () => {
      while (!churning.isOver) {
        const [row] = await app.database.query<{ n: number }>(
          `select cardinality(activated_domains) as n from licenses where id = $1`,
          [id],
        )
        sampled.push(row?.n ?? 99)
      }
    })()
    const churn = async (worker: number) => {
      for (let step = 0; step < 6; step++) {
        const act = (worker + step) % 3 === 0 ? deactivate : activate
        const { status } = await act(id, `site-${(worker * 5 + step) % 9}.example`)
        expect([200, 404, 409]).toContain(status)
      }
    }
    await Promise.all(Array.from({ length: 16 }, (_, worker) => churn(worker)))
    churning.isOver = true
    await sampler
    expect(sampled.length).toBeGreaterThan(10)
    expect(Math.max(...sampled)).toBe(3)
    const { activations_count, activated_domains } = (await member.get(at(id))).data
    const history = (await member.get(at(id, '/history?per_page=100'))).data
    const active = new Set<string>()
    for (const { action, domain } of history)
      if (action === 'activated') active.add(domain)
      else active.delete(domain)
    expect(activations_count).toBe(activated_domains.length)
    expect([...active].toSorted()).toEqual(activated_domains.toSorted())
  })
  it('an activation during a suspension of the entitlement comes before it or fails', async () => {
    for (let round = 0; round < 10; round++) {
      const { id, entitlement_id } = await license(acme)
      const [activated, suspended] = await Promise.all([
        activate(id, 'a.example'),
        patiently(() => acme.staff.post(`/entitlements/${entitlement_id}/suspend`)),
      ])
      expect(suspended.status).toBe(200)
      const after = (await member.get(at(id))).data
      expect(after.status).toBe('suspended')
      expect(after.activated_domains).toEqual(activated.status === 200 ? ['a.example'] : [])
      const actions = (await member.get(at(id, '/history'))).data.map(({ action }: { action: string }) => action)
      expect(actions.at(-1)).toBe('suspended')
    }
  })
  it('a lower limit and new domains: the limit holds', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await license(acme)
      await Promise.all([
        ...Array.from({ length: 6 }, (_, index) => activate(id, `site-${index}.example`)),
        acme.staff.patch(at(id), { activations_limit: 2, reason: 'Less' }),
      ])
      const { activations_count, activations_limit } = (await member.get(at(id))).data
      expect(activations_count).toBeLessThanOrEqual(activations_limit)
    }
  })
})
